#!/bin/sh
# Makes the environments that are missing, and compares the ways from JPEG files to labels; arguments are those of jpeg_to_label.py.
#
#   sh bench/peers/jpeg_to_label/run.sh --quick
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
peers=${MXINFER_PEERS:-$here/../../../build/peers}
sh "$here/../setup.sh"
exec "$peers/environments/engines/bin/python" "$here/jpeg_to_label.py" "$@"
