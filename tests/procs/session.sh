#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# session.sh - `save session` and `eztsh --check`: a session that marks itself.
. "${top_srcdir:-.}/tests/procs/lib.sh"
marks() { # FILE [PROG]: is every command as expected?
    timeout -k 5 $limit "$eztsh" --check "$@" >marked 2>&1 </dev/null
    rc=$?
}

cat >commands <<'END'
set args 2
start
info registers rip
x/2i $pc
probe answer
probe nosuch*(
info line answer
print $pc
print/x $sp - 8
syscall getpid
mmap 4096
info symbol answer
define twice
print $arg0 * 2
end
twice 21

# a comment
info threads
info proc
continue >/dev/null
info probes
save session work.ezt
echo not saved\n
END
"$eztsh" -nx -q "$targets/p_app" <commands >log 2>&1
check 'it is saved' has log "^Saved to file 'work.ezt'\.$"
check 'the program first' same "$(sed -n 2p work.ezt)" "file $targets/p_app"
check 'commands' has work.ezt '^print \$arg0 \* 2$'
check 'and what they printed' has work.ezt '^#\| \$1 = .*<main'
check 'errors, too' has work.ezt '^#\| Function "nosuch\*\(" not defined\.|^#\| .*nosuch'
check 'not what came behind it, nor itself' lacks work.ezt 'not saved|save session'
for n in 1 2; do
    marks work.ezt
    check "unaltered, run $n: as expected" same "$rc $(grep -c ' as expected\.$' marked) $(grep -c 'something else' marked)" "0 1 0"
done
marks work.ezt "$targets/p_app"
check 'with the program given' same $rc 0
altered() { # NAME LINE SED: is that command named?
    sed "$3" work.ezt >altered.ezt
    check "$1: it is altered" [ "$(cmp -s work.ezt altered.ezt; echo $?)" = 1 ]
    marks altered.ezt
    check "$1: status" same $rc 1
    check "$1: the command is named" has marked "^altered\.ezt:[0-9]+: \"$2\" prints something else:$"
    check "$1: one command" same "$(grep -c 'something else' marked)" 1
}
altered 'a number' 'twice 21' 's/^#| \$\([0-9]\) = 42/#| $\1 = 43/'
check 'expected' has marked '^  expected: \$[0-9] = 43$'
check 'and got' has marked '^  got: +\$[0-9] = 42$'
altered 'a line less' 'info threads' '/^#|.*Target Id/d'
altered 'a line more' 'info line answer' 's/^info line answer/&\n#| more/'
altered 'another command' 'print 41' 's/^print \$pc$/print 41/'
# one address where another one was: $pc is what `info registers` said
altered 'another address' 'print \$pc' '/^#| \$1 = /s/0x[0-9a-f]*/0x7fffffffe000/'
sed '/^info threads/,/^info proc/{/^#|/d;s/^info threads/&\n#| .../}' work.ezt >any.ezt
marks any.ezt
check 'any lines: where they are' same "$(grep -c '"info threads"' marked)" 0
sed 's/^twice 21/twice 20/' work.ezt | grep -v '^#|' >bare.ezt
marks bare.ezt
check 'without comments: nothing is expected' has marked '^  expected: \(nothing more\)$'
check 'the file is a script' sh -c "'$eztsh' -nx -batch -x bare.ezt >/dev/null 2>&1 || true"
marks nosuch.ezt
check 'no file: status' same $rc 1
check 'no file: why' has marked 'nosuch\.ezt: No such file or directory'
batch -ex 'save session nothing.ezt'
check 'nothing to save' has log '^Nothing to save\.$'
finish
