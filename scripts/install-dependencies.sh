#!/usr/bin/env bash
# Installs the Debian packages that are missing; those that are there are left as they are. For "cuda" it makes a virtual
# environment with nvcc beside them: build/cuda-toolkit, or the folder that MXINFER_CUDA_TOOLKIT names.
#
#   scripts/install-dependencies.sh build         to build the library, the command and the examples
#   scripts/install-dependencies.sh build test    and the tests, the comparison with MXNet included
#   scripts/install-dependencies.sh build test lint
#   scripts/install-dependencies.sh build bench   for the kernel benches
#   scripts/install-dependencies.sh build python  for the Python package
#   scripts/install-dependencies.sh build java    for mxinfer.jar, the one for Scala, and their tests
#   scripts/install-dependencies.sh build neon    to check that the kernels compile for AArch64
#   scripts/install-dependencies.sh build package to make packages, and to try them
#   scripts/install-dependencies.sh build cuda    for the kernels for NVIDIA GPUs (about 400 MB)
set -euo pipefail

say() { echo "dependencies: $*"; }
die() {
  echo "dependencies: $*" >&2
  exit 1
}

wanted=()

want_build() {
  wanted+=(g++ cmake ninja-build pkg-config nlohmann-json3-dev libtbb-dev libhwy-dev
    libjpeg-dev libpng-dev libexif-dev zlib1g-dev libopenblas-openmp-dev
    libutf8proc-dev libsentencepiece-dev libcli11-dev libcurl4-openssl-dev)
}

want_test() {
  want_python
  # Who tests builds again and again. A first build is faster without, by headers that are compiled once.
  wanted+=(libgtest-dev ccache abigail-tools libarchive-dev lld openssl)
  # Any Python from 3.8 to 3.11 that can make virtual environments will do for the comparison with MXNet.
  python3 -c 'import sys, ensurepip, venv; sys.exit(not (3, 8) <= sys.version_info[:2] <= (3, 11))' 2> /dev/null ||
    wanted+=(python3 python3-venv)
}

want_python() {
  # Any Python from 3.9 that has its headers and can make virtual environments.
  python3 -c 'import os, sys, sysconfig, ensurepip, venv
sys.exit(sys.version_info < (3, 9) or not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2> /dev/null ||
    wanted+=(python3 python3-dev python3-venv)
}

want_lint() {
  wanted+=(clang-format clang-tidy)
}

want_bench() {
  wanted+=(libbenchmark-dev)
}

want_package() {
  wanted+=(dpkg-dev file lintian debootstrap)
}

want_java() {
  wanted+=(openjdk-17-jdk-headless junit4 scala)
}

want_neon() {
  wanted+=(g++-aarch64-linux-gnu)
}

want_cuda() {
  # Any Python that can make virtual environments.
  python3 -c 'import ensurepip, venv' 2> /dev/null || wanted+=(python3 python3-venv)
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]
}

[ $# -gt 0 ] || die "say what for: build, test, lint, bench, python, java, neon, package, cuda"
for purpose in "$@"; do
  case $purpose in
    build | test | lint | bench | python | java | neon | package | cuda) "want_$purpose" ;;
    *) die "'$purpose' is none of build, test, lint, bench, python, java, neon, package, cuda" ;;
  esac
done

install_packages() {
  if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
    say "this system has no apt-get. What Debian calls these packages is needed: ${wanted[*]}"
    say "going on; CMake says what it does not find"
    return
  fi
  local package missing=() as_root=()
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then
    say "all there (${#wanted[@]} packages)"
    return
  fi
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null ||
      die "these packages are missing, and there is no sudo to install them with; as root run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install ${missing[*]}"
  say "done"
}

# has_cuda FOLDER: whether nvcc 13.0, what it links, and the disassembler are there.
has_cuda() {
  local program
  for program in nvcc cuobjdump nvdisasm; do
    [ -x "$1/bin/$program" ] || return 1
  done
  [ -e "$1/lib64/libcudart_static.a" ] && "$1/bin/nvcc" --version | grep -q 'release 13\.0,'
}

# CUDA 13.0, whose PTX every driver that runs CUDA 13 takes; the programs that only read what it makes may be newer.
make_cuda_toolkit() {
  local folder=${MXINFER_CUDA_TOOLKIT:-$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)/build/cuda-toolkit} toolkit
  for toolkit in "$folder"/lib/python3*/site-packages/nvidia/cu13 "$folder"; do
    if has_cuda "$toolkit" 2> /dev/null; then
      say "nvcc is there: $toolkit/bin/nvcc"
      return
    fi
  done
  [ ! -e "$folder" ] || [ -e "$folder/pyvenv.cfg" ] ||
    die "$folder has no nvcc of CUDA 13.0 with cuobjdump and nvdisasm, and is no virtual environment to put them in"
  say "making $folder"
  python3 -m venv "$folder" || die "python3 cannot make $folder; it may lack its venv module (Debian: python3-venv)"
  "$folder/bin/python" -m pip install --disable-pip-version-check --quiet 'nvidia-cuda-nvcc==13.0.*' \
    'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-cccl==13.0.*' 'nvidia-cuda-crt==13.0.*' 'nvidia-nvvm==13.0.*' \
    'nvidia-cuda-cuobjdump==13.*' 'nvidia-cuda-nvdisasm==13.*' ||
    die "pip could not install nvcc into $folder; with a toolkit of CUDA 13.0 that is elsewhere, let MXINFER_CUDA_TOOLKIT name it"
  toolkit=$(echo "$folder"/lib/python3*/site-packages/nvidia/cu13)
  # These packages have their libraries in lib; nvcc looks in lib64.
  ln -sfn lib "$toolkit/lib64"
  has_cuda "$toolkit" || die "what was installed into $folder does not run; delete the folder and run this again"
  say "done: $toolkit/bin/nvcc"
}

[ ${#wanted[@]} = 0 ] || install_packages
for purpose in "$@"; do
  [ "$purpose" != cuda ] || make_cuda_toolkit
done
