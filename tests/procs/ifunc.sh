#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ifunc.sh - which implementation an IFUNC stands for: it is read where the loader has resolved it,
# else the resolver is asked; both are right (fault 9).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need_faults
names='strlen strchr strrchr memcpy memmove memset memcmp strstr strncat wcsncmp strcasecmp'

rm -f stop
# shellcheck disable=SC2086
target "$targets/p_ifunc" stop $names
until_ok 20 has t.out '^ready'

where() { # NAME LIBRARY: what `why` says (of each function of that name), as "NAME ADDRESS"
    batch -p "$pid" -ex "why $2:$1"
    sed -n "s/^[^ ]* (.*) at \\(0x[0-9a-f]*\\), .*/$1 \\1/p" log >said
    grep -qxF "$(grep "^$1 " t.out)" said
}
for n in $names; do
    check "IFUNC $n: what the loader says" where "$n" libc.so.6
done
for n in used rare moved; do
    check "IFUNC $n of the program: what its resolver chooses" where $n p_ifunc
done

# ---- a question is not asked of the target where the loader has answered it ------------------
asks() { # LOCATION: `why` fails where no function can be called (its vector registers are read)
    EZ_FAULT=getregset:1:EIO
    export EZ_FAULT
    batch -p "$pid" -ex "why $1"
    unset EZ_FAULT
    [ "$rc" != 0 ]
}
does_not_ask() { ! asks "$1"; }
check "IFUNC that is resolved: nothing runs for it" does_not_ask p_ifunc:used
check "IFUNC of libc that is resolved: nothing runs for it" does_not_ask libc.so.6:strlen
check "IFUNC that is not: its resolver does" asks p_ifunc:rare

# ---- resolvers that answer nonsense, or fault --------------------------------------------------
for n in none data never; do
    batch -p "$pid" -ex "probe -count $n"
    check "IFUNC $n: refused, with what helps" has log \
        "^Cannot probe $n: an IFUNC whose resolver cannot be called: probe the implementation by its name\\.\$"
    check "IFUNC $n: an error of one line" same "$rc $(grep -c IFUNC log)" "1 1"
done
check "IFUNC: nothing was planted for them" text_intact "$pid" "$targets/p_ifunc"

batch -p "$pid" -ex 'probe -count used' -ex 'continue &' -ex 'info probes' -ex detach
check "IFUNC: the probe is on the implementation" has log "armed +0x0*$(sed -n 's/^used 0x//p' t.out) "
touch stop
reap "$pid"
check "IFUNC: the target ends right" has t.out '^asked [1-9]'
check "IFUNC: with its status" same "$trc" 0
finish
