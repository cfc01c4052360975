#!/usr/bin/env bash
# Checks that the kernels compile for AArch64 (NEON), with Debian's cross compiler and this system's Highway headers. It
# generates no code: the libraries that mxinfer links are not there for AArch64.
#
#   scripts/check-neon.sh            all kernels; needs g++-aarch64-linux-gnu
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/environment.sh"

compiler=aarch64-linux-gnu-g++
command -v "$compiler" > /dev/null || {
  echo "check-neon: no $compiler; Debian has it as g++-aarch64-linux-gnu" >&2
  exit 1
}
# This system's headers come last, so that only those of Highway are taken from here.
git ls-files -z 'kernels/*.cpp' |
  xargs -0 -P "$(nproc)" -n 1 "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wshadow -Werror \
    -Wno-psabi -I. -Isrc -Iinclude -idirafter /usr/include \
    '-DHWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)'
echo "check-neon: $(git ls-files 'kernels/*.cpp' | wc -l) files compile for AArch64"
