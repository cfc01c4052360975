#!/usr/bin/env bash
# What configuring makes of the tree, without compiling anything.
#
#   configure_test.sh subproject|sanitizer|folder_names|unity SOURCE_DIR BINARY_DIR COMPILER
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

# The commands that make the targets of a build folder.
commands_of() {
  ninja -C "$1" -t commands "${@:2}"
}

# As a part of another project mxinfer changes no setting of it, builds what is linked, and installs nothing.
as_subproject() {
  local build="$work/build" consumer="$source_dir/tests/package/subproject"
  configure "$consumer" "$build" -DMXINFER_TREE="$source_dir" -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
  grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=$' "$build/CMakeCache.txt" || die "the build type of the project was set"
  tr -s ' \n' ' ' < "$work/log" | grep -c 'compiled without optimisation' > /dev/null || die "nothing says that an empty build type makes mxinfer slow"
  # `grep -c` reads all of its input: `grep -q` would end ninja by SIGPIPE.
  ! commands_of "$build" all | grep -cE '\.o |libmxinfer' > /dev/null || die "all of the project builds mxinfer, which nothing there links"
  commands_of "$build" app_shared | grep -c 'libmxinfer\.so' > /dev/null || die "app_shared does not link libmxinfer.so"
  ! commands_of "$build" app_shared | grep -c 'libmxinfer\.a' > /dev/null || die "app_shared builds libmxinfer.a"
  commands_of "$build" app_static | grep -c 'libmxinfer\.a' > /dev/null || die "app_static does not link libmxinfer.a"
  commands_of "$build" app_static | grep -c 'app_static .*libmxinfer\.a .*libtbb' > /dev/null || die "app_static lacks oneTBB"
  ! commands_of "$build" app_static | grep -c 'libmxinfer\.so' > /dev/null || die "app_static builds libmxinfer.so"

  cmake --install "$build" --prefix "$work/prefix" > "$work/log"
  [ -e "$work/prefix/share/subproject" ] || die "the project itself was not installed"
  [ -z "$(find "$work/prefix" -name '*mxinfer*')" ] || die "mxinfer is installed with the project"

  configure "$consumer" "$build" -DMXINFER_TREE="$source_dir" -DMXINFER_INSTALL=ON -DCMAKE_BUILD_TYPE=Release
  for library in libmxinfer.so libmxinfer.a; do
    commands_of "$build" all | grep -c "$library" > /dev/null || die "with MXINFER_INSTALL nothing builds $library"
  done
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
    -DMXINFER_SANITIZE=address,undefined -DMXINFER_UNITY=OFF
  compiled "$work/build" | grep -c -- " -c $tree/kernels/" > /dev/null || die "no kernel is compiled"
  compiled "$work/build" | grep -c -- " -c $tree/src/ops/" > /dev/null || die "no operator is compiled"
  ! compiled "$work/build" | grep -- " -c $tree/kernels/" | grep -c -- ' -O0' > /dev/null || die "kernels are compiled with -O0"
  ! compiled "$work/build" | grep -- " -c $tree/src/ops/" | grep -vc -- ' -O0' > /dev/null || die "operators are compiled with -O1"

  configure "$tree" "$work/build" -DMXINFER_SANITIZE= -DCMAKE_BUILD_TYPE=Release -DMXINFER_PRECOMPILE_HEADERS=ON
  ! compiled "$work/build" | grep -- " -c $tree/\(kernels\|src/ops\)/" | grep -c -- ' -O1' > /dev/null || die "what is warm has -O1"
  compiled "$work/build" | grep -- " -c $tree/src/ops/" | grep -c cmake_pch > /dev/null || die "operators read their headers one by one"
}

# Who only builds compiles the files of a folder together, but for kernels; who tests, one by one.
with_unity() {
  configure "$source_dir" "$work/build" -DMXINFER_BUILD_TESTS=OFF -DMXINFER_BUILD_CLI=OFF -DMXINFER_BUILD_EXAMPLES=OFF \
    -DCMAKE_BUILD_TYPE=Release
  # But for the one that every commit compiles again.
  ! compiled "$work/build" | grep -- " -c $source_dir/src/" | grep -vc '/version[.]cpp' > /dev/null || die "a file of src/ is compiled alone"
  compiled "$work/build" | grep -c -- " -c $source_dir/kernels/" > /dev/null || die "kernels are compiled together"
  ! compiled "$work/build" | grep unity_src_ops | grep -c -- ' -O1' > /dev/null || die "operators have -O1"
  ! compiled "$work/build" | grep unity_src_api | grep -vc -- ' -O1' > /dev/null || die "what is cold has -O3"
  local file
  for file in "$source_dir"/src/{ops,plan,passes}/*/*.cpp "$source_dir"/src/{formats,load}/*.cpp; do
    grep -rqF "\"$file\"" "$work/build" --include='unity_*' || die "$file is in no unit"
  done

  configure "$source_dir" "$work/tests" -DCMAKE_BUILD_TYPE=Release
  ! compiled "$work/tests" | grep -c unity_ > /dev/null || die "who tests compiles files together"

  configure "$source_dir" "$work/tests" -DMXINFER_UNITY=ON
  while read -r file; do
    grep -rqF "\"$file\"" "$work/tests/tests" --include='unity_tests_*' || die "$file is in no unit"
  done < <(find "$source_dir"/tests/{api,base,c_api,cli,cuda,kernels,ops} -name '*_test.cpp')
  for file in "$work"/tests/tests/CMakeFiles/*.dir/Unity/unity_tests_*; do
    [ "$(grep -c '^#include' "$file")" -le 8 ] || die "$file has more than eight files"
  done
}

case $what in
  subproject) as_subproject ;;
  sanitizer) with_sanitizer ;;
  folder_names) below_folder_names ;;
  unity) with_unity ;;
  *) die "no test '$what'" ;;
esac
