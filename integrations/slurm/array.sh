#!/usr/bin/env bash
#SBATCH --job-name=teapot
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --time=02:00:00
#
# One part of a run of teapot for each task of a Slurm array; the last task to end merges them.
#
#   sbatch --array=1-16 integrations/slurm/array.sh FOLDER ARGUMENTS OF teapot score…
#
# FOLDER: where parts and result go; it must be seen by all nodes. Extra arguments of the merge: TEAPOT_MERGE='--format json'.
# TEAPOT names the command (default: teapot). A task that failed is started again alone: sbatch --array=7 … with TEAPOT_SHARDS=16.
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: sbatch --array=1-N array.sh FOLDER ARGUMENTS OF teapot score…" >&2
  exit 2
fi
folder=$1
shift
part=${SLURM_ARRAY_TASK_ID:?this script runs in a Slurm array: sbatch --array=1-16 …}
parts=${TEAPOT_SHARDS:-${SLURM_ARRAY_TASK_COUNT:?}}
first=${SLURM_ARRAY_TASK_MIN:-1}
if [ -z "${TEAPOT_SHARDS:-}" ] && [ "$first" -ne 1 ]; then
  echo "array.sh: the array begins at $first, expected 1 (for a part that is run again, set TEAPOT_SHARDS to their number)" >&2
  exit 2
fi
read -ra teapot <<<"${TEAPOT:-teapot}"
read -ra merge <<<"${TEAPOT_MERGE:-}"

mkdir -p "$folder"
"${teapot[@]}" score --shard "$part/$parts" "$@" --threads "${SLURM_CPUS_PER_TASK:-1}" -o "$folder/part-$part.json" --quiet

# Whoever is last sees all parts. Two that see them at the same moment write the same bytes, each under a temporary name.
present=$(find "$folder" -name 'part-*.json' | wc -l)
if [ "$present" -eq "$parts" ]; then
  "${teapot[@]}" merge "$folder"/part-*.json ${merge[@]+"${merge[@]}"} -o "$folder/${TEAPOT_RESULT:-result.json}"
fi
