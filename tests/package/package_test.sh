#!/usr/bin/env bash
# Installs what was built into a fresh prefix and uses it from outside, as a user would.
#
#   package_test.sh install|find_package|pkg_config|documentation|command|symbols SOURCE_DIR BINARY_DIR COMPILER
set -euo pipefail

what=$1 source_dir=$2 binary_dir=$3 compiler=$4
work="$binary_dir/tests/package"
prefix="$work/prefix"
consumer="$source_dir/tests/package/consumer"
model="$source_dir/models/digits"

die() {
  echo "package_test: $*" >&2
  exit 1
}

# The folder of libmxinfer.so: lib, or lib/x86_64-linux-gnu.
library_dir() {
  dirname "$(find "$prefix" -name libmxinfer.so -print -quit)"
}

# g++ as a user types it: no language standard, no flags of ours.
compile() {
  local program=$1
  shift
  # shellcheck disable=SC2046  # the flags are words
  "$compiler" "$@" $(PKG_CONFIG_PATH="$(library_dir)/pkgconfig" pkg-config --cflags --libs mxinfer) -o "$program"
}

run() {
  echo "+ $*"
  LD_LIBRARY_PATH="$(library_dir)" "$@"
}

install_package() {
  rm -rf "$prefix"
  cmake --install "$binary_dir" --prefix "$prefix" > "$work/install.log"
  for file in bin/mxinfer include/mxinfer/mxinfer.h; do
    [ -e "$prefix/$file" ] || die "$file was not installed"
  done
  [ -n "$(find "$prefix" -name libmxinfer.a)" ] || die "libmxinfer.a was not installed"
}

use_find_package() {
  rm -rf "$work/consumer"
  cmake -S "$consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE=Release
  cmake --build "$work/consumer"
  "$work/consumer/consumer_shared" "$model"
  "$work/consumer/consumer_static" "$model"
}

use_pkg_config() {
  compile "$work/consumer_pkg_config" "$consumer/main.cpp"
  run "$work/consumer_pkg_config" "$model"
  compile "$work/consumer_cpp17" -std=c++17 -Wall -Wextra -Wpedantic -Werror "$consumer/main.cpp"
}

# Every complete program in README.md and docs/ compiles with g++ alone; that of README.md runs.
use_documentation() {
  rm -rf "$work/documentation"
  mkdir -p "$work/documentation"
  local document name count=0
  for document in "$source_dir/README.md" "$source_dir"/docs/*.md; do
    name=$(basename "$document" .md)
    awk -v stem="$work/documentation/$name" '
      /^```cpp/ { inside = 1; text = ""; next }
      /^```/ { if (inside && text ~ /int main\(/) print text > (stem "_" ++n ".cpp"); inside = 0; next }
      inside { text = text $0 "\n" }' "$document"
  done
  for program in "$work"/documentation/*.cpp; do
    echo "+ compile $(basename "$program")"
    compile "${program%.cpp}" "$program"
    count=$((count + 1))
  done
  [ -x "$work/documentation/README_1" ] || die "README.md holds no C++ program"
  (cd "$source_dir" && run "$work/documentation/README_1")
  echo "$count programs"
}

use_command() {
  [ "$(env -u LD_LIBRARY_PATH "$prefix/bin/mxinfer" --version)" = "mxinfer $(cat "$work/version.txt")" ] ||
    die "the command's version is not that of the build"
  env -u LD_LIBRARY_PATH "$prefix/bin/mxinfer" inspect "$model"
}

# Only names of mxinfer; nothing of the libraries inside.
check_symbols() {
  local names foreign
  names=$(nm --dynamic --defined-only --demangle "$(library_dir)/libmxinfer.so" | sed -E 's/^[0-9a-f]+ . //')
  [ -n "$names" ] || die "libmxinfer.so exports nothing"
  foreign=$(grep -vE '^(typeinfo for |typeinfo name for |vtable for )?mxinfer::' <<< "$names" || true)
  [ -z "$foreign" ] || die "libmxinfer.so exports names that are not mxinfer's:"$'\n'"$foreign"
  if grep -E '(nlohmann|hwy|tbb)::' <<< "$names"; then die "names of the libraries inside are exported"; fi
  if grep -E '^([a-z ]+ for )?mxinfer::(ops|graph|formats|passes|plan|exec|kernels)::' <<< "$names"; then
    die "names of the inside are exported"
  fi
  echo "$(wc -l <<< "$names") names"
}

mkdir -p "$work"
case $what in
  install) install_package ;;
  find_package) use_find_package ;;
  pkg_config) use_pkg_config ;;
  documentation) use_documentation ;;
  command) use_command ;;
  symbols) check_symbols ;;
  *) die "no test '$what'" ;;
esac
