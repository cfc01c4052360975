#!/usr/bin/env bash
# Builds the release and runs its tests, whole networks against real MXNet included, from a fresh Debian 12 on:
#
#   bash tests/run.sh
#
# Installs what is missing, and builds with warnings as errors. The first failure ends it. `.ci/run` runs what takes longer as
# well: packages, servers and Spark, the sanitizers, and the long suites of the emulator and of the networks.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/environment.sh"
report_steps_at_end

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

step "Testing the release"
run_tests release --exclude-regex "$surrounding_suites" --label-exclude "$long_suites"
