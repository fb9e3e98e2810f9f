#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sysroot.sh DIR - what tests/arm64/run.sh builds against, on Debian and its like: the libraries of
# another architecture in a folder, 50 MB to fetch, and with -k a kernel and a busybox to boot.
#
#   tests/arm64/sysroot.sh [-k] DIR; EZT_ARM64_SYSROOT=DIR/sysroot make check
#
# apt works on a state of its own in DIR: nothing changes on this system, nothing is installed.
set -e
kernel=
[ "$1" != -k ] || { kernel=yes; shift; }
mkdir -p "$1/lists/partial" "$1/cache/archives/partial" "$1/debs" "$1/sysroot"
dir=$(cd "$1" && pwd)
arch=arm64
: >"$dir/status"
cat >"$dir/apt.conf" <<CONF
APT::Architecture "$arch"; APT::Architectures { "$arch"; };
APT::Install-Recommends "false"; APT::Sandbox::User "root";
#clear APT::Update::Post-Invoke; #clear APT::Update::Post-Invoke-Success;
Acquire::http::Timeout "20"; Acquire::Retries "1";
Dir::State::Lists "$dir/lists"; Dir::State::status "$dir/status"; Dir::Cache "$dir/cache";
CONF
APT_CONFIG=$dir/apt.conf
export APT_CONFIG
apt-get -qq update
want=$(apt-get -s install libc6-dev binutils-dev libreadline-dev libncurses-dev libfxt-dev libgtg-dev check \
    zlib1g-dev libzstd-dev libdw-dev libjson-c-dev 2>/dev/null | awk '/^Inst/ { print $2 }')
[ -n "$want" ] || { echo "sysroot.sh: apt finds no packages for $arch" >&2; exit 1; }
if [ "$kernel" ]; then
    want="$want busybox-static $(apt-cache depends linux-image-cloud-$arch |
        awk '/Depends: linux-image/ { print $2 }' | head -n 1)"
fi
cd "$dir/debs"
# shellcheck disable=SC2086
apt-get -qq download $want
for deb in *.deb; do
    case $deb in
    linux-image*) dpkg-deb -x "$deb" ../kernel ;;
    *) dpkg-deb -x "$deb" ../sysroot ;;
    esac
done
cd ../sysroot
[ -e lib ] || ln -s usr/lib lib
find . -type l -lname '/*' | while read -r link; do # absolute links would lead out of DIR
    to=$(readlink "$link")
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$PWD$to")" "$link"
done
