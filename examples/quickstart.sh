#!/usr/bin/env bash
# On a fresh Debian 12, installs missing packages, builds mxinfer, classifies the bundled images, and detects digits in
# another.
#
#   bash examples/quickstart.sh
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/environment.sh"

step "Installing what is missing"
scripts/install-dependencies.sh build

# 13 minutes of one core's time on a Xeon, see CONTRIBUTING.md.
cores=$CMAKE_BUILD_PARALLEL_LEVEL
step "Building mxinfer into build/release: about $(((13 + cores - 1) / cores)) minutes on this machine's $cores cores"
fresh=()
[ -e build/release/CMakeCache.txt ] || fresh=(-DMXINFER_BUILD_TESTS=OFF)
cmake --preset release "${fresh[@]}"
cmake --build build/release --target mxinfer_cli mxinfer mxinfer_static mxinfer_c mxinfer_predict  # all that cmake --install takes

step "build/release/bin/mxinfer classify models/digits.mxz examples/images/* --top-k 5"
build/release/bin/mxinfer classify models/digits.mxz examples/images/*.jpg examples/images/*.png --top-k 5

step "build/release/bin/mxinfer detect models/digit_detector models/digit_detector/scenes/08.jpg --output-dir build/drawn"
build/release/bin/mxinfer detect models/digit_detector models/digit_detector/scenes/08.jpg --output-dir build/drawn
echo "build/drawn/08.jpg shows them"
