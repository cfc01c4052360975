#!/bin/sh
# Makes the Python environment with real MXNet 1.9.1 that the scripts in this folder run in.
#
#   tests/oracle/setup.sh                              into build/oracle
#   MXINFER_ORACLE_VENV=/some/folder tests/oracle/setup.sh
#
# Running it again completes or confirms what is there.
set -eu

say() { echo "oracle: $*"; }
die() { echo "oracle: $*" >&2; exit 1; }

repository=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
venv=${MXINFER_ORACLE_VENV:-$repository/build/oracle}

# MXNet 1.9.1 needs a NumPy before 1.24, which in turn needs Python 3.8 to 3.11.
fits() {
  command -v "$1" >/dev/null 2>&1 &&
    "$1" -c 'import sys; sys.exit(not (3, 8) <= sys.version_info[:2] <= (3, 11))' 2>/dev/null
}

works() {
  MXNET_SUBGRAPH_VERBOSE=0 "$venv/bin/python" -c '
import mxnet, numpy, PIL, sklearn
assert mxnet.__version__ == "1.9.1", mxnet.__version__
assert mxnet.nd.ones((2, 2)).sum().asscalar() == 4'
}

if [ -x "$venv/bin/python" ] && works >/dev/null 2>&1; then
  say "$venv is complete"
  exit 0
fi

python=
for candidate in python3.11 python3.10 python3.9 python3.8 python3; do
  if fits "$candidate"; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || die "MXNet 1.9.1 needs Python 3.8 to 3.11, and none was found; install python3.11 and run this again"
say "using $("$python" --version 2>&1) ($(command -v "$python"))"

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
  command -v apt-get >/dev/null 2>&1 || die "$python lacks the venv module; install $package and run this again"
  [ "$(id -u)" = 0 ] || die "$python lacks the venv module; run: sudo apt-get install $package"
  say "installing $package"
  apt-get install -y "$package" || { apt-get update && apt-get install -y "$package"; }
fi

say "making $venv"
"$python" -m venv "$venv"
say "installing MXNet 1.9.1 and what the scripts use (about 100 MB to download)"
"$venv/bin/python" -m pip install --disable-pip-version-check --quiet \
  "mxnet==1.9.1" "numpy<1.24" "scikit-learn" "pillow"
say "trying it"
works || die "MXNet was installed into $venv but does not run there; delete the folder and run this again"
say "$venv is complete"
