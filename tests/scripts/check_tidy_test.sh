#!/usr/bin/env bash
# Which sources scripts/check-tidy.sh checks: in a small repository, with programs in the place of CMake and clang-tidy that
# print what they are asked for.
#
#   check_tidy_test.sh SOURCE_DIR BINARY_DIR
set -euo pipefail

source_dir=$1 work="$2/tests/check_tidy"
rm -rf "$work"
mkdir -p "$work/bin" "$work/tree/scripts" "$work/tree/src/ops" "$work/tree/kernels/sort"

die() {
  echo "check_tidy_test: $*" >&2
  exit 1
}

# expect WHAT SOURCES...: that the check goes through these sources and no others.
expect() {
  local what=$1 checked
  shift
  : > "$work/checked"
  scripts/check-tidy.sh "${arguments[@]}" > "$work/log" 2>&1 || die "$what: the check fails: $(cat "$work/log")"
  checked=$(sed -E 's#^\^.*/tree/(.*)\[[.]\]cpp[$]$#\1.cpp#' "$work/checked" | sort | paste -sd ' ')
  [ "$checked" = "$*" ] || die "$what: '$checked' is checked, not '$*'; it says: $(cat "$work/log")"
}

commit() {
  git add . && git -c user.name=test -c user.email=test@example.org commit --quiet --message="$1"
}

printf '#!/bin/sh\nmkdir -p build/tidy\n' > "$work/bin/cmake"
# shellcheck disable=SC2016  # for that program
printf '#!/bin/sh\nfor word; do case $word in ^*) echo "$word" >> "%s";; esac; done\n' "$work/checked" > "$work/bin/run-clang-tidy"
chmod +x "$work/bin/cmake" "$work/bin/run-clang-tidy"
export PATH="$work/bin:$PATH"
unset MXINFER_TIDY_BASE MXINFER_TIDY_THIRD

cp "$source_dir/scripts/check-tidy.sh" "$source_dir/scripts/environment.sh" "$work/tree/scripts"
cd "$work/tree"
git init --quiet
echo /build/ > .gitignore
echo '// axes' > src/ops/axes.h
echo '#include "ops/axes.h"' > src/ops/indices.h
echo '#include "ops/indices.h"' > src/ops/take.cpp
echo '#include "ops/axes.h"' > src/ops/concat.cpp
echo '// alone' > src/ops/where.cpp
echo '// alone' > kernels/sort/sort.cpp
commit first
first=$(git rev-parse HEAD)
arguments=()
all=(kernels/sort/sort.cpp src/ops/concat.cpp src/ops/take.cpp src/ops/where.cpp)

expect "nothing is known to have passed" "${all[@]}"
expect "this commit has passed"
echo 'int more;' >> src/ops/where.cpp
echo 'int added;' > src/ops/new.cpp
expect "a file of the working tree, and a new one" src/ops/new.cpp src/ops/where.cpp
commit second
echo 'int more;' >> src/ops/axes.h
expect "a header, and a commit since the last check" src/ops/concat.cpp src/ops/new.cpp src/ops/take.cpp src/ops/where.cpp
MXINFER_TIDY_BASE=HEAD expect "a header alone" src/ops/concat.cpp src/ops/take.cpp
echo 'int more;' >> src/ops/where.cpp
for third in 0 1 2; do
  includers=("" src/ops/concat.cpp src/ops/take.cpp)
  MXINFER_TIDY_BASE=HEAD MXINFER_TIDY_THIRD=$third expect "the third $third of what includes a header" \
    ${includers[(third + 1) % 3]} src/ops/where.cpp
done
MXINFER_TIDY_BASE=HEAD MXINFER_TIDY_THIRD=2 MXINFER_TIDY_MOST=0 expect "a third of all, if too much differs" src/ops/where.cpp
git checkout --quiet src/ops/where.cpp
commit third
echo '// a comment' >> src/ops/axes.h
git mv src/ops/take.cpp src/ops/gather.cpp
echo '#include "ops/axes.h"' >> src/ops/where.cpp
MXINFER_TIDY_BASE=HEAD expect "comments, includes and names alone"
git reset --quiet --hard
git update-ref refs/remotes/origin/main HEAD~1
expect "a branch of main" src/ops/concat.cpp src/ops/take.cpp
MXINFER_TIDY_BASE=$first expect "a base that is named" src/ops/concat.cpp src/ops/new.cpp src/ops/take.cpp src/ops/where.cpp
echo 'Checks: -*' > .clang-tidy
expect "other settings" kernels/sort/sort.cpp src/ops/concat.cpp src/ops/new.cpp src/ops/take.cpp src/ops/where.cpp
MXINFER_TIDY_THIRD=0 expect "a third of all, with other settings" kernels/sort/sort.cpp src/ops/take.cpp
rm .clang-tidy
git update-ref -d refs/remotes/origin/main
for ((i = 0; i < 49; ++i)); do git -c user.name=test -c user.email=test@example.org commit --quiet --allow-empty --message=more; done
rm build/tidy/passed
expect "the last fifty commits" src/ops/concat.cpp src/ops/take.cpp
arguments=(--all)
expect "everything" kernels/sort/sort.cpp src/ops/concat.cpp src/ops/new.cpp src/ops/take.cpp src/ops/where.cpp
! MXINFER_TIDY_BASE=nowhere scripts/check-tidy.sh > "$work/log" 2>&1 || die "a base that does not exist is taken"
