#!/usr/bin/env bash
# Installs the package in an environment of its own, runs its tests and executes its notebook.
#
#   integrations/python/check.sh FOLDER    FOLDER: where the environment is made
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
environment=${1:?a folder for the environment}
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check "$here" pytest nbclient nbformat ipykernel
export TEAPOT_COMMAND="node $root/dist/cli/main.js"
"$environment/bin/python" -m pytest --quiet -p no:cacheprovider "$here/tests"
cd "$here/notebooks"
"$environment/bin/python" - <<'PYTHON'
import nbformat
from nbclient import NotebookClient

for name in ("score.ipynb",):
    NotebookClient(nbformat.read(name, as_version=4), timeout=120).execute()
    print(f"{name}: executed")
PYTHON
