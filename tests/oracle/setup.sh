#!/bin/sh
# Makes the Python environment with real MXNet 1.9.1 that the scripts in this folder run in.
#
#   tests/oracle/setup.sh                              into build/oracle
#   tests/oracle/setup.sh --networks                   GluonCV and GluonNLP too, for network_sweep.py and tokenizers.py
#   MXINFER_ORACLE_VENV=/some/folder tests/oracle/setup.sh
#
# Running it again completes or confirms what is there.
set -eu

say() { echo "oracle: $*"; }
die() { echo "oracle: $*" >&2; exit 1; }

networks=no
case ${1-} in
  "") ;;
  --networks) networks=yes ;;
  *) die "unknown argument '$1'; expected --networks or nothing" ;;
esac

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

has_networks() {
  MXNET_SUBGRAPH_VERBOSE=0 "$venv/bin/python" -W ignore -c 'import gluoncv, gluonnlp.model, sentencepiece'
}

# install PACKAGE WHY: a Debian package.
install() {
  command -v apt-get >/dev/null 2>&1 || die "$2; install $1 and run this again"
  [ "$(id -u)" = 0 ] || die "$2; run: sudo apt-get install $1"
  say "installing $1"
  apt-get install -y "$1" || { apt-get update && apt-get install -y "$1"; }
}

pip() { "$venv/bin/python" -m pip install --disable-pip-version-check --quiet "$@"; }

# GluonNLP 0.10.0 comes as sources, with C that an old Cython made: a newer one makes it again.
add_networks() {
  if has_networks >/dev/null 2>&1; then
    return
  fi
  say "installing GluonCV and GluonNLP"
  headers=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
  if [ ! -f "$headers/Python.h" ]; then
    install "$("$venv/bin/python" -c 'import sys; print("python%d.%d-dev" % sys.version_info[:2])')" "$headers lacks Python.h"
  fi
  pip wheel "setuptools<70" "cython>=3" "numpy<1.24"
  pip "gluoncv==0.10.5.post0" "scipy<1.11" "matplotlib<3.8" "pandas<2.1" "numpy<1.24" "sentencepiece==0.1.99"
  CYTHON_FORCE_REGEN=1 pip --no-build-isolation "gluonnlp==0.10.0" "numpy<1.24"
  has_networks || die "GluonCV or GluonNLP does not run in $venv"
}

finish() {
  if [ "$networks" = yes ]; then
    add_networks
  fi
  say "$venv is complete"
  exit 0
}

if [ -x "$venv/bin/python" ] && works >/dev/null 2>&1; then
  finish
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
  install "$package" "$python lacks the venv module"
fi

say "making $venv"
"$python" -m venv "$venv"
say "installing MXNet 1.9.1 and what the scripts use (about 100 MB to download)"
pip "mxnet==1.9.1" "numpy<1.24" "scikit-learn" "pillow"
say "trying it"
works || die "MXNet was installed into $venv but does not run there; delete the folder and run this again"
finish
