#!/usr/bin/env bash
# Runs a test program on an emulated CPU that has AVX-512 and AMX, for machines whose own has not. Slow: seconds become
# minutes.
#
#   scripts/emulate-avx512.sh build/release/tests/mxinfer_kernels_tests --gtest_filter='ConvBf16*'
#   scripts/emulate-avx512.sh --emulator qemu PROGRAM [ARGUMENT...]     QEMU, without AVX-512: tries the CD, in seconds
#   scripts/emulate-avx512.sh --timeout 600 PROGRAM [ARGUMENT...]       gives up after ten minutes; otherwise never
#
# The emulator is Bochs 3.0, which is built here, once, with two changes (apply_changes). Its sources come from Debian, or
# from a file that BOCHS_TARBALL names. It boots a CD with Debian's kernel and an initramfs of the program, its libraries,
# models/, tests/golden and examples/images, and the command if it was built, at the paths they were built from. The program
# sees the variables MXINFER_* and GTEST_* of the caller. What it prints goes to standard output, all else to standard error
# and to build/emulate; the exit status is the program's, or 125 where it has not run to its end.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/environment.sh"

work=$repository/build/emulate
packages=$work/packages  # Debian packages, unpacked
bochs=$work/bochs
debian_with_bochs_3=trixie  # the first Debian that has it
megabytes=2048  # as much as Bochs can give

say() { echo "emulate: $*" >&2; }
die() {
  say "$*"
  exit 125
}
usage() {
  say "usage: scripts/emulate-avx512.sh [--emulator bochs|qemu] [--timeout SECONDS] PROGRAM [ARGUMENT...]"
  exit 2
}

# need COMMAND PACKAGE: the command must be there, which this Debian package holds.
need() {
  command -v "$1" > /dev/null || die "there is no command '$1'; install it with: apt-get install $2"
}

