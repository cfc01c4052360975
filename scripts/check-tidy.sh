#!/usr/bin/env bash
# Checks the sources with clang-tidy: those that differ from a base that has passed, and those that include a header that does.
# A file that was only moved, or whose comments or includes alone changed, does not count as different.
#
#   scripts/check-tidy.sh            what differs from the base
#   scripts/check-tidy.sh --all      everything
#
# The base is the commit that MXINFER_TIDY_BASE names; else where HEAD left origin/main; else, where that is HEAD itself, the
# commit for which this check last passed in this folder; else, in a fresh clone of main, the fiftieth before HEAD. A younger
# history has none of them: everything is checked.
#
# If .clang-tidy or cmake/CompilerSettings.cmake differs, all sources do.
#
# MXINFER_TIDY_THIRD=0, 1 or 2 checks every third of the sources that differ by what they include, or by the settings, alone. If
# more than MXINFER_TIDY_MOST (200) sources themselves differ, it checks every third of those too.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/environment.sh"

build=build/tidy
passed=$build/passed

say() { echo "check-tidy: $*"; }
die() {
  echo "check-tidy: $*" >&2
  exit 1
}

commit_of() { git rev-parse --verify --quiet "$1^{commit}"; }

find_base() {
  local head main
  head=$(commit_of HEAD) || return 0
  if [ -n "${MXINFER_TIDY_BASE:-}" ]; then
    commit_of "$MXINFER_TIDY_BASE" || die "MXINFER_TIDY_BASE=$MXINFER_TIDY_BASE is no commit of this repository"
    return
  fi
  main=$(git merge-base HEAD origin/main 2> /dev/null) || main=
  if [ -n "$main" ] && [ "$main" != "$head" ]; then
    echo "$main"
  elif [ -e "$passed" ] && git merge-base --is-ancestor "$(cat "$passed")" HEAD 2> /dev/null; then
    cat "$passed"
  else
    commit_of HEAD~50 || true
  fi
}

# What differs from the base, in commits or in the working tree, by more than comments, lines that include, and its name.
changed_since() {
  git diff -U0 --find-renames=40% -l0 --diff-filter=d --ignore-blank-lines --ignore-matching-lines='^ *//' \
    --ignore-matching-lines='^#include ' "$1" -- |
    awk '/^[+][+][+] b\// { path = substr($0, 7) } /^@@ / && path != "" { print path; path = "" }'
  git ls-files --others --exclude-standard
}

# with_includers: of the files on stdin and all that include one of them, directly or not, the sources.
with_includers() {
  local all new pattern
  all=$(grep -E '^(src|kernels|include)/' | sort -u || true)
  new=$all
  while new=$(grep -v '[.]cpp$' <<< "$new") && [ -n "$new" ]; do
    # Headers are included by their path from src/, include/ or the root.
    pattern=$(sed -E -e 's#^(src|include)/##' -e 's#[.]#[.]#g' <<< "$new" | paste -sd '|')
    new=$(git grep --untracked -lE "^#include [<\"]($pattern)[>\"]" -- src kernels include | sort -u |
      comm -23 - <(echo "$all") || true)
    all=$(printf '%s\n%s' "$all" "$new" | sed '/^$/d' | sort -u)
  done
  grep -E '^(src|kernels)/.*[.]cpp$' <<< "$all" || true
}

# a_third_of_includers CHANGED: of the sources on stdin those that are in the list CHANGED, and every third of the others. An
# empty list leaves every third.
a_third_of_includers() {
  awk -v third="$MXINFER_TIDY_THIRD" -v list="$1" '
    BEGIN { count = split(list, names, "\n"); for (i = 1; i <= count; ++i) changed[names[i]] = 1 }
    $0 in changed || other++ % 3 == third'
}

every_source() { git ls-files --cached --others --exclude-standard 'src/*.cpp' 'kernels/*.cpp'; }

base=
case ${1-} in
  "") base=$(find_base) ;;
  --all) ;;
  *) die "unknown argument '$1'; expected --all or nothing" ;;
esac

if [ -z "$base" ]; then
  sources=$(every_source)
  say "all $(wc -l <<< "$sources") sources"
else
  what="what differs from $(git rev-parse --short "$base"), or includes that"
  if changed_since "$base" | grep -qE '^([.]clang-tidy|cmake/CompilerSettings[.]cmake)$'; then
    what="the settings differ from $(git rev-parse --short "$base")"
    sources=$(every_source)
  else
    sources=$(changed_since "$base" | with_includers)
  fi
  if [ -n "${MXINFER_TIDY_THIRD:-}" ]; then
    changed=$(changed_since "$base" | grep -E '^(src|kernels)/.*[.]cpp$' || true)
    [ "$(grep -c . <<< "$changed")" -le "${MXINFER_TIDY_MOST:-200}" ] || changed=
    sources=$(a_third_of_includers "$changed" <<< "$sources")
  fi
  say "$(grep -c . <<< "$sources" || true) of $(every_source | wc -l) sources: $what"
fi

# A folder of its own: its commands compile each file alone.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DMXINFER_BUILD_TESTS=OFF -DMXINFER_UNITY=OFF -DMXINFER_PRECOMPILE_HEADERS=OFF > /dev/null
if [ -n "$sources" ]; then
  # Without the static analyser, which doubles the time; an editor that reads .clang-tidy runs it too.
  sed "s#^#^$repository/#; s#[.]cpp\$#[.]cpp\$#" <<< "$sources" |
    xargs -d '\n' run-clang-tidy -quiet -checks='-clang-analyzer-*' -p "$build"
fi
if [ -z "$(git status --porcelain)" ]; then
  git rev-parse HEAD > "$passed"
fi
