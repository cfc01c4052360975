#!/usr/bin/env bash
# Installs the Debian packages that are missing; those that are there are left as they are.
#
#   scripts/install-dependencies.sh build         to build the library, the command and the examples
#   scripts/install-dependencies.sh build test    and the tests, the comparison with MXNet included
#   scripts/install-dependencies.sh build test lint
#   scripts/install-dependencies.sh build bench   for the kernel benches
#   scripts/install-dependencies.sh build python  for the Python package
#   scripts/install-dependencies.sh build java    for mxinfer.jar, the one for Scala, and their tests
#   scripts/install-dependencies.sh build neon    to check that the kernels compile for AArch64
#   scripts/install-dependencies.sh build package to make packages, and to try them
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
    libcli11-dev libcurl4-openssl-dev)
}

want_test() {
  want_python
  # Who tests builds again and again. A first build is faster without, by headers that are compiled once.
  wanted+=(libgtest-dev ccache abigail-tools libarchive-dev openssl)
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

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]
}

[ $# -gt 0 ] || die "say what for: build, test, lint, bench, python, java, neon, package"
for purpose in "$@"; do
  case $purpose in
    build | test | lint | bench | python | java | neon | package) "want_$purpose" ;;
    *) die "'$purpose' is none of build, test, lint, bench, python, java, neon, package" ;;
  esac
done

if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
  say "this system has no apt-get. What Debian calls these packages is needed: ${wanted[*]}"
  say "going on; CMake says what it does not find"
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} = 0 ]; then
  say "all there (${#wanted[@]} packages)"
  exit 0
fi

as_root=()
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
