#!/bin/sh
# Makes the environments that are missing, and compares; arguments are those of side_by_side.py.
#
#   sh bench/peers/run.sh --quick
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
peers=${MXINFER_PEERS:-$here/../../build/peers}
sh "$here/setup.sh"
exec "$peers/environments/engines/bin/python" "$here/side_by_side.py" "$@"
