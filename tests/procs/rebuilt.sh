#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rebuilt.sh - a program or a library that is built anew between two runs, or between two loads
# in one: its probes stand where the new file has what was typed, and count that (fault 77).
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}

# Each version calls alpha 7 times, beta 3 times, delta 100 times, if it has them. The longer the
# first function, the further the others move.
source() { # FILE FUNCTION...
    file=$1
    shift
    {
        echo 'static volatile int sum;'
        for f; do
            case $f in
            pad) echo '__attribute__((noinline)) void pad(int n) {' && seq -f ' sum += n * %g;' 40 && echo '}' ;;
            *) echo "__attribute__((noinline)) void $f(int n) { sum += n + (sum >> 3); sum ^= n; }" ;;
            esac
        done
        echo 'int work(void) {'
        for f; do
            case $f in alpha) n=7 ;; beta) n=3 ;; delta) n=100 ;; *) n=1 ;; esac
            echo " for (int i = 0; i < $n; i++) $f(i);"
        done
        echo ' return 0; }'
    } >"$file"
}
build() { # VERSION FUNCTION...
    v=$1
    shift
    source $v.c "$@"
    $cc -O1 -g -shared -fPIC -o lib$v.so $v.c && echo 'int main(void) { return work(); }' >>$v.c &&
        $cc -O1 -g -o app$v $v.c
}
build 1 delta alpha beta && build 2 pad beta delta alpha && build 3 pad beta || exit 99
table() { awk '$2 == "both" && $4 != "refused" { printf "%s=%s ", $7, $6 }' log; }

# ---- the program ----------------------------------------------------------------------------
cp app1 app
batch -ex 'set trace-auto off' -ex 'probe -count alpha' -ex 'probe -count beta' -ex run \
    -ex 'shell cp app2 app' -ex run -ex 'info probes' ./app
check "a program built anew: it is said" has log "^.*/app' has changed; re-reading symbols\\.\$"
check "a program built anew: probes count the functions that they name" same "$(table)" "alpha=7 beta=3 "
check "a program built anew: status 0" same $rc 0

cp app1 app
batch -ex 'set trace-auto off' -ex 'shell cp app2 app' -ex 'probe -count alpha' -ex 'shell cp app1 app' \
    -ex 'probe -count beta' -ex run -ex 'info probes' ./app
check "built anew before a probe: that is where it is now" same "$(table)" "alpha=7 beta=3 "

cp app1 app
batch -ex 'set trace-auto off' -ex 'probe -count -r ^(alpha|beta|pad)$' -ex run \
    -ex 'shell cp app2 app' -ex run -ex 'info probes' ./app
check "a rule is matched against the new file" same "$(table | tr ' ' '\n' | sort | xargs)" "alpha=7 beta=3 pad=1"

cp app1 app
batch -ex 'set trace-auto off' -ex 'probe -count alpha' -ex 'probe -count beta' -ex run \
    -ex 'shell cp app3 app' -ex run -ex 'info probes' ./app
check "a function that is gone: it is said" has log '^Probe 1 \(alpha\) pending: Function "alpha" not defined'
check "a function that is gone: nothing is counted under its name" same "$(table)" "alpha=0 beta=3 "
check "a function that is gone: status 1" same $rc 1

# A probe is set while the program runs and its file is another one already.
cp app1 app
batch -ex 'set trace-auto off' -ex start -ex 'shell cp app2 new && mv new app' -ex 'probe -count beta' \
    -ex continue -ex run -ex 'info probes' ./app
check "built anew under a running program: its probes hold for the next run" same "$(table)" "beta=3 "

# stat() shows no difference, only the build-id does.
size=$(stat -c %s app1 app2 | sort -n | tail -n 1)
truncate -s "$size" app1 app2
cp app1 app && touch -r app1 app2 app
batch -ex 'set trace-auto off' -ex 'probe -count alpha' -ex run \
    -ex 'shell cat app2 >app; touch -r app2 app' -ex run -ex 'info probes' ./app
check "built anew with the size and the time of before" same "$(table)" "alpha=7 "

# ---- a library: between two loads, between two runs --------------------------------------------
cat >dl.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (rename(argv[i], "./libv.so"))
            return 2;
        void *lib = dlopen("./libv.so", RTLD_NOW);
        int (*work)(void) = lib ? (int (*)(void))dlsym(lib, "work") : 0;
        if (!work)
            return 3;
        work();
        dlclose(lib);
    }
    return 0;
}
END
$cc -o dl dl.c -ldl || exit 99
copies() { for v; do cp lib$v.so $v.so; done; }
copies 1 2
batch -ex 'set trace-auto off' -ex 'probe -count alpha' -ex 'probe -count libv:beta' \
    -ex 'run 1.so 2.so' -ex 'info probes' ./dl
check "a library built anew while the program runs" same "$(table)" "alpha=14 beta=6 "
check "a library built anew: status 0" same $rc 0
copies 1 2
batch -ex 'set trace-auto off' -ex 'probe -count alpha' -ex 'run 1.so' -ex 'run 2.so' -ex 'info probes' ./dl
check "a library built anew between two runs" same "$(table)" "alpha=7 "
copies 1 3
batch -ex 'set trace-auto off' -ex 'probe -count alpha' -ex 'run 1.so 3.so' -ex 'info probes' ./dl
check "a library without it: it is said" has log '^Probe 1 \(alpha\) pending: Function "alpha" not defined'
check "a library without it: nothing is counted under its name" same "$(table)" "alpha=7 "
finish
