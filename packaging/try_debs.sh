#!/usr/bin/env bash
# Installs the Debian packages into a clean system and uses them, as root:
#
#   packaging/try_debs.sh FOLDER_OF_DEBS
#
# debootstrap makes the system in a temporary folder. What the packages need comes from Debian; then the command classifies,
# programs are compiled and run, and all is purged again. Prints what the packages and all that they brought in take.
set -euo pipefail
source_dir=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
debs=$(cd -- "${1:?say where the .deb files are}" && pwd)

die() {
  echo "try_debs: $*" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || die "debootstrap and chroot need root"
command -v debootstrap > /dev/null || die "debootstrap is missing: apt-get install debootstrap"
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
installed() { inside dpkg-query --show --showformat='${Package}\n' | sort; }
installed_size() { inside dpkg-query --show --showformat='${Installed-Size}\n' | awk '{ sum += $1 } END { print sum }'; }

debootstrap --variant=minbase bookworm "$root" > "$root.log" 2>&1 ||
  die "debootstrap failed: $(tail -n 3 "$root.log")"
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/debs"
cp "$debs"/*.deb "$root/debs"
cp -r "$source_dir/models" "$source_dir/examples" "$root"
installed > "$root/before"
before=$(installed_size)

echo "==> the command"
inside sh -c 'apt-get install -y -qq --no-install-recommends /debs/mxinfer_*.deb' > /dev/null
inside mxinfer classify /models/digits.mxz /examples/images/seven.jpg | grep -q seven || die "the command does not see a seven"
echo "mxinfer and what it needs take $((($(installed_size) - before) / 1024)) MB: $(installed | comm -13 "$root/before" - | tr '\n' ' ')"

echo "==> programs in C and C++"
inside sh -c 'apt-get install -y -qq --no-install-recommends /debs/lib*.deb g++ pkg-config libc6-dev' > /dev/null
programs() { awk -v start="\`\`\`$2" '$0 == start { inside = 1; next } /^```/ { if (inside) exit } inside' "$source_dir/$1"; }
programs README.md cpp > "$root/readme.cpp"
programs docs/how-to/c.md c > "$root/c.c"
programs docs/how-to/c-predict-api.md c > "$root/predict.c"
inside sh -c 'cd / && g++ readme.cpp $(pkg-config --cflags --libs mxinfer) -o readme && ./readme' | grep -q '^seven' || die "README's program"
inside sh -c 'cd / && gcc c.c $(pkg-config --cflags --libs mxinfer_c) -o c && ./c' | grep -q '^seven' || die "the program of docs/how-to/c.md"
inside sh -c 'cd / && gcc predict.c $(pkg-config --cflags --libs mxinfer_predict) -o predict && ./predict' | grep -q '^9 ' ||
  die "the program of docs/how-to/c-predict-api.md"

echo "==> purging"
inside apt-get purge -y -qq mxinfer 'libmxinfer*' > /dev/null
[ -z "$(inside find /usr /etc /var/lib -name '*mxinfer*' -not -path '/var/lib/dpkg/*' -not -path '/var/lib/apt/*')" ] ||
  die "purging leaves $(inside find /usr /etc /var/lib -name '*mxinfer*' -not -path '/var/lib/dpkg/*')"
echo "all is well"
