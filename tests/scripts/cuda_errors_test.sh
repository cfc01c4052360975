#!/usr/bin/env bash
# What the command says of a machine without a driver, a GPU or memory for the model, as the emulator plays them.
#
#   cuda_errors_test.sh COMMAND EMULATOR SOURCE_DIR
set -euo pipefail
command=$1 source_dir=$3
export MXINFER_CUDA_LIBRARY=$2

# expect DEVICE TEXT [VARIABLE=VALUE]: one line on standard error, and exit code 1.
expect() {
  local device=$1 text=$2 status=0 output
  shift 2
  output=$(env "$@" "$command" classify "$source_dir/models/digits" "$source_dir/examples/images/seven.jpg" --device "$device" 2>&1) ||
    status=$?
  if [ $status != 1 ] || [ "$(wc -l <<< "$output")" != 1 ] || ! grep -qF -- "$text" <<< "$output"; then
    echo "cuda_errors_test: with $* and --device $device exit code 1 and a line with '$text' is expected; $status: $output" >&2
    exit 1
  fi
}

expect cuda:0 "the NVIDIA driver is too old: it supports CUDA 12.4, but the kernels are built with" MXINFER_SIMT_DRIVER=12040
expect cuda:0 "this machine has no NVIDIA driver; install one, or run on the CPU" MXINFER_SIMT_DRIVER=0
expect cuda:0 "device 'cuda:0' does not exist: this process sees no NVIDIA GPU" MXINFER_SIMT_DEVICES=0
expect cuda:all "device 'cuda:0' does not exist: this process sees no NVIDIA GPU" MXINFER_SIMT_DEVICES=0
expect cuda:3 "device 'cuda:3' does not exist: this process sees 2 NVIDIA GPUs, cuda:0 to cuda:1" MXINFER_SIMT_DEVICES=2
# Of a weight, and of what the steps work in.
expect cuda:0 "of its 100000 bytes are free; give smaller batches, or keep fewer plans" MXINFER_SIMT_MEMORY=100000
expect cuda:0 "of its 300000 bytes are free; give smaller batches, or keep fewer plans" MXINFER_SIMT_MEMORY=300000
