#!/usr/bin/env bash
# Makes the archive that executors need: Node 20, teapot and its native core, in one file.
#
#   integrations/spark/package.sh teapot.tar.gz [PACKAGE…]
#
# PACKAGE: what npm installs, by default the published teapot-nlp; from a checkout, the two files of `npm run pack:platform`.
set -euo pipefail
archive=${1:?the name of the archive}
shift
packages=("$@")
[ "${#packages[@]}" -gt 0 ] || packages=(teapot-nlp)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --silent --no-audit --no-fund --omit=dev node@20 "${packages[@]}"
mkdir "$folder/bin"
cat >"$folder/bin/teapot" <<'SCRIPT'
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
exec "$here/node_modules/node/bin/node" "$here/node_modules/teapot-nlp/dist/cli/main.js" "$@"
SCRIPT
chmod +x "$folder/bin/teapot"
"$folder/bin/teapot" --version >/dev/null
tar -czf "$archive" -C "$folder" bin node_modules
echo "$archive: $(du -h "$archive" | cut -f1)"
