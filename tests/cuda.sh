#!/usr/bin/env bash
# The kernels on a GPU, on a machine that has one:
#
#   tests/cuda.sh                 tests, then under compute-sanitizer if it is there, then measures
#   tests/cuda.sh --no-bench      without measuring
#   tests/cuda.sh --peers         and measures networks beside PyTorch and ONNX Runtime (bench/peers), which it sets up
#
# Needs what scripts/install-dependencies.sh build test cuda installs, and NVIDIA's driver. compute-sanitizer is looked for on the
# PATH; it is of the CUDA toolkit. The first failure ends it.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/environment.sh"
report_steps_at_end

bench=true peers=false
for argument in "$@"; do
  case $argument in
    --no-bench) bench=false ;;
    --peers) peers=true ;;
    *)
      echo "tests/cuda.sh: '$argument' is no option; there are --no-bench and --peers" >&2
      exit 2
      ;;
  esac
done

step "Building libmxinfer_cuda.so, the tests and the command"
cmake --preset cuda -DMXINFER_WERROR=ON -DMXINFER_BUILD_TESTS=ON
cmake --build build/cuda --target mxinfer_cuda mxinfer_cuda_tests mxinfer_cli
export MXINFER_CUDA_LIBRARY=$repository/build/cuda/libmxinfer_cuda.so
tests=build/cuda/tests/cuda/mxinfer_cuda_tests command=build/cuda/bin/mxinfer

step "Looking for the GPU"
nvidia-smi --query-gpu=index,name,driver_version,compute_cap,memory.total --format=csv
bash tests/scripts/cuda_library_test.sh $command "$MXINFER_CUDA_LIBRARY" . | grep -E ' seven$' || {
  echo "tests/cuda.sh: no GPU can be used here, see above" >&2
  exit 1
}

step "Testing on the GPU"
$tests

# Addresses out of bounds, and memory that is not released; races in shared memory; barriers that not all threads reach.
for tool in memcheck racecheck synccheck; do
  if command -v compute-sanitizer > /dev/null; then
    step "Testing under $tool"
    compute-sanitizer --tool $tool --error-exitcode 1 $tests
  else
    echo "compute-sanitizer is not on the PATH: no $tool"
  fi
done

if $bench; then
  for device in cpu cuda:0; do
    step "Measuring the bundled model on $device"
    $command bench models/digits --device $device --seconds 2
    step "Measuring images of any size in front of ResNet-18, in one graph and beside it, on $device"
    $command bench --preset end-to-end --device $device
  done
  for precision in tf32 float16 bfloat16; do
    step "Measuring the bundled model on cuda:0 in $precision"
    $command bench models/digits --device cuda:0 --precision $precision --seconds 2 || echo "not on this GPU"
  done
fi
if $peers; then
  step "Measuring networks beside PyTorch and ONNX Runtime"
  sh bench/peers/run.sh --quick --device cuda:0 --mxinfer $command
fi
