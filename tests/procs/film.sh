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
cat >script.ezt <<'END'
probe -count step
probe entry -count pthread_join do stop
run 5000
thread 2
film step
delete 2
continue
END
batch -x script.ezt "$top_builddir/examples/demo"
filmed step worker
check 'step, worker: what it calls is counted' has log '^ +\.\.\. [0-9]+ instructions of functions that it calls$'
native "$top_builddir/examples/demo" 5000
check 'step, worker: the heat is the same' grep -qxF -e "$(cat n.out)" log
check 'step, worker: nothing is lost' has log ' 0 untraced \+ 0 dropped'
batch -ex start -ex 'film twice' "$targets/p_app"
check 'no probe' has log '^There is no probe on twice\.'
batch -ex start -ex 'probe -count answer' -ex 'film answer' "$targets/p_app"
check 'never called' has log '^The current thread did not call answer: the program ended\.'
batch -ex start -ex 'probe -count twice' -ex 'film -steps 5 twice' -ex 'continue' "$targets/p_app"
check 'too long: said so' has log '^5 instructions; the thread is still in the call\.$'
batch -ex start -ex 'probe -count twice' -ex 'film -steps 5 twice' -ex 'delete 1' -ex 'continue' "$targets/p_app"
check 'too long: it goes on from there' has log 'exited normally'
finish
