#!/bin/sh
# Makes the environments that are missing, and compares; arguments are those of side_by_side.py.
#
#   sh bench/peers/run.sh --quick
#   sh bench/peers/run.sh --quick --precision int8
#   sh bench/peers/run.sh --quick --device cuda:0
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
peers=${MXINFER_PEERS:-$here/../../build/peers}
case " $* " in
  *" --device"*) sh "$here/setup.sh" gpu ;;
  *" --precision int8 "* | *" --precision=int8 "*) sh "$here/setup.sh" int8 ;;
  *) sh "$here/setup.sh" ;;
esac
exec "$peers/environments/engines/bin/python" "$here/side_by_side.py" "$@"
