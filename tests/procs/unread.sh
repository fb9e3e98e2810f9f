#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unread.sh - nobody reads what eztsh prints any more (`eztsh ... | head`): the session ends in order, with
# the status of SIGPIPE, and no probe stays in a program that it was attached to.
. "${top_srcdir:-.}/tests/procs/lib.sh"
prog=$targets/p_loop
mkfifo out pipe

planted() { ! text_intact "$pid" "$prog" >/dev/null; }
loops() { rm -f stop && target "$prog" stop; }

# begin FD ARG...: an eztsh of which FD (1, 2) leads to a reader that ends at a line with "last" in it.
begin() {
    fd=$1
    shift
    sed /last/q out >read.out &
    reader=$!
    children="$children $reader"
    case $fd in
    1) "$eztsh" -nx "$@" <pipe >out 2>log & ;;
    *) "$eztsh" -nx "$@" <pipe >log 2>out & ;;
    esac
    shell=$!
    children="$children $shell"
    exec 3>pipe
}
type() { printf '%s\n' "$@" >&3; }
probed() { # NAME: the probe is there, then the reader goes
    check "$1: probed" until_ok 20 planted
    type "${2:-echo last\\n}"
    check "$1: the reader is gone" until_ok 20 gone "$reader"
}
ends() { # NAME: the shell ends although its input does not, and the program goes on without probes
    check "$1: the shell ends" until_ok 20 gone "$shell"
    exec 3>&-
    reap "$shell"
    check "$1: status 141" same "$trc" 141
    check "$1: the program lives" alive "$pid"
    check "$1: its code is as before" text_intact "$pid" "$prog"
    check "$1: nobody traces it" grep -q '^TracerPid:[[:space:]]*0$' "/proc/$pid/status"
    touch stop
    reap "$pid"
    check "$1: the program ends well" same "$trc" 0
}

loops
begin 1 -p "$pid" -ex 'probe pulse'
probed commands
type 'echo more\n'
ends commands

loops
printf '%s\n' 'probe pulse' 'shell until test -e go; do sleep 0.02; done' 'echo last\n' 'while 1' 'echo more\n' end >loop.ezt
begin 1 -p "$pid" -batch -x loop.ezt
check 'a script: probed' until_ok 20 planted
touch go
ends 'a script'

loops
begin 2 -p "$pid" -ex 'probe pulse'
probed 'standard error' last
type 'nothing at all'
ends 'standard error'

loops
begin 1 -p "$pid" -ex 'dprintf pulse,"last %d\n",1'
type continue
ends 'lines of a running program'

loops
begin 1 -p "$pid" -ex 'probe pulse' -ex 'continue &'
probed 'in the background'
type 'info probes'
ends 'in the background'

loops
begin 1 -p "$pid" --interpreter=json -ex 'probe pulse'
probed 'machine interface' '{"id": 1, "command": "echo last\\n"}'
type '{"id": 2, "command": "info probes"}'
ends 'machine interface'
loops
echo "$pid" >pids
begin 1 -ex "job attach -pids pids" -ex 'probe pulse' -ex 'continue &'
probed 'a job'
type 'info job'
ends 'a job'

# A program that eztsh launched ends with it, as by `quit`.
begin 1 -ex 'probe pulse' "$prog"
type 'run never >t.out' # until its reader is gone
launched() {
    pid=$(cd /proc && grep -sl "^PPid:[[:space:]]*$shell\$" [0-9]*/status | cut -d / -f 1 | head -n 1)
    [ -n "$pid" ] && planted 2>/dev/null
}
check 'launched: probed' until_ok 20 launched
kill -INT "$shell"
type 'echo last\n'
check 'launched: the reader is gone' until_ok 20 gone "$reader"
type 'echo more\n'
check 'launched: the shell ends' until_ok 20 gone "$shell"
exec 3>&-
reap "$shell"
check 'launched: status 141' same "$trc" 141
check 'launched: the program is gone' until_ok 20 gone "$pid"

# Who closed the descriptor wanted no output, and a command behind `pipe` may read as little as it likes.
"$eztsh" -nx -batch -ex 'print 1' -ex 'set logging enabled on' >&- 2>log
check 'no standard output: status 0' same $? 0
batch -ex 'pipe help all | head -n 1' -ex 'print 42'
check 'pipe: the session goes on' has log '^\$1 = 42$'
check 'pipe: status 0' same "$rc" 0
finish
