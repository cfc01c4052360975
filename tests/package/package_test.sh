#!/usr/bin/env bash
# Installs what was built into a fresh prefix and uses it from outside, as a user would.
#
#   package_test.sh install|find_package|pkg_config|documentation|command|links|readme|readme_as_root|quickstart|soname|symbols|debs|tarball SOURCE_DIR BINARY_DIR COMPILER
set -euo pipefail

what=$1 source_dir=$2 binary_dir=$3 compiler=$4
work="$binary_dir/tests/package"
readme="$work/$what"  # of its own, for the tests run at the same time
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

# g++ as a user types it: no language standard, no flags of ours but for where the library is, which is in no usual folder.
compile() {
  local program=$1
  shift
  # shellcheck disable=SC2046  # the flags are words
  "$compiler" "$@" $(PKG_CONFIG_PATH="$(library_dir)/pkgconfig" pkg-config --cflags --libs mxinfer) \
    -Wl,-rpath,"$(library_dir)" -o "$program"
}

run() {
  echo "+ $*"
  "$@"
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
  if cmake -S "$consumer" -B "$work/consumer" -DCOMPONENT=cuda > "$work/component.log" 2>&1; then
    die "there is a component 'cuda'"
  fi
  grep -q "no component 'cuda'; its only one is 'static'" "$work/component.log" ||
    die "the message for a component that there is not:"$'\n'"$(cat "$work/component.log")"
}

use_pkg_config() {
  compile "$work/consumer_pkg_config" "$consumer/main.cpp"
  run "$work/consumer_pkg_config" "$model"
  compile "$work/consumer_cpp17" -std=c++17 -Wall -Wextra -Wpedantic -Werror "$consumer/main.cpp"
}

# A program in C, as its users compile it.
compile_c() {
  local program=$1
  shift
  # shellcheck disable=SC2046  # the flags are words
  cc -std=c11 -Wall -Wextra -Werror "$@" \
    $(PKG_CONFIG_PATH="$(library_dir)/pkgconfig" pkg-config --cflags --libs mxinfer_c mxinfer_predict) \
    -Wl,-rpath,"$(library_dir)" -o "$program"
}

