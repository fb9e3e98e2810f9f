#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.sh DIR - fetches the programs of programs.sh into DIR: Debian's source packages, by apt, whose lists and
# settings of the system stay as they are. Status 1: not to be had.
set -eu
mkdir -p "$1"
cd "$1"
command -v apt-get >/dev/null && command -v tar >/dev/null || exit 1
mkdir -p apt/lists/partial apt/parts
for f in /etc/apt/sources.list.d/*.sources; do
    [ -e "$f" ] && grep -q debian "$f" && sed 's/^Types:.*/Types: deb-src/' "$f" >>apt/parts/source.sources
done
if [ -e /etc/apt/sources.list ]; then
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >>apt/parts/source.list
fi
apt() { apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/apt/parts" \
    -o Dir::State::lists="$PWD/apt/lists" -o APT::Sandbox::User=root "$@"; }
apt update
apt source --download-only bzip2 lua5.4 tinyxml2 libjsoncpp zlib lapack
for archive in *.orig.tar.*; do tar xf "$archive"; done
rm -rf apt ./*.dsc ./*.tar.*
