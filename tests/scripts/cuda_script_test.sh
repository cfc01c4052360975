#!/usr/bin/env bash
# tests/cuda.sh as on a machine with a GPU: the library is the emulator's; the tests, nvidia-smi and compute-sanitizer are
# stand-ins that note how they were called. If Python has NumPy, a small network is measured.
#
#   cuda_script_test.sh COMMAND BENCH EMULATOR SOURCE_DIR PYTHON
set -euo pipefail
command=$1 bench=$2 emulator=$3 source_dir=$4 python=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die() {
  echo "cuda_script_test: $*" >&2
  exit 1
}

# stand_in FILE: an executable that has the lines of standard input.
stand_in() {
  mkdir -p "$(dirname "$1")"
  { echo '#!/bin/sh' && cat; } > "$1"
  chmod +x "$1"
}

built=$folder/built
stand_in "$built/tests/cuda/mxinfer_cuda_tests" <<< "echo \"\$*\" >> $folder/tested"
stand_in "$folder/bin/nvidia-smi" <<< 'echo "0, a GPU"'
stand_in "$folder/bin/compute-sanitizer" << 'END'
tool=$2
while [ "${1#-}" != "$1" ]; do
  case $1 in --tool | --error-exitcode | --report-api-errors) shift ;; esac
  shift
done
[ "$tool" != "$MXINFER_FINDS" ] || exit 1
exec "$@"
END
mkdir -p "$built/bin" "$built/bench"
ln -s "$command" "$built/bin/mxinfer"
ln -s "$bench" "$built/bench/mxinfer_cuda_bench"
ln -s "$emulator" "$built/libmxinfer_cuda.so"
echo "$folder/elsewhere/tree" > "$built/source_dir"

# run ARGUMENT...: with the output in $folder/out, and the status in $status.
run() {
  status=0
  rm -f "$folder/tested"
  PATH=$folder/bin:$PATH MXINFER_CUDA_LIBRARY='' MXINFER_FINDS=${finds:-} \
    bash "$source_dir/tests/cuda.sh" "$@" > "$folder/out" 2>&1 || status=$?
}
expect() { grep -qE "$1" "$folder/out" || die "no '$1' in: $(cat "$folder/out")"; }

run --built "$built" --quick --networks small_resnet --seconds 60
[ "$status" = 0 ] || die "it ends with $status: $(cat "$folder/out")"
expect ' seven$'
[ -f "$folder/elsewhere/tree/tests/cuda.sh" ] || die "where the tests were compiled is no link to the tree"
[ "$(wc -l < "$folder/tested")" = 4 ] || die "not all tests, and three times those of every kernel: $(cat "$folder/tested")"
[ "$(grep -c -- '--gtest_filter=.*CudaGemm' "$folder/tested")" = 3 ] || die "the tools get other tests: $(cat "$folder/tested")"
if python3 -c 'import numpy' 2> /dev/null; then
  expect '^\| small_resnet \| 32 \| float16 \| [0-9.]+ '
else
  expect 'python3 has no NumPy: networks are not measured'
  run --built "$built" --no-sanitizers --python "$python"
  [ "$status" = 1 ] || die "a Python without NumPy that is named ends with $status"
fi

finds=racecheck run --built "$built" --no-bench
[ "$status" = 1 ] || die "what racecheck finds ends with $status"
expect 'racecheck found something'
[ "$(wc -l < "$folder/tested")" = 3 ] || die "synccheck does not run after racecheck has found something"
run --built "$built" --no-bench --no-sanitizers
[ "$status $(wc -l < "$folder/tested")" = "0 1" ] || die "--no-sanitizers: $(cat "$folder/out")"
rm "$built/bench/mxinfer_cuda_bench"
run --built "$built"
[ "$status" = 1 ] || die "what is not built ends with $status"
expect 'there is no .*/bench/mxinfer_cuda_bench'
for words in '--built --pack' '--seconds soon' '--python' '--colour'; do
  # shellcheck disable=SC2086  # words are several
  run $words
  [ "$status" = 2 ] || die "'$words' ends with $status: $(cat "$folder/out")"
done
echo "ran"
