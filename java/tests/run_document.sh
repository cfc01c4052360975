#!/usr/bin/env bash
# run_document.sh java|scala DOCUMENT FOLDER COMPILE RUN: the program of that language in the document prints what the
# document says behind it, in the block that begins with ```text.
set -euo pipefail
language=$1 document=$2 folder=$3 compile=$4 run=$5

rm -rf "$folder/$language"
mkdir -p "$folder/$language"
awk -v begin="\`\`\`$language" '$0 == begin { inside = 1; next } /^```/ { if (inside) exit } inside' "$document" \
  > "$folder/$language/Main.$language"
awk -v begin="\`\`\`$language" '$0 == begin { seen = 1 } seen && $0 == "```text" { inside = 1; next } /^```/ { if (inside) exit } inside' \
  "$document" > "$folder/$language/expected"
[ -s "$folder/$language/expected" ] || { echo "$document says not what its $language program prints"; exit 1; }
# shellcheck disable=SC2086  # words of a command
$compile -d "$folder/$language" "$folder/$language/Main.$language"
classes=${run##*-cp }
${run%% -cp *} -Djava.awt.headless=true -cp "$classes:$folder/$language" Main > "$folder/$language/printed"
diff "$folder/$language/expected" "$folder/$language/printed"