# programs_of LANGUAGE: the complete programs in README.md and docs/, as files in $work/documentation.
programs_of() {
  local document name
  for document in "$source_dir/README.md" "$source_dir"/docs/*/*.md; do
    name=$(basename "$document" .md)
    awk -v stem="$work/documentation/$name" -v language="$1" '
      $0 == "```" language || index($0, "```" language " ") == 1 { inside = 1; text = ""; next }
      /^```/ { if (inside && text ~ /int main\(/) print text > (stem "_" ++n "." language); inside = 0; next }
      inside { text = text $0 "\n" }' "$document"
  done
}

# Every complete program in README.md and docs/ compiles with g++ or cc alone; those of README.md, of docs/how-to/c.md and of
# docs/how-to/cpp.md run.
use_documentation() {
  rm -rf "$work/documentation"
  mkdir -p "$work/documentation"
  local program count=0
  programs_of cpp
  programs_of c
  for program in "$work"/documentation/*.cpp; do
    echo "+ compile $(basename "$program")"
    compile "${program%.cpp}" "$program"
    count=$((count + 1))
  done
  for program in "$work"/documentation/*.c; do
    echo "+ compile $(basename "$program")"
    compile_c "${program%.c}_in_c" "$program"
    count=$((count + 1))
  done
  [ -x "$work/documentation/c-predict-api_1_in_c" ] || die "docs/how-to/c-predict-api.md holds no program"
  (cd "$source_dir" && run "$work/documentation/c-predict-api_1_in_c")
  for program in README_1 c_1_in_c; do
    [ -x "$work/documentation/$program" ] || die "no document holds the program $program"
    (cd "$source_dir" && run "$work/documentation/$program") | tee "$work/documentation/$program.out"
    grep -q '^seven [01]' "$work/documentation/$program.out" || die "$program does not see a seven"
  done
  (cd "$source_dir" && "$work/documentation/cpp_1") > "$work/documentation/cpp_1.out"
  awk '/^```text/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source_dir/docs/how-to/cpp.md" |
    diff - "$work/documentation/cpp_1.out" || die "docs/how-to/cpp.md shows another output than its program's"
  echo "$count programs"
}

# Every link of the documents that are installed leads to a file that is, too.
check_links() {
  local document target count=0
  while read -r document; do
    while read -r target; do
      [ -e "$(dirname "$document")/$target" ] || die "$document links to $target"
      count=$((count + 1))
    done < <(awk '/^```/ { code = !code; next } !code' "$document" | grep -oE '\]\([^)# ]+' | sed 's/^](//' | grep -v '://')
  done < <(find "$prefix" -name '*.md')
  [ "$count" -ge 20 ] || die "only $count links in the documents that are installed"
  echo "$count links"
}

# readme_block WORD: the lines of README.md's block of commands that holds the word.
readme_block() {
  awk -v word="$1" '
    /^    / { block = block substr($0, 5) "\n"; next }
    { if (index(block, word)) printf "%s", block; block = "" }' "$source_dir/README.md"
}

# A folder with what README.md's commands name, as they stand after the quick start: main.cpp, and the build folder.
make_readme_folder() {
  rm -rf "$readme"
  mkdir -p "$readme/build" "$readme/bin" "$readme/home"
  ln -s "$binary_dir" "$readme/build/release"
  ln -s "$source_dir/models" "$source_dir/examples" "$readme"
  ln -s "$(command -v "$compiler")" "$readme/bin/g++"
  awk '/^```cpp/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source_dir/README.md" > "$readme/main.cpp"
}

# run_readme WORD: the block as it is written, by a shell that stops at the first failure.
run_readme() {
  local block
  block=$(readme_block "$1")
  [ -n "$block" ] || die "README.md has no block with '$1'"
  echo "$block"
  (cd "$readme" && env -u LD_LIBRARY_PATH -u PKG_CONFIG_PATH HOME="$readme/home" PATH="$readme/bin:$PATH" \
    bash -euo pipefail -c "$block") | tee "$readme/log"
  grep -q '^seven ' "$readme/log" || die "README.md's program does not say what is in the image"
}

use_readme() {
  make_readme_folder
  run_readme '--prefix ~/mxinfer'
}

# README.md's installation into /usr/local, in a namespace of mounts whose /usr/local and /etc are copies.
use_readme_as_root() {
  make_readme_folder
  printf '#!/bin/sh\nexec "$@"\n' > "$readme/bin/sudo"
  chmod +x "$readme/bin/sudo"
  mkdir -p "$readme/local" "$readme/ldconfig"
  cp -a /etc "$readme/etc"
  if ! unshare --mount true 2> /dev/null; then
    echo "skipped: no namespace of mounts can be made here"
    exit 77
  fi
  export -f run_readme readme_block die
  export work readme source_dir
  unshare --mount bash -euo pipefail -c '
    mount --bind "$readme/local" /usr/local
    mount --bind "$readme/etc" /etc
    mount --bind "$readme/ldconfig" /var/cache/ldconfig
    run_readme "sudo ldconfig"'
}

# examples/quickstart.sh builds all that `cmake --install` then copies.
check_quickstart() {
  local targets made outputs installed file wanted=0
  targets=$(sed -nE 's/^cmake --build build\/release --target ([a-z_ ]+).*/\1/p' "$source_dir/examples/quickstart.sh")
  [ -n "$targets" ] || die "examples/quickstart.sh builds no target"
  # shellcheck disable=SC2086  # the targets are words
  made=$(ninja -C "$binary_dir" -t commands $targets)
  outputs=$(ninja -C "$binary_dir" -t targets all | cut -d: -f1)
  installed=$(find "$binary_dir" -name cmake_install.cmake -exec grep -hv ' OPTIONAL ' {} + | grep -oE "\"$binary_dir/[^\"]+\"" |
    sed -E "s|\"$binary_dir/(.*)\"|\1|" | sort -u)
  for file in $installed; do
    grep -qFx "$file" <<< "$outputs" || continue  # configuring has made it
    grep -qE "[ /]$file( |\$)" <<< "$made" || die "cmake --install wants $file, which the quick start does not build"
    echo "$file"
    wanted=$((wanted + 1))
  done
  [ "$wanted" -ge 3 ] || die "cmake --install copies only $wanted files that are built"
}

