#!/usr/bin/env bash
# The whole test suite, from a fresh Debian 12 on:
#
#   bash tests/run.sh
#
# Installs what is missing; builds with warnings as errors; runs the suite under the address and undefined-behaviour
# sanitizers, the tests of threads under the thread sanitizer, and everything, whole networks against real MXNet
# included, on the release build; compiles the kernels for GPUs, which tests/cuda.sh runs. The first failure ends it.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/environment.sh"
report_steps_at_end

# run_tests BUILD ARGUMENTS...: ctest with what it prints on failure, and a summary at the end.
run_tests() {
  local build=$1
  shift
  ctest --test-dir "build/$build" --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
}

step "Installing what is missing"
scripts/install-dependencies.sh build test package java

step "Making the Python environment with MXNet 1.9.1, to compare with"
export MXINFER_ORACLE_VENV=${MXINFER_ORACLE_VENV:-$repository/build/oracle}
sh tests/oracle/setup.sh --networks

step "Building the release"
# Nothing of a folder that is new is changed before it is tested: files are compiled together.
fresh=()
[ -e build/release/CMakeCache.txt ] || fresh=(-DMXINFER_UNITY=ON)
cmake --preset release -DMXINFER_WERROR=ON -DMXINFER_BUILD_TESTS=ON "${fresh[@]}" \
  -DMXINFER_ORACLE_PYTHON="$MXINFER_ORACLE_VENV/bin/python"
cmake --build build/release

if scripts/install-dependencies.sh cuda; then
  step "Compiling the kernels for NVIDIA GPUs, and looking at what nvcc made of them"
  cmake --preset cuda -DMXINFER_WERROR=ON -DMXINFER_BUILD_TESTS=OFF > /dev/null
  cmake --build build/cuda --target mxinfer_cuda
  python3 scripts/cuda_report.py build/cuda/libmxinfer_cuda.so --check
  python3 bench/cuda/roofline.py --check
  bash tests/scripts/cuda_library_test.sh build/release/bin/mxinfer build/cuda/libmxinfer_cuda.so .
else
  echo "nvcc cannot be had here: libmxinfer_cuda.so is NOT built, and its tables are not checked"
fi

step "Building with the address and undefined-behaviour sanitizers"
cmake --preset asan -DMXINFER_WERROR=ON
cmake --build build/asan
step "Testing with the address and undefined-behaviour sanitizers, with random models for a minute"
MXINFER_FUZZ_SECONDS=60 run_tests asan

step "Building with the thread sanitizer"
cmake --preset tsan -DMXINFER_WERROR=ON -DMXINFER_BUILD_CLI=OFF
cmake --build build/tsan --target mxinfer_threads_tests example_many_threads mxinfer_soak
step "Testing with the thread sanitizer"
run_tests tsan -L threads

step "Testing the release"
run_tests release
