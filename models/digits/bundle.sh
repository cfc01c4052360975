#!/usr/bin/env bash
# Makes models/digits.mxz of the network in this folder: its transforms, labels and a sample in one file.
#
#   bash models/digits/bundle.sh [MXINFER]
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
"${1:-build/release/bin/mxinfer}" fuse --network models/digits --transforms models/digits/transforms.json \
  --sample examples/images/seven.jpg --output models/digits.mxz
