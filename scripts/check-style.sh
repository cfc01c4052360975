#!/usr/bin/env bash
# Prints the added lines of a change that match a pattern of docs/design/style.md. Prints, and fails nothing.
#
#   scripts/check-style.sh            what differs from where this branch left main, or from the fiftieth commit before it
#   scripts/check-style.sh COMMIT     what differs from COMMIT
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/environment.sh"

base=${1:-$(git merge-base HEAD origin/main 2> /dev/null || true)}
if [ -z "$base" ] || [ "$(git rev-parse "$base")" = "$(git rev-parse HEAD)" ]; then
  base=$(git rev-parse --verify --quiet HEAD~50 || git rev-list --max-parents=0 HEAD | tail -n 1)
fi

patterns=$(sed -n '/^```patterns$/,/^```$/p' docs/design/style.md | sed '1d;$d')

# path:line: text, for each added line.
added_lines() {
  git diff -U0 --diff-filter=d "$base" -- '*.md' '*.h' '*.cpp' '*.cu' '*.py' '*.pyi' '*.java' '*.scala' '*.sh' '*.cmake' \
    ':!docs/design/style.md' |
    awk '/^[+][+][+] b\// { path = substr($0, 7); next }
         /^@@ / { split($3, start, /[+,]/); line = start[2]; next }
         /^[+]/ { print path ":" line++ ": " substr($0, 2) }'
}

found=$(added_lines | grep -E "$(paste -sd '|' <<< "$patterns")" || true)
if [ -n "$found" ]; then
  echo "$found"
  echo "check-style: $(wc -l <<< "$found") added lines match a pattern of docs/design/style.md; reword what a reader would stumble over"
else
  echo "check-style: no added line matches a pattern of docs/design/style.md"
fi
