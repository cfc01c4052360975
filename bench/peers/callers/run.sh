#!/bin/sh
# Makes the environments that are missing, and compares many callers; arguments are those of callers.py.
#
#   sh bench/peers/callers/run.sh --quick
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
peers=${MXINFER_PEERS:-$here/../../../build/peers}
sh "$here/../setup.sh"
exec "$peers/environments/engines/bin/python" "$here/callers.py" "$@"
