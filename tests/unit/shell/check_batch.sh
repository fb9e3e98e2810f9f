#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_batch.sh - scripts, pipes, exit statuses: eztsh without a terminal.
. "${top_srcdir:-.}/tests/env.sh"
HOME=$work/home; export HOME eztsh
mkdir home

# check NAME STATUS OUTPUT COMMAND...: the command prints OUTPUT (both streams) and returns STATUS
check() {
    name=$1 status=$2 want=$3
    shift 3
    got=$("$@" 2>&1 </dev/null)
    rc=$?
    got=$(printf '%s\n' "$got" | sed 's/process [0-9][0-9]*/process PID/')
    [ "$rc" = "$status" ] && [ "$got" = "$want" ] && { pass "$name"; return; }
    fail "$name"
    printf '  want %s: %s\n  got  %s: %s\n' "$status" "$want" "$rc" "$got"
}

printf 'echo a\\n\nfoo\necho never\\n\n' >bad.ezt
printf '\n# comment\nsource bad.ezt\n' >outer.ezt
printf 'source loop.ezt\n' >loop.ezt
cat >pipe.ezt <<'END'
echo hi\n

foo
echo there\n
END

check order 0 'one
two' "$eztsh" -nx -batch -ex 'echo one\n' -ex 'echo two\n'
check any-failure 1 'Undefined command: "foo".  Try "help".
still' "$eztsh" -nx -batch -ex foo -ex 'echo still\n'
check script-error 1 'a
bad.ezt:2: Error in sourced command file:
Undefined command: "foo".  Try "help".
after' "$eztsh" -nx --batch -x bad.ezt --ex='echo after\n'
check nested-error 1 'a
outer.ezt:3: Error in sourced command file:
bad.ezt:2: Error in sourced command file:
Undefined command: "foo".  Try "help".' "$eztsh" -nx -batch -x outer.ezt
check missing-script 1 'none.ezt: No such file or directory.' "$eztsh" -nx -batch -x none.ezt
check missing-program 1 './none: No such file or directory.' "$eztsh" -nx -batch ./none
check missing-dir 1 'none: No such file or directory.' "$eztsh" -nx -batch -cd none
check quit-status 7 '' "$eztsh" -nx -batch -ex 'quit 7' -ex 'echo never\n'
check shell-status 0 'Symbol' sh -c "\"\$eztsh\" -nx -batch -ex '!exit 3' -ex 'echo Symbol\n'"
check shell-code 1 'Cannot access memory at address 0x3' \
    env SHELL=/bin/sh "$eztsh" -nx -batch -ex '!exit 3' -ex 'x $_shell_exitcode'
check shell-signal 1 'Cannot access memory at address 0x89' \
    env SHELL=/bin/sh "$eztsh" -nx -batch -ex '!kill -9 $$' -ex 'x $_shell_exitcode'
check args-kept 0 'Argument list to give program being debugged when it is started is "'"a 'b c' -q"'".' \
    "$eztsh" -nx -batch -ex 'show args' --args /bin/true a 'b c' -q
check piped 1 'hi
Undefined command: "foo".  Try "help".
there' sh -c "\"\$eztsh\" -nx <pipe.ezt"
# A file that is no script ends with one line of error, and no part of it is executed.
printf 'echo a\\n\npwd\0\necho b\\n\n' >zero.ezt
{ printf 'echo '; head -c 70000 /dev/zero | tr '\0' x; printf '\necho b\\n\n'; } >long.ezt
no_command='A command has at most 65535 bytes, and no zero byte.'
check zero-byte 1 "a
zero.ezt:2: Error in sourced command file:
$no_command" "$eztsh" -nx -batch -x zero.ezt
check zero-byte-piped 1 "a
$no_command
b" sh -c "\"\$eztsh\" -nx <zero.ezt"
check long-line 1 "long.ezt:1: Error in sourced command file:
$no_command" "$eztsh" -nx -batch -x long.ezt
check long-line-piped 1 "$no_command
b" sh -c "\"\$eztsh\" -nx <long.ezt"
check endless 1 "/dev/zero:1: Error in sourced command file:
$no_command" timeout -k 5 $limit "$eztsh" -nx -batch -x /dev/zero
check directory 1 '/: Is a directory.' "$eztsh" -nx -batch -x /
check loop-ends 1 '' sh -c "\"\$eztsh\" -nx -batch -x loop.ezt >out 2>&1; rc=\$?; grep -q 'more than' out; exit \$rc"

