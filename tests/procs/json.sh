#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# json.sh - -json: what each command that prints a table prints for programs is what doc/JSON.md says,
# is JSON to the last byte, and says what the text says (tables.py); each command that the manual has with
# -json is asked. (check_table.c holds that a command has it, or prints no table.)
. "${top_srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || { skip "json: needs python3"; finish; }
prog=$top_builddir/examples/demo

cat >script.ezt <<'END'
probe kernel_row if $arg0 >= 0
probe -count main
probe nosuch\name
count kernel_row
lesson -json
handle SIGUSR1 nostop
handle -json SIGUSR1
handle SIGUSR1 stop
start
info sharedlibrary -json
info proc
info proc -json
info proc mappings -json
info mappings -json $sp
show -json
maint corrupt-relocation -json
tvariable $n = 5
info tvariables -json
tp step
info tracepoints
info tracepoints -json
break step
tbreak main if 1
info breakpoints
info breakpoints -json
delete 5 6 7
display /x $sp
display $pc
info display -json
undisplay 1 2
info args
info args -json
info locals -json
info macro -json NULL
info frame -json
info scope main
info scope -json main
info source -json
info line main
info line -json main
info line -json demo.c:50
info address main
info address -json main
info symbol -json main
x/2xg $sp
x -json /2xg $sp
x -json /2i main
x -json /s *(char **)$rsi
list main
list -json main
disassemble /r main
disassemble -json main
disassemble -json /p main
why main
why -json main
why -json kernel_row
check main kernel_row
check -json main kernel_row
info ptrace -last 3 -json
module -json
where -json
info stack -json
info threads
info threads -json
info mappings -json
info registers -json
info auxv -json
info functions -json ^main
x /2xg $sp -json
list main -json
disassemble main -json
why main -json
info symbol main -json
info functions -v -json ^main$
info functions ^main$ -json
info functions ^main
info signals SIGUSR1
info signals -json SIGUSR1
info modules -json
module list -json
backtrace
backtrace -json
info textdiff -json
info window -json
measure -json main
continue
info probes
info probes -json
info trace
info trace -json
events 4
events -json 4
info coverage
info coverage -json
info ptrace -json
info replacements -json
info aggregates -json
stats -json
timeline
timeline -json -messages 3
replay -json
top -json
info histogram 1
info histogram -json 1
graph
graph -json
calltree
calltree -json
info cost -json
events -f -json
END
cp script.ezt asked
EZTRACE_TRACE_DIR=$work/traces shell_feed -q "$prog"
mv log first
echo 'entry routine="twice" code=""' >x.spec
XDG_CACHE_HOME=$work; export XDG_CACHE_HOME
"$eztsh" -nx -batch -m pthread -ex 'trace locks.fxt' -ex 'run >out' "$top_builddir/examples/queue" >log 2>&1 </dev/null
for trace in traces/*.fxt; do
    # a window in which the function fills the slices, which no slice of the whole run need show
    "$eztsh" -nx -batch -ex "stats -json -slowest 1 $trace -function kernel_row" >slow 2>&1 </dev/null
    read -r start ns <<END
$(sed -n 's/.*"start_ns": \([0-9]*\), "duration_ns": \([0-9]*\),.*/\1 \2/p' slow)
END
    printf 'events -json 3 %s\nscore -json -for 1s\ndiff -json %s %s\nstats -json -slowest 3 %s\ntimeline -json -messages 1 -from %sns -to %sns %s\nanalyze -json %s\nanalyze -json %s vs %s\n' \
        "$trace" "$trace" "$trace" "$trace" "$start" $((start + ns)) "$trace" "$trace" "$trace" "$trace" >script.ezt
done
cat >>script.ezt <<END
info locks -json locks.fxt
file "$targets/p_usdt"
info probes stap -json
file "$targets/p_app"
spec load x.spec
spec list -json
info spec -json
info spec -routines -json
spec delete 1
probe -count twice
tp twice
actions
collect \$arg0
end
start 3
tstart
film -json twice
continue
tstop
tfind
tdump
tdump -json
END
cat script.ezt >>asked
EZTRACE_TRACE_DIR=$work/traces shell_feed -q "$prog"
mv log second
cat >launch <<'END'
#!/bin/sh
PMI_SIZE=2 PMI_RANK=0 "$@" & PMI_SIZE=2 PMI_RANK=1 "$@" & wait
END
chmod +x launch
cat >script.ezt <<END
job run -launcher ./launch $targets/p_app 3
context first = 0
info contexts -json
info hosts -json
info inferiors -json
aggregate twice by sum of hits
continue
info job -json
info aggregates -by rank -json
END
cat script.ezt >>asked
shell_feed -q
cat first second log >both
"$eztsh" --dump-texinfo >commands.texi
python3 -B "$top_srcdir/tests/procs/tables.py" "$top_srcdir/doc/JSON.md" both asked commands.texi >py 2>&1 || echo "not ok - tables.py" >>py
if grep -q '^not ok' py || ! grep -q '^ok' py; then failed=1; fi
cat py
[ $failed = 0 ] || grep -v '"part": ' both
finish