# fetch PACKAGE: downloads a Debian package of this system's version and unpacks it; nothing is installed.
fetch() {
  [ -e "$packages/$1" ] && return
  say "fetching Debian's package $1"
  local here=$work/download/$1
  rm -rf "$here"
  mkdir -p "$here" "$packages"
  (cd "$here" && apt-get download "$1") > "$work/apt.log" 2>&1 ||
    die "Debian's package $1 could not be fetched ('apt-get update' may be missing):"$'\n'"$(cat "$work/apt.log")"
  dpkg-deb --extract "$here"/*.deb "$here/root"
  mv "$here/root" "$packages/$1"
}

# The name of the kernel package that linux-image-cloud-amd64 stands for now.
kernel_package() {
  local name
  name=$(apt-cache depends linux-image-cloud-amd64 2> /dev/null | sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | head -n 1)
  [ -n "$name" ] || die "apt knows no package linux-image-cloud-amd64: run 'apt-get update' on a Debian of amd64"
  echo "$name"
}

# --- Bochs

# Its sources from the archive that this system's packages come from, with lists of packages of their own.
fetch_bochs_sources() {
  local archive apt=$work/apt
  archive=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' 'Identifier: Packages' |
    sed -n 's/ Debian Debian$//p' | head -n 1)
  [ -n "$archive" ] || die "this system's packages do not come from Debian; set BOCHS_TARBALL to the sources of Bochs 3.0"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$work/download"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $debian_with_bochs_3 main" > "$apt/sources.list"
  local options=(-o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache")
  say "fetching Debian's sources of Bochs"
  rm -f "$work"/download/bochs_*
  (cd "$work/download" && apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only --tar-only bochs) \
    > "$work/apt.log" 2>&1 ||
    die "the sources of Bochs could not be fetched; set BOCHS_TARBALL to the sources of Bochs 3.0 (.tar.gz or .tar.xz):"$'\n'"$(cat "$work/apt.log")"
  BOCHS_TARBALL=$(echo "$work"/download/bochs_*.orig.tar.*)
}

# Bochs 3.0 and AMX under Linux:
# - A trace that was decoded while AMX was allowed lies beside the place where handleSMC looks for traces of a line that was
#   written to, and may be after the last line that it looks at: code that was replaced is run on. So it looks at all.
# - It has no XFD, without which Linux leaves the tiles alone. So CPUID hides the tiles' state from Linux, the instructions
#   are always allowed, and XGETBV tells the program that they are. Linux does not save the tiles when it switches threads:
#   one thread of the program may use them. What Linux would answer when asked for them says tiles_allowed.
# - The signed bytes of its products of 8-bit integers are unsigned.
apply_changes() {
  if ! patch --batch --strip=1 --directory="$1" > "$work/patch.log" 2>&1 << 'PATCH'
--- a/cpu/avx/amx.cc
+++ b/cpu/avx/amx.cc
@@ -279,8 +279,8 @@
 
 BX_CPP_INLINE Bit32u DPBDSS(Bit32u x, Bit32u y)
 {
-  const Bit8u xbyte[4] = { Bit8u(x & 0xff), Bit8u((x >> 8) & 0xff), Bit8u((x >> 16) & 0xff), Bit8u(x >> 24) };
-  const Bit8u ybyte[4] = { Bit8u(y & 0xff), Bit8u((y >> 8) & 0xff), Bit8u((y >> 16) & 0xff), Bit8u(y >> 24) };
+  const Bit8s xbyte[4] = { Bit8s(x & 0xff), Bit8s((x >> 8) & 0xff), Bit8s((x >> 16) & 0xff), Bit8s(x >> 24) };
+  const Bit8s ybyte[4] = { Bit8s(y & 0xff), Bit8s((y >> 8) & 0xff), Bit8s((y >> 16) & 0xff), Bit8s(y >> 24) };
 
   Bit32s p0dword = Bit32s(xbyte[0]) * Bit32s(ybyte[0]);
   Bit32s p1dword = Bit32s(xbyte[1]) * Bit32s(ybyte[1]);
@@ -292,7 +292,7 @@
 
 BX_CPP_INLINE Bit32u DPBDSU(Bit32u x, Bit32u y)
 {
-  const Bit8u xbyte[4] = { Bit8u(x & 0xff), Bit8u((x >> 8) & 0xff), Bit8u((x >> 16) & 0xff), Bit8u(x >> 24) };
+  const Bit8s xbyte[4] = { Bit8s(x & 0xff), Bit8s((x >> 8) & 0xff), Bit8s((x >> 16) & 0xff), Bit8s(x >> 24) };
   const Bit8u ybyte[4] = { Bit8u(y & 0xff), Bit8u((y >> 8) & 0xff), Bit8u((y >> 16) & 0xff), Bit8u(y >> 24) };
 
   Bit32s p0dword = Bit32s(xbyte[0]) * Bit32u(ybyte[0]);
@@ -306,7 +306,7 @@
 BX_CPP_INLINE Bit32u DPBDUS(Bit32u x, Bit32u y)
 {
   const Bit8u xbyte[4] = { Bit8u(x & 0xff), Bit8u((x >> 8) & 0xff), Bit8u((x >> 16) & 0xff), Bit8u(x >> 24) };
-  const Bit8u ybyte[4] = { Bit8u(y & 0xff), Bit8u((y >> 8) & 0xff), Bit8u((y >> 16) & 0xff), Bit8u(y >> 24) };
+  const Bit8s ybyte[4] = { Bit8s(y & 0xff), Bit8s((y >> 8) & 0xff), Bit8s((y >> 16) & 0xff), Bit8s(y >> 24) };
 
   Bit32s p0dword = Bit32u(xbyte[0]) * Bit32s(ybyte[0]);
   Bit32s p1dword = Bit32u(xbyte[1]) * Bit32s(ybyte[1]);
--- a/cpu/icache.h
+++ b/cpu/icache.h
@@ -251,8 +251,6 @@

   // go over 32 "cache lines" of 128 byte each
   for (unsigned n=0; n < 32; n++) {
-    Bit32u line_mask = (1 << n);
-    if (line_mask > mask) break;
     for (unsigned index=0; index < 128; index++, e++) {
       if (pAddrIndex == bxPageWriteStampTable::hash(e->pAddr) && (e->traceMask & mask) != 0) {
         flushSMC(e);
--- a/cpu/cpuid.cc
+++ b/cpu/cpuid.cc
@@ -216,9 +216,9 @@
     // EBX - Maximum size (in bytes) required by enabled features
     // ECX - Maximum size (in bytes) required by CPU supported features
     // EDX - valid bits of XCR0 (upper part)
-    leaf->eax = cpu->xcr0_suppmask;
+    leaf->eax = cpu->xcr0_suppmask & ~BX_XCR0_XTILE_BITS_MASK;
     leaf->ebx = xsave_max_size_required_by_features(cpu->xcr0.get32());
-    leaf->ecx = xsave_max_size_required_by_features(cpu->xcr0_suppmask);
+    leaf->ecx = xsave_max_size_required_by_features(cpu->xcr0_suppmask & ~BX_XCR0_XTILE_BITS_MASK);
     leaf->edx = 0; // xcr0 is still 32-bit
     return;
   }
@@ -252,7 +252,7 @@
   }

   if (subfunction < xcr0_t::BX_XCR0_LAST) {
-    Bit32u support_mask = cpu->xcr0_suppmask | cpu->ia32_xss_suppmask;
+    Bit32u support_mask = (cpu->xcr0_suppmask & ~BX_XCR0_XTILE_BITS_MASK) | cpu->ia32_xss_suppmask;
     if (support_mask & (1 << subfunction)) {
       leaf->eax = xsave_restore[subfunction].len;
       leaf->ebx = xsave_restore[subfunction].offset;
--- a/cpu/proc_ctrl.cc
+++ b/cpu/proc_ctrl.cc
@@ -537,8 +537,7 @@
   }

 #if BX_SUPPORT_AMX
-  if (! long64_mode() || ! BX_CPU_THIS_PTR cr4.get_OSXSAVE() ||
-      (~BX_CPU_THIS_PTR xcr0.val32 & (BX_XCR0_XTILECFG_MASK | BX_XCR0_XTILEDATA_MASK)) != 0)
+  if (! long64_mode() || ! BX_CPU_THIS_PTR cr4.get_OSXSAVE())
     clear_amx_ok();
   else
     set_amx_ok();
--- a/cpu/xsave.cc
+++ b/cpu/xsave.cc
@@ -1265,7 +1265,7 @@
   }
   else {
     RDX = 0;
-    RAX = BX_CPU_THIS_PTR xcr0.get32();
+    RAX = BX_CPU_THIS_PTR xcr0.get32() | BX_XCR0_XTILE_BITS_MASK;
   }
 #endif

PATCH
  then
    die "the changes do not fit these sources of Bochs; they were made for 3.0:"$'\n'"$(cat "$work/patch.log")"
  fi
}

build_bochs() {
  [ -x "$bochs/bochs" ] && return
  need patch patch
  need make make
  need g++ g++
  [ -n "${BOCHS_TARBALL:-}" ] || fetch_bochs_sources
  [ -e "$BOCHS_TARBALL" ] || die "BOCHS_TARBALL names '$BOCHS_TARBALL', which is not there"
  local sources=$work/bochs-sources
  rm -rf "$sources"
  mkdir -p "$sources"
  tar --extract --file="$BOCHS_TARBALL" --strip-components=1 --directory="$sources" ||
    die "'$BOCHS_TARBALL' could not be unpacked; it is to hold the sources of Bochs 3.0"
  apply_changes "$sources"
  say "building Bochs, some minutes; the log is $work/bochs.log"
  (cd "$sources" && ./configure --enable-x86-64 --enable-avx --enable-evex --enable-amx --enable-repeat-speedups \
    --enable-handlers-chaining --disable-docbook --disable-plugins --with-nogui && make -j "$(nproc)" bochs) \
    > "$work/bochs.log" 2>&1 || die "Bochs could not be built:"$'\n'"$(tail -n 20 "$work/bochs.log")"
  mkdir -p "$bochs"
  cp "$sources/bochs" "$bochs"
}

# --- The CD

# The source tree that the program was built from, which its tests look into.
source_tree() {
  local folder
  folder=$(dirname "$1")
  while [ "$folder" != / ]; do
    if [ -e "$folder/CMakeCache.txt" ]; then
      sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt"
      return
    fi
    folder=$(dirname "$folder")
  done
  echo "$repository"
}

# Linux, asked whether a program may use tiles, would say no.
make_tiles_allowed() {
  cat > "$work/tiles_allowed.c" << 'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>

long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_arch_prctl && a[0] == 0x1023) return 0;  /* ARCH_REQ_XCOMP_PERM */
  long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
C
  gcc -O1 -shared -fPIC -o "$1" "$work/tiles_allowed.c"
}

