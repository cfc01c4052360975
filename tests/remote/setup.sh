#!/usr/bin/env bash
# Makes what the tests of this folder run with, in BUILD_FOLDER/tests/remote: a Python environment (venv) and nginx
# (bin/nginx). Where both are there already it is done at once.
#
#   tests/remote/setup.sh BUILD_FOLDER PYTHON
#
# It ends with 77 if they cannot be had, as without a network, and says why.
#
# nginx is the one that is installed, if there is one. Else Debian's package is fetched and unpacked here, not installed: it
# would start a server on port 80 and at every boot, where all that is wanted is the program.
set -euo pipefail

build=$1 python=$2
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work="$build/tests/remote"
nginx="$work/bin/nginx"
name=remote what="AGAINST REAL SERVERS"
source "$here/../support/python_environment.sh"

has_nginx() {
  "$nginx" -v > /dev/null 2>&1
}

# Not as the user _apt, who may not write here.
download() {
  apt-get download -qq -o APT::Sandbox::User=root nginx
}

fetch_nginx() {
  command -v apt-get > /dev/null && command -v dpkg > /dev/null || skip "nginx is not installed"
  say "fetching nginx"
  rm -rf "$work/nginx"
  mkdir -p "$work/nginx"
  cd "$work/nginx"
  # As root, a list of packages that is missing or old is fetched again.
  download || { [ "$(id -u)" = 0 ] && apt-get update -qq && download; } ||
    skip "nginx is not installed, and apt-get could not fetch it"
  dpkg -x nginx_*.deb . || skip "nginx could not be unpacked"
  ln -sf "$work/nginx/usr/sbin/nginx" "$nginx"
}

find_nginx() {
  mkdir -p "$work/bin"
  rm -f "$nginx"
  local installed
  installed=$(PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v nginx || true)
  if [ -n "$installed" ]; then
    ln -s "$installed" "$nginx"
  else
    (fetch_nginx)
  fi
  has_nginx || skip "nginx is there and does not run: $("$nginx" -v 2>&1 | head -n 1)"
}

command -v openssl > /dev/null || skip "openssl is not installed, which makes the certificates of the tests"
mkdir -p "$work"
make_python_environment boto3,moto.server,numpy,pytest
has_nginx || find_nginx
say "$work is complete"
