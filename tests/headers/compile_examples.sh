#!/usr/bin/env bash
# What the comment at the top of each public header shows compiles, each example in a function of its own.
#
#   compile_examples.sh COMPILER INCLUDE_FOLDER OUTPUT.cpp
set -euo pipefail
shopt -s globstar
compiler=$1 include=$2 output=$3
folder=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

{
  printf '#include "%s/example_names.h"\n' "$folder"
  for header in "$include"/mxinfer/**/*.h; do
    name=$(basename "$header" .h)
    printf '\nvoid %s_example() {\n#line 1 "the example in %s.h"\n' "$name" "$name"
    # Indented lines of the comment in front of "#pragma once".
    awk '/^#pragma once/ { exit } /^\/\/   / && !/#include/ { sub(/^\/\/   /, "  "); print }' "$header"
    printf '}\n'
  done
} >"$output"
examples=$(grep -c '^#line' "$output")
"$compiler" -std=c++17 -fsyntax-only -w -I "$include" "$output"
echo "$examples examples compile"
