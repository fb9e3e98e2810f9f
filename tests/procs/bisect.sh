#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bisect.sh - among 5,000 probes `bisect` finds the one whose relocated code was spoiled on purpose; `maint`.
. "${top_srcdir:-.}/tests/procs/lib.sh"
many=$targets/p_many
feed() { timeout -k 5 $limit "$eztsh" -nx "$@" >log 2>&1 <script.ezt; } # an error does not end it
plant="probe -count -r '^many_19[5-9]...\$'"
spoil() { # NUMBER COMMANDS...: in a process, then the commands
    printf '%s\nstart\nmaint corrupt-relocation %s\nkill\n' "$plant" "$1" >script.ezt
    shift
    for c in "$@"; do echo "$c" >>script.ezt; done
    feed "$many"
}

spoil 5000 bisect 'info probes' 'check many_0'
check '5,000 probes' has log '^The program fails with 5000 probes, and does not without\.$'
check 'the one is found' has log '^Probe 5000 \(many_199999\): The program fails with this probe alone \(SIGSEGV\)\. [0-9]+ runs\.$'
check 'in few runs' [ "$(sed -n 's/.* fails with this probe alone (SIGSEGV)\. \([0-9]*\) runs\.$/\1/p' log)" -le 16 ]
check 'what check says of it' has log '^many_199999 \(p_many\): DIFFERS '
check 'what why says of it' has log '^Planted: probe 5000, trampoline at 0x'
check 'all are enabled again' has log '^Left out: 5000 probes without calls\.'
check 'no process is left' has log '^The program is not being run\.$'
check 'nothing is recorded' [ -z "$(ls ./*.fxt 2>/dev/null)" ]
spoil 4711 bisect # which nothing calls
check 'one that is never called: nothing fails' has log '^The program does not fail with these 5000 probes\.$'
spoil 5000 'bisect -r many_195' 'maint corrupt-relocation none' bisect 'bisect -r nosuch' 'bisect -r ['
check 'other probes' has log '^The program fails without these probes, too \(SIGSEGV\)\.$'
check 'mended' has log '^The program does not fail with these 5000 probes\.$'
check 'no such probes' has log '^No probe is enabled, so bisect has nothing to search\.$'
check 'no regex' has log '^Invalid regular expression "'
mkdir -p elsewhere
printf '%s\n' 'probe -count many_0' 'set cwd elsewhere' 'set environment EZT_SAID yes' 'set args >"$EZT_SAID"' bisect >script.ezt
feed "$many"
check 'directory and environment are those of the session' [ -e elsewhere/yes ]
# The command says which runs failed: those whose output has no "rounds".
cat >script.ezt <<'END'
probe -count -r '^(answer|twice)$'
start 2
maint corrupt-relocation 1
kill
set args 2 >out
bisect -cmd "grep -q rounds out"
bisect -cmd true
bisect -cmd false
start
bisect
END
feed "$targets/p_app"
check '-cmd: found, or it does not fail' has log '^Probe 1 \(answer\): The program fails with this probe alone \(the command said so\)|^The program does not fail with these 2 probes'
check '-cmd true: none fails' has log '^The program does not fail with these 2 probes\.$'
check '-cmd false: all fail' has log '^The program fails without these probes, too \(the command said so\)\.$'
check 'while it runs' has log '^The program is being run already\.'
batch -ex bisect
check 'no program' has log '^No executable file specified\.'

# ---- maint -----------------------------------------------------------------------------------------------
batch -ex 'help maint'
check 'maint: help' has log "^These commands are for the developers of eztsh\."
batch -ex 'complete mai' -ex 'help support' -ex 'apropos fault'
check 'maint: not listed, not completed' lacks log '^maint( |$)|^maintenance'
batch -ex start -ex 'maint refuse jump' -ex 'probe -count many_0' -ex 'info probes -all' -ex 'why many_0' -ex 'maint refuse none' \
    -ex 'probe -count many_1' -ex 'why many_1' "$many"
check 'maint refuse: another strategy' has log '^Entry: (jump and padding|.*\(S[234]\))|^1 .*(pun|island|padding)'
check 'maint refuse: why says so' has log '"maint refuse" refuses this strategy'
check 'maint refuse none' has log '^Entry: jump over the prologue \(S1\)'
batch -ex 'maint refuse nosuch' "$many"
check 'maint refuse: no such strategy' has log '^No strategy "nosuch"'
batch -ex start -ex 'maint fail-ptrace 1' -ex stepi -ex stepi -ex kill "$many"
if faults; then
    check 'maint fail-ptrace: one call fails' has log 'Input/output error|EIO'
else
    check 'maint fail-ptrace: not in this build' has log 'without --enable-fault-injection'
fi
finish