use_command() {
  [ "$(env -u LD_LIBRARY_PATH "$prefix/bin/mxinfer" --version | head -n 1)" = "mxinfer $(cat "$work/version.txt")" ] ||
    die "the command's version is not that of the build"
  env -u LD_LIBRARY_PATH "$prefix/bin/mxinfer" inspect "$model"
  for file in man/man1/mxinfer.1 bash-completion/completions/mxinfer zsh/site-functions/_mxinfer; do
    [ -s "$prefix/share/$file" ] || die "share/$file was not installed"
  done
}

# A version that may break programs has a name of its own: below 1.0 a minor one.
check_soname() {
  local version soname
  version=$(cat "$work/version.txt")
  case $version in
    0.*) version=${version%.*} ;;
    *) version=${version%%.*} ;;
  esac
  soname=$(readelf -d "$(library_dir)/libmxinfer.so" | sed -nE 's/.*\(SONAME\).*\[(.*)\]/\1/p')
  [ "$soname" = "libmxinfer.so.$version" ] || die "the library's name is $soname, not libmxinfer.so.$version"
}

# Only names of mxinfer; nothing of the libraries inside. And no static object with a destructor: one that a
# prediction reads would be gone where a destructor of the program's own static objects predicts.
check_symbols() {
  local names foreign
  names=$(nm --dynamic --defined-only --demangle "$(library_dir)/libmxinfer.so" | sed -E 's/^[0-9a-f]+ . //')
  [ -n "$names" ] || die "libmxinfer.so exports nothing"
  foreign=$(grep -vE '^(typeinfo for |typeinfo name for |vtable for )?mxinfer::' <<< "$names" || true)
  [ -z "$foreign" ] || die "libmxinfer.so exports names that are not mxinfer's:"$'\n'"$foreign"
  if grep -E '(nlohmann|hwy|tbb)::' <<< "$names"; then die "names of the libraries inside are exported"; fi
  if grep -E '^([a-z ]+ for )?mxinfer::((ops|graph|formats|passes|plan|exec|kernels)::|.*Impl::)' <<< "$names"; then
    die "names of the inside are exported"
  fi
  if nm --dynamic --undefined-only "$(library_dir)/libmxinfer.so" | grep -w __cxa_atexit; then
    die "libmxinfer.so has destructors run at exit; nm -A of its objects says where: make these objects with new"
  fi
  echo "$(wc -l <<< "$names") names"
  # The C interface: functions alone, each with its version.
  names=$(nm --dynamic --defined-only "$(library_dir)/libmxinfer_c.so" | sed -E 's/^[0-9a-f]+ //')
  foreign=$(grep -vE '^(T mxinfer_[a-z_0-9]+@@MXINFER_C_1|A MXINFER_C_1)$' <<< "$names" || true)
  [ -z "$foreign" ] || die "libmxinfer_c.so exports other names than functions of MXINFER_C_1:"$'\n'"$foreign"
  echo "$(wc -l <<< "$names") names of the C interface"
  names=$(nm --dynamic --defined-only "$(library_dir)/libmxinfer_predict.so" | sed -E 's/^[0-9a-f]+ //')
  foreign=$(grep -vE '^T MX(GetLastError|Pred[A-Z]|NDList|NDArray)' <<< "$names" || true)
  [ -z "$foreign" ] || die "libmxinfer_predict.so exports other names than MXNet's:"$'\n'"$foreign"
}

