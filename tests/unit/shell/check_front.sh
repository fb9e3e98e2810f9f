#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_front.sh - commands of the shell as words of the command line: `eztsh stats FILE` is what -batch -ex
# runs, and passes its words on unchanged.
. "${top_srcdir:-.}/tests/env.sh"
HOME=$work/home; export HOME eztsh
mkdir home

# check NAME STATUS OUTPUT COMMAND...: the command prints OUTPUT (both streams) and returns STATUS
check() {
    name=$1 status=$2 want=$3
    shift 3
    got=$(timeout -k 5 $limit "$@" 2>&1 </dev/null)
    rc=$?
    [ "$rc" = "$status" ] && [ "$got" = "$want" ] && { pass "$name"; return; }
    fail "$name"
    printf '  want %s: %s\n  got  %s: %s\n' "$status" "$want" "$rc" "$got"
}
same_as() { # NAME LINE WORD...: the words do what -batch -ex LINE does
    what=$1
    want=$(timeout -k 5 $limit "$eztsh" -nx -batch -ex "$2" 2>&1 </dev/null)
    status=$?
    shift 2
    check "$what" "$status" "$want" "$eztsh" -nx "$@"
}

"$eztsh" -nx -batch -ex 'trace t.fxt' -ex 'probe twice' -ex 'run 3 4' "$targets/p_app" >log 2>&1 </dev/null
[ -s t.fxt ] || { fail 'a trace to read' log; finish; }

same_as 'stats' 'stats t.fxt' stats t.fxt
same_as 'its options' 'stats -top 1 -sort calls t.fxt -json' stats -top 1 --sort calls t.fxt -json
same_as 'timeline' 'timeline t.fxt' timeline t.fxt
same_as 'events' 'events 3 t.fxt' events 3 t.fxt
same_as 'convert' 'convert t.fxt -t csv -o -' convert t.fxt -t csv -o -
same_as 'help' 'help info probes' help info probes
same_as 'the help of a command' 'help stats' stats --help
same_as 'behind its operands' 'help stats' stats t.fxt -help
same_as 'of a subcommand' 'help info probes' info probes --help
same_as 'info' 'info modules' info modules
same_as 'apropos' 'apropos ^trace e' apropos '^trace e'
same_as 'a usage' 'attach' -batch attach
check 'options of eztsh come before the word' 0 'one
trace export -- Write a compressed trace as a plain FxT file.' "$eztsh" -nx -q -ex 'echo one\n' apropos '^trace e'
check 'none behind it' 1 'Usage: attach [-force] [-held] PID' "$eztsh" -nx attach 1 2
check 'an error' 1 'none.fxt: No such file or directory.' "$eztsh" -nx stats none.fxt
check 'a wrong option' 1 "$("$eztsh" -nx -batch -ex 'stats -nosuch' 2>&1)" "$eztsh" stats -nosuch
check 'the file of the user comes first, as with -batch' 0 "home
$("$eztsh" -nx stats t.fxt)" sh -c 'echo "echo home\\\\n" >home/.eztshrc; "$eztsh" stats t.fxt'
rm home/.eztshrc

# No word is split, expanded or taken for a comment.
for name in 'a b.fxt' "it's.fxt" '#1.fxt' '$HOME.fxt' 'a;b.fxt' 'q"q.fxt' 'back\slash.fxt' 'two
lines.fxt' '[a]*.fxt' '-x.fxt'; do
    cp t.fxt "./$name"
    rm -f out.csv
    want=$("$eztsh" -nx stats t.fxt 2>&1)
    check "the word $(printf %s "$name" | tr '\n' '~')" 0 "$want" "$eztsh" -nx stats -- "$name"
done