# fault 62: a file in the current folder is not run unless its folder is trusted.
printf 'echo home\\n\n' >home/.eztshrc
printf 'echo local\\n\n' >.eztshrc
here=$(pwd -P)
check rc-files 0 "home
warning: File \"$here/.eztshrc\" auto-loading has been declined by your \`auto-load safe-path' set to \"\"." \
    "$eztsh" -batch
check rc-once 0 'home' sh -c 'cd home && "$eztsh" -batch -iex "set auto-load safe-path /"'
check rc-nx 0 '' "$eztsh" -nx -batch
check rc-trusted 0 'local' "$eztsh" -nh -batch -iex "set auto-load safe-path $here"

rm .eztshrc home/.eztshrc

run() { "$eztsh" -nx -batch -ex run --args "$@"; }
child() { "$eztsh" -nx -batch -return-child-result -ex run --args "$@"; }
bin=$(cd /bin && pwd -P) # the folder is shown resolved
check run 0 'Starting program: '"$bin"'/true 
[Inferior 1 (process PID) exited normally]' run /bin/true
check run-code 0 "Starting program: $bin/sh -c 'exit 3'
[Inferior 1 (process PID) exited with code 03]" run /bin/sh -c 'exit 3'
check child-code 9 "Starting program: $bin/sh -c 'exit 9'
[Inferior 1 (process PID) exited with code 11]" child /bin/sh -c 'exit 9'
last_lines() { "$@" >log; rc=$?; tail -n 2 log; return $rc; }
check child-signal 139 'Program terminated with signal SIGSEGV, Segmentation fault.
The program no longer exists.' last_lines child /bin/sh -c 'kill -SEGV $$'
check redirected 0 'from a file' sh -c "echo from a file >in; \"\$eztsh\" -nx -batch -ex 'run <in >out' /bin/cat >/dev/null; cat out"

# The lists of commands are those of the manual: of a class, of all classes, of info, and what completion offers.
"$eztsh" --dump-texinfo | awk '
    /^@node Class / { class = $3 }
    /^@deffn Command [{]/ {
        name = substr($0, index($0, "{") + 1)
        sub(/[}].*/, "", name)
        getline brief
        print class "\t" name "\t" brief
    }' | sed 's/@\([@{}]\)/\1/g' >entries
listed() { awk -F '\t' -v class="$1" -v name="$2" '$1 ~ class && $2 ~ name { print $2 " -- " $3 }' entries; }
classes=$(cut -f 1 entries | uniq)
check classes 0 'running data probes tracing jobs support' echo $classes
for class in $classes; do
    check "help-$class" 0 "List of commands:

$(listed "^$class$" '^[^ ]+$')" "$eztsh" -nx -batch -ex "help $class"
done
check help-all 0 "$(for class in $classes; do
    printf '\nCommand class: %s\n\n' "$class"
    listed "^$class$" '^[^ ]+$'
done)" "$eztsh" -nx -batch -ex "help all"
check help-info 0 "$(listed . '^info [^ ]+$')" sh -c '"$eztsh" -nx -batch -ex "help info" | grep "^info .* -- "'
check complete 0 "$(listed . '^[^ ]+$' | sed 's/ -- .*//' | LC_ALL=C sort)" "$eztsh" -nx -batch -ex complete
if [ "$(wc -l <entries)" -gt 150 ]; then pass entries; else fail entries entries; fi

finish
