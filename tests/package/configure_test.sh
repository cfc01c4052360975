#!/usr/bin/env bash
# What configuring makes of the tree, without compiling anything.
#
#   configure_test.sh sanitizer|folder_names SOURCE_DIR BINARY_DIR COMPILER
set -euo pipefail

what=$1 source_dir=$2 compiler=$4
work="$3/tests/configure_$what"
rm -rf "$work"
mkdir -p "$work"

die() {
  echo "configure_test: $*" >&2
  exit 1
}

# configure SOURCE BUILD ARGUMENTS...
configure() {
  local source=$1 build=$2
  shift 2
  cmake -S "$source" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" \
    > "$work/log" 2>&1 || die "configuring fails:"$'\n'"$(cat "$work/log")"
}

# compiled BUILD: the command that compiles each file, "... -c FILE".
compiled() {
  grep '"command":' "$1/compile_commands.json"
}

# clang takes no header that was compiled with optimisation into a file without, and cold files have none here.
with_sanitizer() {
  configure "$source_dir" "$work/build" -DMXINFER_BUILD_TESTS=OFF -DMXINFER_BUILD_CLI=OFF -DMXINFER_BUILD_EXAMPLES=OFF \
    -DMXINFER_SANITIZE=address,undefined -DMXINFER_PRECOMPILE_HEADERS=ON
  ! compiled "$work/build" | grep -c cmake_pch > /dev/null || die "a sanitizer's build compiles headers beforehand"
}

# A checkout may be below folders of any name.
below_folder_names() {
  local tree="$work/src/cli/kernels/src/api/mxinfer"
  mkdir -p "$(dirname "$tree")"
  ln -s "$source_dir" "$tree"
  configure "$tree" "$work/build" -DMXINFER_BUILD_TESTS=OFF -DMXINFER_BUILD_CLI=OFF -DMXINFER_BUILD_EXAMPLES=OFF \
    -DMXINFER_SANITIZE=address,undefined
  compiled "$work/build" | grep -c -- " -c $tree/kernels/" > /dev/null || die "no kernel is compiled"
  compiled "$work/build" | grep -c -- " -c $tree/src/ops/" > /dev/null || die "no operator is compiled"
  ! compiled "$work/build" | grep -- " -c $tree/kernels/" | grep -c -- ' -O0' > /dev/null || die "kernels are compiled with -O0"
  ! compiled "$work/build" | grep -- " -c $tree/src/ops/" | grep -vc -- ' -O0' > /dev/null || die "operators are compiled with -O1"

  configure "$tree" "$work/build" -DMXINFER_SANITIZE= -DCMAKE_BUILD_TYPE=Release -DMXINFER_PRECOMPILE_HEADERS=ON
  ! compiled "$work/build" | grep -- " -c $tree/\(kernels\|src/ops\)/" | grep -c -- ' -O1' > /dev/null || die "what is warm has -O1"
  compiled "$work/build" | grep -- " -c $tree/src/ops/" | grep -c cmake_pch > /dev/null || die "operators read their headers one by one"
}

case $what in
  sanitizer) with_sanitizer ;;
  folder_names) below_folder_names ;;
  *) die "no test '$what'" ;;
esac
