#!/usr/bin/env bash
# Puts the vocabulary in front of the network that train.py has written, and the names of languages behind it: makes
# model-symbol.json and model-0000.params, which take texts.
#
#   bash models/language_id/bundle.sh [MXINFER]
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
"${1:-build/release/bin/mxinfer}" fuse --network models/language_id/network/model-symbol.json \
  --params models/language_id/model-0000.params --transforms models/language_id/transforms.json \
  --labels models/language_id/synset.txt --output models/language_id/model
