#!/bin/sh
# Measures an attack and gates on it in continuous integration: one JSON document, one JUnit report and one table.
#
# Usage: run.sh FOLDER ARGUMENTS…
#   FOLDER     where results.json, junit.xml and summary.md go
#   ARGUMENTS  those of `teapot` that say what is measured and gated, for example
#              score records.jsonl --fail-if 'success_rate>0.3'
#
# TEAPOT is how teapot is started (npx --no-install teapot). The exit code is teapot's: 0 fine, 1 failure, 2 a wrong
# argument or a condition that can't be decided, 3 a condition of --fail-if holds. The reports are written for 3 as well.
set -u

if [ "$#" -lt 2 ]; then
  echo "usage: $0 FOLDER ARGUMENTS…" >&2
  exit 2
fi
folder=$1
shift
mkdir -p "$folder" || exit 1

# shellcheck disable=SC2086 -- TEAPOT may be several words
teapot() { ${TEAPOT:-npx --no-install teapot} "$@"; }

teapot "$@" --output "$folder/junit.xml"
code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 3 ]; then
  exit "$code"
fi
# The conditions were told once: the other forms only show the results.
for file in results.json summary.md; do
  teapot "$@" --quiet --output "$folder/$file" 2>/dev/null
  again=$?
  if [ "$again" -ne "$code" ]; then
    echo "$0: $file: teapot ended with exit code $again, but $code before" >&2
    exit "$again"
  fi
done
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  cat "$folder/summary.md" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
