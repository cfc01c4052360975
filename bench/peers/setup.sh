#!/bin/sh
# Makes the Python environments that bench/peers runs in: MXNet with GluonCV and GluonNLP, MXNet's exporter to ONNX, and
# ONNX Runtime, OpenVINO and ncnn with OpenCV and matplotlib. About 1.5 GB. Running it again completes or confirms what is there.
#
#   bench/peers/setup.sh                                 into build/oracle and build/peers/environments
#   bench/peers/setup.sh int8                            and what quantizes for OpenVINO and ONNX Runtime, about 300 MB
#   bench/peers/setup.sh gpu                             and PyTorch, ONNX Runtime and TensorRT for NVIDIA GPUs, about 10 GB
#   MXINFER_ORACLE_VENV=/some/folder MXINFER_PEERS=/some/folder bench/peers/setup.sh
#   MXINFER_PYTHON38=/some/python3.8 bench/peers/setup.sh
set -eu

say() { echo "peers: $*" >&2; }
die() { say "$*"; exit 1; }

repository=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
environments=${MXINFER_PEERS:-$repository/build/peers}/environments

is_version() {  # PYTHON MAJOR.MINOR
  command -v "$1" >/dev/null 2>&1 &&
    [ "$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$2" ]
}

# find_python VERSION CANDIDATE...: prints the first that has that version, those of pyenv too.
find_python() {
  version=$1
  shift
  for candidate in "$@" "python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
    if [ -n "$candidate" ] && is_version "$candidate" "$version"; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# make NAME PYTHON IMPORTS PACKAGE...
make() {
  venv=$environments/$1 python=$2 imports=$3
  shift 3
  if [ -x "$venv/bin/python" ] && "$venv/bin/python" -c "import $imports" >/dev/null 2>&1; then
    return
  fi
  say "making $venv"
  "$python" -m venv "$venv" || die "$python cannot make $venv; it may lack its venv module (Debian: python3-venv)"
  "$venv/bin/python" -m pip install --disable-pip-version-check --quiet "$@"
  "$venv/bin/python" -c "import $imports" || die "what was installed into $venv does not run; delete the folder and run this again"
}

"$repository/tests/oracle/setup.sh" --networks >&2

modern=$(find_python 3.11 "${MXINFER_PYTHON311-}") || modern=$(command -v python3) || die "there is no python3"
make engines "$modern" "onnxruntime, openvino, ncnn, matplotlib, cv2, PIL" onnxruntime openvino ncnn matplotlib opencv-python-headless pillow
# pnnx turns ONNX into ncnn's files. Its program needs none of the packages that its Python module asks for (PyTorch).
if ! ls "$environments"/engines/lib/python3*/site-packages/pnnx/pnnx >/dev/null 2>&1; then
  "$environments/engines/bin/python" -m pip install --disable-pip-version-check --quiet --no-deps pnnx
fi
if [ "${1-}" = int8 ]; then  # into the same environment: NNCF quantizes for the OpenVINO that runs the result
  make engines "$modern" "nncf, onnx, onnxruntime.quantization" nncf onnx
fi

if old=$(find_python 3.8 "${MXINFER_PYTHON38-}"); then
  make export "$old" "mxnet, onnx" "mxnet==1.9.1" "onnx==1.12.0" "protobuf<3.21" "numpy<1.24"
else
  say "no Python 3.8 was found: MXNet's exporter to ONNX needs it. Install one (pyenv install 3.8) or name one in"
  say "MXINFER_PYTHON38, and run this again. Until then only mxinfer and MXNet are compared."
fi
if [ "${1-}" = gpu ]; then
  make gpu "$modern" "torch, onnx2torch, onnxruntime, tensorrt" torch onnx2torch onnxruntime-gpu tensorrt-cu12
fi
say "done"
