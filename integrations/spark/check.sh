#!/usr/bin/env bash
# Tests the Spark job: the bridge alone, then the job on a standalone cluster of two workers on 127.0.0.1.
#
#   integrations/spark/check.sh FOLDER    FOLDER: where the environment is made
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
environment=${1:?a folder for the environment}
if ! command -v java >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless >/dev/null || true
fi
if ! command -v java >/dev/null; then
  echo 'Skipped: Spark needs Java 17, and there is no java'
  [ "${CI:-}" != true ]
  exit
fi
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements-test.txt"
"$environment/bin/python" -m pytest --quiet -p no:cacheprovider "$here/tests"
