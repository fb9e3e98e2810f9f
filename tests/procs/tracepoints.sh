#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tracepoints.sh - gdb's tracepoint words: in scripts, from a pipe and by -ex; which hits are frames, what tfind and
# tdump show; `trace` as file and as location.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_filter
lines() { grep -cE -e "$1" log; }

# ---- a session in gdb's words ----------------------------------------------------------------------
cat >script.ezt <<'END'
tvariable $least = 5
trace work if n > $least
actions
  # what it records
  collect n, $_ret
  collect/s n * 2
end
tp deep
passcount 99
ftrace slow
info tp
tstatus
tstart
tstatus
run 2 20 >t.out
tstatus
info tracepoints
tfind
tdump
tfind tracepoint 2
tfind pc work
tdump
tfind 3
tfind start
tfind end
save tracepoints saved.ezt
END
batch -x script.ezt "$prog"
check 'trace LOCATION' has log '^Tracepoint 1 at 0x[0-9a-f]+: file .*p_filter\.c, line [0-9]+\.$'
check 'tvariable' has log '^Trace state variable \$least created, with initial value 5\.$'
check 'passcount' has log "^Setting tracepoint 2's passcount to 99\$"
check 'info tp' has log '^1 +tracepoint +keep y +0x[0-9a-f]{16} in work at .*p_filter\.c:[0-9]+$'
check 'info tp: the condition' has log 'trace only if n > 5$'
check 'info tp: actions' has log '^        collect n, \$caller, n \* 2$'
check 'info tp: hits' has log 'tracepoint already hit 28 times'
check 'tstatus: before' has log '^No trace has been run on the target\.$'
check 'tstatus: after' has log '^Collected 110 trace frames\.$'
check 'tstatus: before the program runs' has log '^Trace will run once the program does\.$'
check 'tstatus: its process ended' has log '^Trace stopped because the process ended; the next "run" goes on with it\.$'
check 'tstatus: nothing runs any more' lacks log '^Trace (is running|will stop)'
check 'tfind' has log '^Found trace frame 0, tracepoint [123]$'
check 'tfind: the frame' has log '^#0  work \(n=[0-9]+, \$caller=0x[0-9a-f]+, n\*2=[0-9]+\) at '
check 'tdump: names and values' has log '^n\*2 = (12|14|16|18|[23][0-9])$'
check 'tdump: its head' has log '^Data collected at tracepoint 1, trace frame [0-9]+:$'
check 'tfind 3' has log '^Found trace frame 3, '
check 'tfind end' has log '^No longer looking at any trace frame$'
check 'save' has log "^Saved to file 'saved\.ezt'\.\$"
check 'save: what is in it' same "$(tr '\n' ' ' <saved.ezt)" \
    'tvariable $least = 5 tp work if n > 5 actions   collect n, $caller, n * 2 end tp deep passcount 99 tp slow '
batch -x saved.ezt -ex 'info tp' "$prog"
check 'save: it can be read' same "$(lines '^[123] +tracepoint ')$(lines '^        collect n, .caller, n . 2$')" 31

# ---- which hits ------------------------------------------------------------------------------------
batch -ex 'tp work' -ex 'run 2 20 >t.out' -ex tstatus -ex 'info tp' -ex 'events 9' "$prog"
check 'without tstart nothing is recorded' same "$(lines '^Collected 0 trace frames')$(lines 'already hit')" 10
target "$targets/p_loop" stop 2
shell_start -p "$pid"
say 'tp beat'
say 'passcount 100'
post 'actions'
post 'collect a'
post 'collect nosuch'
post 'while-stepping 3'
post 'collect b'
post 'end'
say 'tstart'
say 'continue &'
stopped() { say tstatus && has log 'Trace stopped by tracepoint 1'; }
check 'pipe: the passcount ends the run' until_ok 20 stopped
check 'pipe: so many frames' has log '^Collected 100 trace frames\.$'
check 'pipe: a bad line is told' has log 'No symbol "nosuch" in current context'
check 'pipe: another' has log '"while-stepping" is not possible'
say 'info tp'
check 'pipe: those around it are there' has log '^        collect a, b$'
say 'tfind 99'
check 'pipe: the last frame' has log '^Found trace frame 99, tracepoint 1$'
say 'tfind'
check 'pipe: no more' has log 'Target failed to find requested trace frame'
say 'enable 1'
say 'passcount 2000 1'
say 'tstart'
more() { say tstatus && has log 'Collected [1-9][0-9]{3,} trace frames'; }
check 'tstart: the run begins anew' until_ok 20 more
say tstop
check 'tstop: it is over already' same "$(lines '^Trace is not running\.$')" 1
see_own_end
check 'the program is right' same "$trc" 0

# ---- words -----------------------------------------------------------------------------------------
rm -f ./*.fxt f t.ezt
batch -ex 'trace f.fxt' -ex 'trace stop' -ex 'trace ./f' -ex 'trace stop' -ex 'trace start g' -ex 'info trace' "$prog"
check 'trace: files' has log '^Recording to \./f\.$'
check 'trace start: any name' has log '^Trace .*g: opens with the first probe\.$'
batch -ex tstart -ex tdump -ex tfind -ex actions -ex 'actions 7' -ex 'collect n' -ex 'tvariable x' \
    -ex 'tvariable $args' -ex 'save tracepoints none.ezt' -ex 'info tp' -ex 'probe work' -ex 'actions 1' "$prog"
check 'words: tstart' has log '^No tracepoints defined, not starting trace'
check 'words: tdump' has log '^No current trace frame\.'
check 'words: no tracepoint' has log '^No tracepoint number 7\.'
check 'words: collect' has log "\"collect\" belongs to the actions of a tracepoint"
check 'words: tvariable' has log "Name of trace variable should start with"
check 'words: a name that is taken' has log '^\$args cannot be a trace state variable: '
check 'words: save' has log '^Nothing to save\.'
check 'words: a probe is none' has log '^No tracepoint number 1\.'
printf 'tp work\nactions\ncollect n\ncollect nosuch\ninfo tp\n' >t.ezt
batch -x t.ezt -ex 'info tp' "$prog"
check 'script: the place of a bad line' has log '^t\.ezt:4: Error in sourced command file:$'
check 'script: what was before it is kept' has log '^        collect n$'
printf 'tp work\nactions\ncollect n\n' >t.ezt
batch -x t.ezt -ex 'info tp' "$prog"
check 'script: its end ends the actions' has log '^        collect n$'
finish
