#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# security.sh - what doc/SECURITY.md says, tried: as another user, on setuid programs, against a stranger's links.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
chmod 711 "$work"

# ---- alone, too ---------------------------------------------------------------------------------
if command -v strace >/dev/null && strace -f -o probe.txt true 2>/dev/null; then
    DEBUGINFOD_URLS=http://127.0.0.1:9 timeout -k 5 $limit strace -f -e trace=socket,connect,bind,listen -e signal=none -o net "$eztsh" -nx -batch \
        -ex 'info line main' -ex 'info scope twice' -ex 'whatis twice' "$targets/p_app" >log 2>&1 </dev/null
    check 'it talks to nobody' sh -c '! grep -E "(socket|connect|bind|listen)\(" net'
    check 'it looked at debug information meanwhile' has log 'unsigned int'
else
    skip 'security: the network, strace cannot be used here'
fi
printf '%s\n' '{"id":1,"command":"run -l /proc/self/fd"}' | timeout -k 5 $limit "$eztsh" -nx --interpreter=json /bin/ls >answers 2>own
check 'json: the program lists its descriptors' has own ' 1 -> '
check 'json: it has not the one of the answers' sh -c '! grep -F answers own'
(umask 077 && "$eztsh" -nx -batch -ex 'trace start private.fxt' -ex 'probe twice' -ex 'run 5' -ex 'info trace' "$targets/p_app" >log 2>&1 </dev/null)
check 'a trace obeys the umask' same "$(stat -c %a private.fxt)" 600

# Those who read files of strangers can do nothing else.
shell_start "$targets/p_app"
say 'info line main'
check 'a reader answers' has log '^Line [0-9]+ of '
readers() { for p in $(pgrep -x eztsh); do [ "$p" != "$shell" ] && [ "$(readlink "/proc/$p/exe")" = "$(readlink "/proc/$shell/exe")" ] && grep -qs "$work" "/proc/$p/environ" && echo "$p"; done; }
n=0
for p in $(readers); do
    n=$((n + 1))
    check "reader $n: it has a filter" grep -q '^Seccomp:[[:space:]]*2' "/proc/$p/status"
    check "reader $n: and can gain no rights" grep -q '^NoNewPrivs:[[:space:]]*1' "/proc/$p/status"
    check "reader $n: it has no file open for writing" sh -c "! grep -l '^flags:.*[12]\$' /proc/$p/fdinfo/* | xargs -r -n 1 basename | while read -r f; do readlink /proc/$p/fd/\$f; done | grep '^/' | grep -v /dev/null"
    check "reader $n: it cannot write to any" grep -q '^Max file size  *0  *0' "/proc/$p/limits"
done
check 'there is a reader' [ $n -ge 1 ]
shell_end

# ---- with another user ---------------------------------------------------------------------------
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
other='setpriv --reuid=65533 --regid=65533 --clear-groups'
if [ "$(id -u)" != 0 ] || ! $nobody true 2>/dev/null || ! $nobody "$eztsh" -nx -batch >/dev/null 2>&1; then
    skip 'security: other users, not root, or nobody may not run eztsh here'
    finish
fi
mkdir nob sticky
cp "$targets/p_app" "$targets/p_loop" "$targets/libp.so" nob
chown -R 65534:65534 nob
chmod 700 nob
chmod 1777 sticky
cd nob || exit 99
as() { timeout -k 5 $limit "$@" >../log 2>&1 </dev/null; }

cp "$(command -v id)" suid && chown 0 suid && chmod 4755 suid
if [ "$($nobody ./suid -u)" = 0 ]; then
    as $nobody "$eztsh" -nx -batch -ex run --args ./suid -u
    check 'a setuid program has no privileges under eztsh' has ../log '^65534$'
    cp "$(command -v sleep)" slow && chown 0 slow && chmod 4755 slow
    $nobody ./slow 600 &
    pid=$!
    children="$children $pid"
    until_ok 10 grep -q slow "/proc/$pid/comm"
    as $nobody "$eztsh" -nx -batch -p "$pid" -ex 'info registers'
    check 'one that runs cannot be attached to' has ../log '^ptrace: Operation not permitted\. The process changed its credentials|belongs to uid'
    kill -KILL "$pid"
else
    skip 'security: setuid programs, they have no effect here'
fi
target sleep 600
as $nobody "$eztsh" -nx -batch -p "$pid" -ex 'info registers'
check "another user's process" has ../log '^ptrace: Operation not permitted\. Process [0-9]+ belongs to uid 0, you are uid 65534'
kill -KILL "$pid"
cp p_app hidden && chown 0 hidden && chmod 711 hidden
as $nobody "$eztsh" -nx -batch -ex 'probe twice' -ex run -ex 'info probes' ./hidden
check 'a program that cannot be read' has ../log 'hidden: Permission denied'

