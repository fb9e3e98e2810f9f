#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# handle.sh - what becomes of signals: `handle`, `info signals`, `signal`; the same table as gdb's.
. "${top_srcdir:-.}/tests/procs/lib.sh"

# The program tells which of two signals it got, and when it goes on.
run_sh='run -c "trap \"echo got USR1\" USR1; trap \"echo got USR2\" USR2; kill -USR1 \$\$; echo on; kill -USR2 \$\$; echo end"'
ask() { # COMMAND...: at a prompt, not in a batch, where signals pass
    for c; do printf '%s\n' "$c"; done >script
    timeout -k 5 $limit "$eztsh" -nx -q /bin/sh <script >log 2>&1
}
got() { grep -c "^got $1\$" log; }
stops() { grep -c '^Program received signal' log; }

ask "$run_sh" continue continue
check 'default: each stops' same "$(stops) $(got USR1) $(got USR2)" '2 1 1'
check 'default: which' has log '^Program received signal SIGUSR1, User defined signal 1\.$'
ask 'handle SIGUSR1 nostop print pass' 'handle 12 noprint' "$run_sh"
check 'nostop: told, and passed' same "$(stops) $(got USR1) $(got USR2)" '1 1 1'
check 'nostop: the row' has log '^SIGUSR1 +No +Yes +Yes +User defined signal 1$'
check 'noprint: implies nostop' has log '^SIGUSR2 +No +No +Yes +User defined signal 2$'
check 'nostop: it runs to its end' has log 'exited normally'
ask 'handle USR1-SIGUSR2 nopass noprint' "$run_sh"
check 'nopass: the program gets none' same "$(stops) $(got USR1) $(got USR2) $(grep -c '^end' log)" '0 0 0 1'
ask 'handle SIGUSR1 nopass' "$run_sh" continue continue
check 'nopass, stop' same "$(stops) $(got USR1) $(got USR2)" '2 0 1'
ask "$run_sh" 'signal 0' 'signal SIGUSR1' kill
check 'signal 0: it is dropped; another in place of the one that came' same "$(got USR1) $(got USR2)" '1 0'
check 'signal: words' has log '^Continuing with no signal\.$'
check 'signal: words of one' has log '^Continuing with signal SIGUSR1\.$'
ask 'handle all nostop noprint' 'handle SIGUSR2 stop' "$run_sh" continue 'info signals SIGINT'
check 'all: then one' same "$(stops) $(got USR1) $(got USR2)" '1 1 1'
check 'all: not those of the debugger' has log '^SIGINT +Yes +Yes +No +Interrupt$'
batch -ex 'handle SIGUSR1 stop' -ex "$run_sh" -ex 'info proc' -ex continue /bin/sh
check 'batch: what was chosen holds' same "$(stops) $(got USR1) $(got USR2)" '1 1 1'

if command -v gdb >/dev/null; then
    echo 'info signals' >script
    "$eztsh" -nx -q <script | awk '/^SIG/ { print $1, $2, $3, $4 }' >ours
    gdb -nx -batch -ex 'info signals' 2>/dev/null | awk '/^SIG/ { print $1, $2, $3, $4 }' |
        grep -Fxf - ours >same # gdb has signals of other systems, too
    check 'the same as gdb for each that has a name' same "$(grep -vE '^SIG([3-6][0-9]|STKFLT) ' ours | wc -l)" \
        "$(grep -vE '^SIG([3-6][0-9]|STKFLT) ' same | wc -l)"
else
    skip 'the same as gdb: there is none'
fi
batch -ex handle -ex 'handle SIGNONE' -ex 'handle SIGUSR1 maybe' -ex 'signal SIGUSR1' -ex 'info signals 99'
check 'wrong: no signal' has log '^Argument required \(signal to handle\)\.$'
check 'wrong: none of that name' has log '^"SIGNONE" is not a signal or an action\.'
check 'wrong: no action' has log '^"maybe" is not a signal or an action\.'
check 'wrong: nothing runs' has log '^The program is not being run\.$'
check 'wrong: a number' has log '^"99" is not a signal\.$'

finish
