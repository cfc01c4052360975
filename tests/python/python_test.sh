#!/usr/bin/env bash
# Installs the Python package and runs its tests. The library is the one that was built: only the bindings are compiled.
#
#   python_test.sh SOURCE_DIR BINARY_DIR PYTHON
set -euo pipefail

source_dir=$1 binary_dir=$2 python=$3
work="$binary_dir/tests/python"
venv="$work/venv"
mkdir -p "$work"

rm -rf "$work/prefix"
cmake --install "$binary_dir" --prefix "$work/prefix" > "$work/install.log"

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "scikit-build-core>=0.11" "nanobind>=2.9,<3" ninja \
  numpy pytest pillow ml_dtypes typing_extensions pyarrow mypy==2.4.1 "pyright[nodejs]==1.1.414"
PATH="$venv/bin:$PATH" MXINFER_PREFIX="$work/prefix" "$venv/bin/pip" install --disable-pip-version-check --no-build-isolation \
  --no-deps --force-reinstall -Cbuild-dir="$work/build" -Ccmake.define.MXINFER_WERROR=ON "$source_dir" > "$work/pip.log" 2>&1 || {
  tail -n 40 "$work/pip.log" >&2
  exit 1
}

# The package alone, for Pythons that have a NumPy of their own: the one with MXNet.
rm -rf "$work/alone"
mkdir -p "$work/alone"
cp -r "$("$venv/bin/python" -c 'import os, mxinfer; print(os.path.dirname(mxinfer.__file__))')" "$work/alone"

cd "$source_dir"
export PYTHONDONTWRITEBYTECODE=1
"$venv/bin/python" -m pytest -q -p no:cacheprovider python/tests
