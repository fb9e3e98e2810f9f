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
apt source --download-only bzip2 lua5.4 tinyxml2 libjsoncpp zlib lapack sqlite3 fmtlib
for archive in *.orig.tar.*; do tar xf "$archive"; done
rm -rf apt ./*.dsc ./*.tar.*
# SQLite's amalgamation is made from its source, by its own rules, and is all that is kept.
if command -v tclsh >/dev/null; then
    (
        cd sqlite3-[0-9]*
        mkdir made
        cd made
        ../configure --disable-tcl >/dev/null
        make sqlite3.c >/dev/null
        cp sqlite3.c sqlite3.h ../test/speedtest1.c ..
        cd ..
        for f in *; do
            case $f in sqlite3.[ch] | speedtest1.c) ;; *) rm -rf "$f" ;; esac
        done
    ) || true
fi
