#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deb.sh [-b FOLDER] OUT - build the Debian packages from the tarball of `make dist`, and put them in OUT.
#
#   -b FOLDER  the build folder that makes the tarball; without it, ./build
#
# Needs dpkg-dev, debhelper and the build dependencies in packaging/debian/control.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=$top/build
while getopts b: option; do
    case $option in
    b) build=$OPTARG ;;
    *) sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || { echo "deb.sh: one folder for the packages is needed" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
room=$(mktemp -d "${TMPDIR:-/var/tmp}/eztsh-deb.XXXXXX")
trap 'rm -rf "$room"' EXIT
version=$(sed -n 's/^AC_INIT(\[eztsh\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
make -s -C "$build" dist
mv "$build/eztsh-$version.tar.gz" "$room/eztsh_$version.orig.tar.gz"
cd "$room"
tar xzf "eztsh_$version.orig.tar.gz"
cp -a "$top/packaging/debian" "eztsh-$version/debian"
cd "eztsh-$version"
dpkg-buildpackage -us -uc
cd ..
mv ./*.deb ./*.dsc ./*.tar.* ./*.changes ./*.buildinfo "$out"
