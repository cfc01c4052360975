#!/usr/bin/env bash
# A library that is not there must be a configure error that names its Debian package.
#
#   missing_dependency_test.sh SOURCE_DIR BINARY_DIR COMPILER
set -euo pipefail

source_dir=$1 work="$2/tests/missing_dependency" compiler=$3
rm -rf "$work"
mkdir -p "$work"

# A pkg-config that does not know the module in $MXINFER_TEST_HIDE.
cat > "$work/pkg-config" <<SCRIPT
#!/usr/bin/env bash
for word in "\$@"; do
  [ "\${word%% *}" = "\$MXINFER_TEST_HIDE" ] && exit 1
done
exec $(command -v pkg-config) "\$@"
SCRIPT
chmod +x "$work/pkg-config"

failures=0

# expect PACKAGE ARGUMENTS...: configuring with the arguments fails and names the package.
expect() {
  local package=$1
  shift
  rm -f "$work/build/CMakeCache.txt"  # what was found before must not count; the compiler's checks are kept
  if cmake -S "$source_dir" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
    -DMXINFER_BUILD_TESTS=ON -DMXINFER_BUILD_CLI=ON "$@" > "$work/log" 2>&1; then
    echo "FAILED: configuring succeeds without $package"
    failures=$((failures + 1))
  elif ! grep -q "apt-get install $package\$" "$work/log"; then
    echo "FAILED: the error does not name $package:"
    cat "$work/log"
    failures=$((failures + 1))
  elif ! grep -qE "[ (]$package([ )]|\$)" "$source_dir/scripts/install-dependencies.sh"; then
    echo "FAILED: scripts/install-dependencies.sh does not install $package"
    failures=$((failures + 1))
  else
    echo "ok: $package"
  fi
}

expect_without_module() {
  local package=$1
  export MXINFER_TEST_HIDE=$2
  expect "$package" -DPKG_CONFIG_EXECUTABLE="$work/pkg-config"
  unset MXINFER_TEST_HIDE
}

expect pkg-config -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
expect nlohmann-json3-dev -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
expect libtbb-dev -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON
expect libcli11-dev -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
expect libgtest-dev -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON
expect_without_module libarchive-dev libarchive
expect libbenchmark-dev -DMXINFER_BUILD_BENCH=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON
expect_without_module libsentencepiece-dev sentencepiece
modules=0
while read -r module package; do
  expect_without_module "$package" "$module"
  modules=$((modules + 1))
done < <(sed -nE 's/^mxinfer_pkg\([A-Z0-9]+ ([^ ]+) .* ([^ ]+)\)$/\1 \2/p' "$source_dir/cmake/Dependencies.cmake")
[ "$modules" -ge 5 ] || failures=$((failures + 1))
exit $((failures > 0))