# nobody's process, probed by nobody: what others see of it, and what is left of a killed shell
# shellcheck disable=SC2086
$nobody ./p_loop stop >../t.out 2>../t.err </dev/null 3>&- &
pid=$!
children="$children $pid"
until_ok 10 grep -q p_loop "/proc/$pid/comm"
mkfifo pipe && chmod 666 pipe
rm -f ../log # until_ok must not find the text of an earlier session
$nobody "$eztsh" -nx -p "$pid" <pipe >../log 2>&1 &
shell=$!
children="$children $shell"
exec 3>pipe
printf 'probe -count pulse\ncontinue &\n' >&3
until_ok 30 grep -q eztsh-rings "/proc/$pid/maps"
until_ok 30 has ../log '^Probe 1 '
for p in $pid $shell; do
    check 'others see no descriptor' sh -c "! $other ls /proc/$p/fd"
    check 'others see no mapping' sh -c "! $other cat /proc/$p/maps && ! $other ls /proc/$p/map_files"
    check 'others read no memory' sh -c "! $other head -c 1 /proc/$p/mem"
done
shell_kill
as $nobody "$eztsh" -nx -batch -p "$pid" -ex 'info probes'
check 'a killed shell: its user takes the probes away' has ../log '^Removed 1 probe of an earlier eztsh \(process [0-9]+\): Only root can read the counts of the probes\.'
check 'a killed shell: none is left' has ../log '^No probes\.'
check 'a killed shell: the text is the file'"'"'s' text_intact "$pid" "$PWD/p_loop"
kill -KILL "$pid"

# A stranger's link where the trace, the core, the state is to be.
cd ../sticky || exit 99
echo precious >../precious
for file in t.fxt core c.json log.txt; do $other ln -s ../precious "$file"; done
as "$eztsh" -nx -batch -ex 'trace start t.fxt' -ex 'probe twice' -ex start -ex 'gcore core' -ex 'continue' -ex 'trace stop' -ex 'convert t.fxt -o c.json' -ex 'set logging file log.txt' -ex 'set logging enabled on' -ex 'print 1' --args "$targets/p_app" 5
check 'nor is a log led away' has ../log '^log\.txt: (Too many levels of symbolic links|Permission denied)\.'
check "a stranger's links are not followed" same "$(cat ../precious)" precious
for file in t.fxt core c.json; do
    check "$file is a file, ours" same "$(stat -c '%F %u' $file)" 'regular file 0'
done
ln -s ../chosen.json mine.json
as "$eztsh" -nx -batch -ex 'convert t.fxt -o mine.json'
check 'your own link is followed' test -s ../chosen.json

# Commands that lie about.
mkdir ../rc
cd ../rc || exit 99
echo 'echo from the folder\n' >.eztshrc
timeout -k 5 $limit "$eztsh" -batch -ex 'print 1' >../log 2>&1 </dev/null
check './.eztshrc: not without trust' lacks ../log '^from the folder'
check './.eztshrc: that is told' has ../log 'auto-loading has been declined'
timeout -k 5 $limit "$eztsh" -batch -iex "set auto-load safe-path $PWD" -ex 'print 1' >../log 2>&1 </dev/null
check './.eztshrc: with trust' has ../log '^from the folder'

# A process of another PID namespace, seen from here; and a shell whose /proc is not its own.
cd .. || exit 99
if command -v unshare >/dev/null && unshare -p -f --mount-proc true 2>/dev/null; then
    target unshare -p -f --mount-proc "$targets/p_loop" stop
    inside() { inner=$(pgrep -P "$pid" -x p_loop); [ -n "$inner" ]; }
    until_ok 10 inside
    batch -p "$inner" -ex 'probe -count pulse' -ex 'info probes' -ex detach
    check 'another PID namespace: probed from the host' has log '^1 +both +count +armed .* pulse '
    kill -KILL "$inner"
    timeout -k 5 $limit unshare -p -f "$eztsh" -nx -batch -ex run --args "$targets/p_app" 3 >log 2>&1 </dev/null
    check 'no /proc of its own namespace: an error' has log '/proc'
else
    skip 'security: PID namespaces'
fi

# A program may name any file as its source.
mkfifo waits
for source in "$work/waits" /dev/zero /proc/self/mem; do
    printf '#line 1 "%s"\nint main(void)\n{\n    return 3;\n}\n' "$source" >named.c
    if ${CC:-gcc} -g -O0 -o named named.c 2>made; then
        timeout -k 5 60 "$eztsh" -nx -batch -ex start -ex 'list main' -ex 'print 42' ./named >log 2>&1 </dev/null
        check "a source that is $(basename "$source"): it is not opened" has log '^\$1 = 42$'
    fi
done
finish
