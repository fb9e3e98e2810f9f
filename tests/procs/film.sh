#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# film.sh - `film`: a call, instruction by instruction; afterwards the target is as it would have been.
. "${top_srcdir:-.}/tests/procs/lib.sh"
parts() { awk '/^jump  /, /instructions; the thread/ { if ($1 !~ /^0x|^[0-9]|^\.\.\./) print $1 }' log | uniq | xargs; }
filmed() { # NAME MODE
    check "$1, $2: back at the caller" has log '^[0-9]+ instructions; the thread is back at its caller\.$'
    check "$1, $2: from the jump to the stub" has log '^jump +0x[0-9a-f]+ +jump taken, to the trampoline; called from '
    check "$1, $2: every part" sh -c "case '$(parts)' in 'jump stub '*replay*body*) ;; *) echo '$(parts)'; false ;; esac"
    check "$1, $2: registers that change" has log '^stub .* [a-z0-9]+=0x[0-9a-f]+'
}
for mode in slots through auto; do
    batch -ex start -ex "set exit-mode $mode" -ex 'probe -count twice' -ex 'film twice' -ex 'print $pc' -ex 'film twice' -ex 'info probes' \
        -ex 'continue' --args "$targets/p_app" 3
    if has log 'needs hardware breakpoints'; then
        skip 'film: there are no hardware breakpoints'
        exit 77
    fi
    filmed twice $mode
    check "twice, $mode: at the caller" has log '^\$1 = .*<main\+'
    check "twice, $mode: two calls" same "$(grep -c 'back at its caller' log)" 2
    check "twice, $mode: counted" has log '^1 +both +count +armed +0x[0-9a-f]+ +2 +twice '
    check "twice, $mode: it ends as ever" has log 'exited normally'
    native "$targets/p_app" 3
    check "twice, $mode: with its result" grep -qxF -e "$(cat n.out)" log
    check "twice, $mode: nothing is lost" has log '^6 hits = '
done
# A call of a worker, on its own thread, which calls into a library.
cat >worker.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int go = 1; /* 0: the worker waits */
__attribute__((noinline)) static long count(const char *text) { return strtol(text, NULL, 10) + 1; }
static void *work(void *arg)
{
    long *sum = arg;
    while (!go)
        continue;
    for (int i = 0; i < 100; i++)
        *sum += count("41");
    return NULL;
}
int main(void)
{
    pthread_t one;
    long sum = 0;
    pthread_create(&one, NULL, work, &sum);
    pthread_join(one, NULL);
    printf("%ld\n", sum);
    return 0;
}
END
$CC -O1 -g -pthread -o worker worker.c || exit 99
cat >script.ezt <<'END'
probe -count count
probe entry -count pthread_join do stop
start
set variable go = 0
continue
thread 2
set variable go = 1
film count
delete 2
continue
END
batch -x script.ezt worker
filmed count worker
check 'count, worker: what it calls is counted' has log '^ +\.\.\. [0-9]+ instructions of functions that it calls$'
native ./worker
check 'count, worker: the sum is the same' grep -qxF -e "$(cat n.out)" log
check 'count, worker: nothing is lost' has log ' 0 untraced \+ 0 dropped'
batch -ex start -ex 'film twice' "$targets/p_app"
check 'no probe' has log '^No probe is planted on twice\.'
batch -ex start -ex 'probe -count answer' -ex 'film answer' "$targets/p_app"
check 'never called' has log '^The current thread did not call answer: the program ended\.'
batch -ex start -ex 'probe -count twice' -ex 'film -steps 5 twice' -ex 'continue' "$targets/p_app"
check 'too long: said so' has log '^5 instructions; the thread is still in the call\.$'
batch -ex start -ex 'probe -count twice' -ex 'film -steps 5 twice' -ex 'delete 1' -ex 'continue' "$targets/p_app"
check 'too long: it goes on from there' has log 'exited normally'
finish
