#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bare.sh [-u] [-k] [-d DIR] [-r RELEASE] [COMMAND...] - run the README's two commands on a fresh Debian.
#
#   -r 12|13   Debian's release; without -r, that of this machine
#   -u         run COMMAND as an ordinary user; root installs the packages first
#   -d DIR     the folder of the chroot. A chroot that is there is used again, and kept
#   -k         keep the chroot, and print where it is
#   COMMAND    without one: ./quickstart demo && ./quickstart test
#
# A machine where people work has packages, an environment and files that hide faults. The chroot
# has Debian's minimal system (debootstrap --variant=minbase), a clone of HEAD in a folder "eztsh",
# and three variables: PATH, HOME and LANG. COMMAND runs in namespaces of its own for mounts and
# processes: both are gone when it ends, however it ends.
#
# Exits with the status of COMMAND; with 77 where no chroot can be made, and says why.
set -euo pipefail
cd "$(dirname "$0")/.."
say() { printf 'bare.sh: %s\n' "$*" >&2; }
cannot() { say "no chroot: $*"; exit 77; }

release='' user=root keep='' dir=''
while getopts r:ukd: option; do
    case $option in
    r) release=$OPTARG ;;
    u) user=ordinary ;;
    k) keep=yes ;;
    d) dir=$OPTARG keep=yes ;;
    *) sed -n '3,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- sh -c './quickstart demo && ./quickstart test'

[ "$(id -u)" = 0 ] || cannot "it needs root"
unshare --mount --pid --fork true 2>/dev/null || cannot "namespaces for mounts and processes are not allowed here"
command -v debootstrap >/dev/null || {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends debootstrap >/dev/null 2>&1 ||
        { apt-get -qq update && apt-get -qq install -y --no-install-recommends debootstrap; } >/dev/null 2>&1
} || cannot "debootstrap is not here and cannot be installed"

here=$(. /etc/os-release && echo "$VERSION_CODENAME")
case ${release:-$(. /etc/os-release && echo "$VERSION_ID")} in
12) code=bookworm ;;
13) code=trixie ;;
*) say "-r knows Debian 12 and 13"; exit 2 ;;
esac

# The machine's own sources of Debian, for that release: "SITE RELEASE COMPONENT" a line.
sources=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    sed -n "s/^Debian|\(.*\)/\1/p" | awk -v here="$here" -v code="$code" '
        { if ($2 == here || index($2, here "-") == 1) $2 = code substr($2, length(here) + 1); print }' | sort -u)
site=$(awk -v code="$code" '$2 == code { print $1; exit }' <<<"$sources")
[ -n "$site" ] || cannot "apt knows no source of Debian here (apt-get update)"

took=$SECONDS
if [ -z "$dir" ]; then
    dir=$(mktemp -d "${TMPDIR:-/var/tmp}/eztsh-bare-$code.XXXXXX")
else
    mkdir -p "$dir" && dir=$(cd "$dir" && pwd)
fi
[ -n "$keep" ] || trap 'rm -rf --one-file-system "$dir"' EXIT
child=''
stopped() { # a shell runs no trap while it waits for a command, but while it waits for a job
    [ -z "$child" ] || kill -KILL "$child" 2>/dev/null # unshare takes all in the chroot with it
    exit 130
}
trap stopped HUP INT TERM
if [ ! -e "$dir/made" ]; then
    debootstrap --variant=minbase "$code" "$dir/root" "$site" >"$dir/debootstrap.log" 2>&1 || {
        tail -n 5 "$dir/debootstrap.log" >&2
        cannot "debootstrap failed"
    }
    awk '{ print "deb " $1, $2, $3 }' <<<"$sources" >"$dir/root/etc/apt/sources.list"
    echo force-unsafe-io >"$dir/root/etc/dpkg/dpkg.cfg.d/90bare" # it lives for hours, not for years
    apt-config dump Acquire | grep -E '^Acquire::https?::' >"$dir/root/etc/apt/apt.conf.d/90machine" || :
    useradd --root "$dir/root" --create-home --shell /bin/bash ordinary
    touch "$dir/made"
fi
cp -L /etc/resolv.conf "$dir/root/etc/resolv.conf"
case $user in root) home=/root ;; *) home=/home/$user ;; esac
clone=$dir/root$home/eztsh
if [ -e "$clone" ]; then
    git -C "$clone" -c safe.directory='*' fetch -q "$PWD" HEAD
    git -C "$clone" -c safe.directory='*' reset -q --hard FETCH_HEAD
else
    git clone -q --no-hardlinks "$PWD" "$clone"
fi
[ $user = root ] || chroot "$dir/root" chown -R $user: "$home"
say "Debian $code in $dir, $(git log -1 --format='%h %s') as $user ($((SECONDS - took)) s)"

# inside USER COMMAND...: in the chroot. Its /tmp is empty, its terminals are its own.
inside() {
    local as=$1
    shift
    unshare --mount --propagation private --pid --fork --kill-child bash -euc '
        root=$1 as=$2 home=$3
        shift 3
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --bind /dev "$root/dev"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
        set -- chroot --userspec="$as:$as" "$root" /usr/bin/env -i LANG=C.UTF-8 HOME="$home" \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            sh -c "cd && cd eztsh && exec \"\$@\"" sh "$@"
        "$@" </dev/null' bare "$dir/root" "$as" "$home" "$@" &
    child=$!
    local status=0
    wait "$child" || status=$?
    child=''
    return $status
}
[ $user = root ] || inside root ./quickstart packages
status=0
inside $user "$@" || status=$?
[ -z "$keep" ] || say "the chroot is kept in $dir"
exit $status
