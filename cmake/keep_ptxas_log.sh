#!/bin/sh
# Runs a compiler of CUDA with -Xptxas -v, and keeps what ptxas says of each kernel in OUTPUT.ptxas instead of printing it.
#
#   keep_ptxas_log.sh COMPILER ARGUMENTS... -o OUTPUT ARGUMENTS...
output=
previous=
for argument; do
  [ "$previous" != -o ] || output=$argument
  previous=$argument
done
[ -n "$output" ] || exec "$@" -Xptxas -v

messages=$output.messages
status=0
"$@" -Xptxas -v 2> "$messages" || status=$?
of_ptxas='^ptxas info|^    [0-9]+ bytes stack frame'
grep -E "$of_ptxas" "$messages" > "$output.ptxas"
grep -vE "$of_ptxas" "$messages" >&2
rm -f "$messages"
exit "$status"