# The Debian packages: each has what it is for, lintian sees no error, and none has a path of this machine's loader.
make_debs() {
  local package content log="$work/lintian.log"
  for tool in dpkg-shlibdeps lintian; do
    command -v $tool > /dev/null || { echo "SKIPPED: $tool is missing"; exit 77; }
  done
  rm -rf "$work/debs"
  (cd "$binary_dir" && cpack -G DEB -B "$work/debs" > "$work/cpack.log") || die "cpack fails:"$'\n'"$(tail "$work/cpack.log")"
  has() { dpkg-deb --contents "$work"/debs/"$1"_*.deb | grep -- "$2" > /dev/null || die "$1 has no $2"; }
  has libmxinfer0.1 '/usr/lib/libmxinfer\.so\.0\.1$\|libmxinfer\.so\.0\.1 ->'
  has libmxinfer-c1 'libmxinfer_c\.so\.1 ->'
  has libmxinfer-predict1 'libmxinfer_predict\.so\.1 ->'
  for content in usr/lib/libmxinfer.a usr/include/mxinfer_c.h mxnet/c_predict_api.h mxinferConfig.cmake mxinfer_c.pc; do
    has libmxinfer-dev "$content"
  done
  has mxinfer usr/bin/mxinfer
  has mxinfer man1/mxinfer.1.gz
  [ ! -e "$binary_dir/libmxinfer_cuda.so" ] || has mxinfer-cuda usr/lib/libmxinfer_cuda.so
  dpkg-deb --field "$work"/debs/libmxinfer0.1_*.deb Depends | grep -q libtbb12 || die "libmxinfer0.1 does not depend on libtbb12"
  dpkg-deb --field "$work"/debs/libmxinfer-c1_*.deb Depends | grep -q 'libmxinfer0.1 (= ' || die "libmxinfer-c1 takes any libmxinfer"
  for package in "$work"/debs/*.deb; do
    rm -rf "$work/unpacked"
    dpkg-deb --extract "$package" "$work/unpacked"
    if find "$work/unpacked" -name '*.so.*' -type f -exec readelf -d {} + | grep -E 'RUNPATH|RPATH'; then die "$package has a RUNPATH"; fi
  done
  lintian --allow-root --fail-on error "$work"/debs/*.deb > "$log" 2>&1 || die "lintian:"$'\n'"$(cat "$log")"
  cat "$log"
}

# The tarball, unpacked in a folder with a space in its name: the command runs, and a program is compiled with it.
make_tarball() {
  rm -rf "$work/tarball" "$work/un packed"
  mkdir -p "$work/un packed"
  (cd "$binary_dir" && cpack -G TGZ -B "$work/tarball" > "$work/cpack_tgz.log") || die "cpack fails:"$'\n'"$(tail "$work/cpack_tgz.log")"
  tar -xzf "$work"/tarball/*.tar.gz -C "$work/un packed"
  local root
  root=$(echo "$work/un packed"/mxinfer-*)
  "$root/bin/mxinfer" classify "$model" "$source_dir/examples/images/seven.jpg" | grep -q seven || die "the command does not see a seven"
  cmake -S "$consumer" -B "$work/consumer_tarball" -DCMAKE_PREFIX_PATH="$root" -DCMAKE_CXX_COMPILER="$compiler" > /dev/null
  cmake --build "$work/consumer_tarball" > /dev/null
  "$work/consumer_tarball/consumer_shared" "$model"
}

mkdir -p "$work"
case $what in
  install) install_package ;;
  find_package) use_find_package ;;
  pkg_config) use_pkg_config ;;
  documentation) use_documentation ;;
  command) use_command ;;
  links) check_links ;;
  readme) use_readme ;;
  readme_as_root) use_readme_as_root ;;
  quickstart) check_quickstart ;;
  soname) check_soname ;;
  debs) make_debs ;;
  tarball) make_tarball ;;
  symbols) check_symbols ;;
  *) die "no test '$what'" ;;
esac
