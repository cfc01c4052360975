#!/usr/bin/env bash
# libmxinfer_cuda.so as nvcc has built it, opened by the command: on a machine with a GPU it classifies an image there, on others
# it says in one sentence what is missing.
#
#   cuda_library_test.sh COMMAND LIBRARY SOURCE_DIR
set -euo pipefail
command=$1 library=$2 source_dir=$3

die() {
  echo "cuda_library_test: $*" >&2
  exit 1
}

classify() { "$command" classify "$source_dir/models/digits" "$source_dir/examples/images/seven.jpg" --device "$1" 2>&1; }

status=0
output=$(MXINFER_CUDA_LIBRARY=$library classify cuda:0) || status=$?
case $status in
  0) grep -qE '^ *[0-9.]+ +seven$' <<< "$output" || die "the GPU does not see a seven: $output" ;;
  1)
    grep -qE 'this machine has no NVIDIA driver|the NVIDIA driver is too old: it supports CUDA|this process sees no NVIDIA GPU' <<< "$output" ||
      die "neither an answer nor what is missing: $output"
    ;;
  *) die "the command ends with $status: $output" ;;
esac
[ "$(wc -l <<< "$output")" = 1 ] || [ "$status" = 0 ] || die "more than one line: $output"
echo "$output"

output=$(MXINFER_CUDA_LIBRARY=$library.not-there classify cuda:0) && die "a library that is not there can be opened: $output"
grep -q 'the library of CUDA kernels cannot be opened' <<< "$output" || die "the message for a library that is not there: $output"
MXINFER_CUDA_LIBRARY=$library classify cpu | grep -qE '^ *[0-9.]+ +seven$' || die "the CPU does not see a seven"