# What is a program.
printf 'int main(void) { return 5; }\n' >five.c
if ${CC:-cc} -o stats five.c 2>cc.err; then
    mkdir path && cp stats path/stats
    check 'a file of that name is no program' 1 'none.fxt: No such file or directory.' "$eztsh" -nx stats none.fxt
    check 'nor one on PATH' 1 'none.fxt: No such file or directory.' \
        env PATH="$work/path:$PATH" "$eztsh" -nx stats none.fxt
    check 'with a slash it is' 5 "Starting program: $work/stats " sh -c \
        '"$eztsh" -nx -batch -return-child-result -ex run ./stats >out 2>&1; rc=$?; head -n 1 out; exit $rc'
    check 'behind --args, too' 5 "Starting program: $work/stats " sh -c \
        '"$eztsh" -nx -batch -return-child-result -ex run --args stats >out 2>&1; rc=$?; head -n 1 out; exit $rc'
else
    skip "a program of that name: $(tail -n 1 cc.err)"
fi

# Words and options of other tools.
check 'a word of uftrace' 1 'live: No such file or directory. "record PROG ARGS" records a run; then "stats FILE" prints the times of each function.' \
    "$eztsh" -nx -batch live ./app
check 'with a second one' 1 'perf: No such file or directory. "timeline FILE" shows when each thread ran.' \
    env PATH="$work" "$eztsh" -nx -batch perf sched
check 'a command of the prompt' 1 "module: No such file or directory. module is a command of the prompt: eztsh -batch -ex 'module ...'." \
    "$eztsh" -nx module list
if ${CC:-cc} -o path/stat five.c 2>cc.err; then
    check 'a command of perf that PATH has as a program' 1 'eztsh has no command stat. "probe -count -r ." counts calls, "info probes" shows the counts. For the program of that name type eztsh --args stat.' \
        env PATH="$work/path:$PATH" "$eztsh" -nx stat ./app
    check 'behind --args it is the program' 5 "Starting program: $work/path/stat " sh -c \
        'PATH=$PWD/path:$PATH "$eztsh" -nx -batch -return-child-result -ex run --args stat >out 2>&1; rc=$?; head -n 1 out; exit $rc'
fi
check 'an option of uftrace for a filter' 1 'replay has no option "-F". -function REGEX shows only matching functions, -caller REGEX only calls inside them.' \
    "$eztsh" replay -F main
check 'an option of strace' 1 "eztsh: unrecognized option '-f'. \"set follow-fork-mode all\" traces child processes, too." \
    "$eztsh" -f ./app
check 'an option of uftrace' 1 "eztsh: unrecognized option '--chrome=x'. \"convert -t chrome FILE\" writes a trace for Perfetto and chrome://tracing." \
    "$eztsh" --chrome=x
check 'an option of perf behind a command' 1 'stats has no option "-g". "stats -graph FILE" prints callers and callees.' \
    "$eztsh" stats -g t.fxt

# The list of `eztsh --help` is that of the commands.
"$eztsh" --help | sed '1,/^COMMAND is one of these/d' >listed
while read -r word brief; do
    [ "$("$eztsh" "$word" --help </dev/null | sed -n 2p)" = "$brief" ] || echo "$word"
done <listed >wrong
if [ "$(wc -l <listed)" -ge 9 ] && [ ! -s wrong ]; then pass 'the list'; else fail 'the list' listed wrong; fi

# A failed attach leaves nothing to talk about; otherwise it goes on at the prompt, or with the lines of standard input.
"$targets/p_loop" stop >/dev/null 2>&1 &
pid=$!
running() { [ -d "/proc/$pid" ] && ! cmp -s "/proc/$pid/cmdline" "/proc/$$/cmdline"; }
until_ok 30 running
printf 'echo attached\\n\ninfo proc\ndetach\n' | timeout -k 5 $limit "$eztsh" -nx attach "$pid" >log 2>&1
if grep -q '^attached$' log && grep -q "^process $pid\$" log; then pass 'attach stays'; else fail 'attach stays' log; fi
: >stop
wait "$pid"

finish