# The first process: starts the program where and as it was called here, and says how it ended. It stays, so that the serial
# port gets all of that out; the emulator is then ended from outside.
write_init() {
  local variable
  echo '#!/bin/sh'
  echo 'mount -t devtmpfs none /dev; mount -t proc none /proc; mount -t sysfs none /sys'
  for variable in $(compgen -e MXINFER_ || true) $(compgen -e GTEST_ || true); do
    [ "$variable" = MXINFER_SHARED_DIR ] || printf 'export %s=%q\n' "$variable" "${!variable}"
  done
  echo 'export TERM=dumb'
  printf 'cd %q\n' "$1"
  shift
  [ "$emulator" = qemu ] || echo 'export LD_PRELOAD=/tiles_allowed.so'
  printf '%q ' "$@"
  printf '\nstatus=$?\nunset LD_PRELOAD\necho "emulate: exit status $status"\nwhile :; do sleep 1000; done\n'
}

# add_program PROGRAM: it, without what debuggers need, its libraries, and the loader.
add_program() {
  local library
  cp --parents "$1" "$root"
  strip --strip-debug "$root$1"
  ldd "$1" | grep -oE '/[^ ]+' | sort -u | while read -r library; do cp --dereference --parents "$library" "$root"; done
}

# make_initramfs PROGRAM ARGUMENT...
make_initramfs() {
  local program=$1 root=$work/root tree path
  tree=$(source_tree "$program")
  rm -rf "$root"
  mkdir -p "$root"/{bin,dev,proc,sys,tmp} "$root$tree/tests"
  cp "$packages/busybox-static/bin/busybox" "$root/bin"
  for path in sh mount sleep; do ln -s busybox "$root/bin/$path"; done
  mkdir -p "$root$tree/examples"
  for path in models tests/golden examples/images; do cp -R "$tree/$path" "$root$tree/$path"; done
  add_program "$program"
  # What tests of the command start.
  for path in "$tree"/build/*/bin/mxinfer; do
    [[ $program != "${path%/bin/mxinfer}"/* ]] || add_program "$path"
  done
  make_tiles_allowed "$root/tiles_allowed.so"
  write_init "$tree" "$@" > "$root/init"
  chmod +x "$root/init"
  (cd "$root" && find . | cpio --quiet --create --format=newc --owner=+0:+0) | gzip -1 > "$work/cd/initrd.gz"
}

# make_cd PROGRAM ARGUMENT...
# acpi=off no5lvl: Linux switches ACPI on by way of system management mode, and Bochs 3.0 panics as it leaves that, over CR4.
# clearcpuid=580: FSRM, which Bochs has without ERMS; the memmove of Linux 6.1 then runs past the end of short copies.
make_cd() {
  local kernel
  kernel=$(kernel_package)
  for package in "$kernel" busybox-static isolinux syslinux-common; do fetch "$package"; done
  rm -rf "$work/cd"
  mkdir -p "$work/cd/isolinux"
  cp "$packages/$kernel"/boot/vmlinuz-* "$work/cd/vmlinuz"
  cp "$packages/isolinux/usr/lib/ISOLINUX/isolinux.bin" \
    "$packages/syslinux-common/usr/lib/syslinux/modules/bios/ldlinux.c32" "$work/cd/isolinux"
  make_initramfs "$@"
  cat > "$work/cd/isolinux/isolinux.cfg" << 'CONFIG'
DEFAULT test
PROMPT 0
LABEL test
  KERNEL /vmlinuz
  INITRD /initrd.gz
  APPEND console=ttyS0,115200 loglevel=1 panic=-1 mitigations=off clearcpuid=580 acpi=off no5lvl
CONFIG
  xorriso -as mkisofs -quiet -R -o "$work/test.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot \
    -boot-load-size 4 -boot-info-table "$work/cd" 2> "$work/xorriso.log" ||
    die "the CD could not be made:"$'\n'"$(cat "$work/xorriso.log")"
}

# --- The run

write_bochs_settings() {
  cat << SETTINGS
cpu: model=sapphire_rapids, count=1, ips=100000000, reset_on_triple_fault=0
memory: guest=$megabytes, host=$megabytes
romimage: file=$packages/bochsbios/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=$packages/vgabios/usr/share/vgabios/vgabios.bin
ata0-master: type=cdrom, path=$work/test.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial.log
clock: sync=none, time0=local
display_library: nogui
log: $work/emulator.log
panic: action=fatal
error: action=ignore
info: action=ignore
SETTINGS
}

start_bochs() {
  write_bochs_settings > "$work/bochsrc"
  # Its timer's signal interrupts writes to the serial port's file.
  exec env --block-signal=ALRM BXSHARE="$packages/bochsbios/usr/share/bochs" "$bochs/bochs" -q -f "$work/bochsrc"
}

start_qemu() {
  exec qemu-system-x86_64 -accel tcg -cpu max -m "$megabytes" -cdrom "$work/test.iso" -boot d -display none \
    -monitor none -no-reboot -serial "file:$work/serial.log"
}

has_ended() { grep -qE '^emulate: exit status|Kernel panic' "$work/serial.log"; }

# Prints the serial port until the program has ended, or the emulator.
run_emulator() {
  local begin=$SECONDS tail_id
  : > "$work/serial.log"
  "start_$emulator" > "$work/emulator.out" 2>&1 < /dev/null &
  emulator_id=$!
  trap 'kill "$emulator_id" 2> /dev/null || true' EXIT
  tail --lines=+1 --follow --sleep-interval=0.2 --pid="$emulator_id" "$work/serial.log" 2> /dev/null |
    sed -u -e 's/\r$//' -e '/^emulate: exit status/Q' &
  tail_id=$!
  while kill -0 "$emulator_id" 2> /dev/null && ! has_ended; do
    if [ "$timeout" -gt 0 ] && [ $((SECONDS - begin)) -ge "$timeout" ]; then
      die "the program has not ended after $timeout s"
    fi
    sleep 0.5
  done
  sleep 1  # for what is still to be printed
  kill "$emulator_id" 2> /dev/null || true
  wait "$tail_id" || true
  say "$emulator ran for $((SECONDS - begin)) s"
}

emulator=bochs
timeout=0
while [ $# -gt 0 ]; do
  case $1 in
    --emulator) emulator=${2:-} && shift 2 || usage ;;
    --timeout) timeout=${2:-} && shift 2 || usage ;;
    --*) usage ;;
    *) break ;;
  esac
done
case $emulator in bochs | qemu) ;; *) usage ;; esac
[[ $timeout =~ ^[0-9]+$ ]] || usage
[ $# -gt 0 ] || usage
[ -x "$1" ] || die "there is no program '$1'; build it first"
program=$(realpath "$1")
shift

need apt-get apt
need dpkg-deb dpkg
need cpio cpio
need xorriso xorriso
need gcc gcc
mkdir -p "$work"
if [ "$emulator" = bochs ]; then
  for package in bochsbios vgabios; do fetch "$package"; done
  build_bochs
else
  need qemu-system-x86_64 qemu-system-x86
fi
make_cd "$program" "$@"
run_emulator
status=$(sed -n 's/\r$//; s/^emulate: exit status \([0-9]*\)$/\1/p' "$work/serial.log")
[ -n "$status" ] || die "the program did not run to its end: see $work/serial.log, emulator.log and emulator.out there"
exit "$status"
