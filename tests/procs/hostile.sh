#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hostile.sh - debug information that says where a variable is by operations which never end, lead to themselves, or ask
# for more memory than there is: eztsh says that the value is not there, soon, and goes on with the next command.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc
cat >hostile.c <<'END'
typedef int list[3]; /* its entry is before that of twice: references to what comes behind victim would be wrong */
int twice(int n)
{
    list several = { 1, 2, 3 };
    int victim = 7;
    victim += n + several[0];
    return victim; /* HERE */
}
int main(int argc, char **argv) { return twice(argc) - 9; }
END
line=$(grep -n HERE hostile.c | cut -d: -f1)
gcc -g -gdwarf-5 -O0 -dA -S hostile.c -o whole.s || exit 99
grep -q 'DW_AT_name: "victim"' whole.s || { skip 'this gcc writes its assembly another way'; finish; }

# The operations in the place of those of victim, whose entry is .Lvictim.
with() { # LINE OF ASSEMBLY...
    printf '\t%s\n' "$@" >operations
    awk -v operations=operations '
        /Length of Compilation Unit Info/ { print "\t.long .Lend - .Lbegin\n.Lbegin:"; next }
        /\.section.*debug_abbrev/ { print ".Lend:" }
        /DW_TAG_variable\)/ { entry = $0; next }
        entry { print /"victim"/ ? ".Lvictim:\n" entry : entry; entry = "" }
        /"victim"/ { inside = 1 }
        inside && /DW_AT_location/ {
            print "\t.uleb128 .Lafter - .Lbefore\n.Lbefore:"
            while ((getline text < operations) > 0)
                print text
            print ".Lafter:"
            inside = 2
            next
        }
        inside == 2 && /DW_OP_fbreg|sleb128/ { next }
        { inside = inside == 2 ? 0 : inside; print }' whole.s >some.s
    gcc -o prog some.s 2>made
}
hostile() { # TITLE LINE...
    title=$1
    shift
    with "$@" || { fail "$title: it does not assemble" made; return; }
    begun=$(date +%s)
    batch -ex "break hostile.c:$line" -ex run -ex 'print victim' -ex 'print several' -ex 'print &victim' -ex 'print victim + n' \
        -ex 'set var victim = 4' -ex 'info locals' -ex 'info address victim' -ex 'info scope twice' -ex 'bt full' -ex 'print n' ./prog
    check "$title: the shell lives" [ "$rc" -le 1 ]
    check "$title: the next commands are right" has log '^\$[0-9]+ = \{1, 2, 3\}'
    check "$title: the last one, too" has log '^\$[0-9]+ = 1$'
    check "$title: within 20 seconds" [ $(($(date +%s) - begun)) -lt 20 ]
    check "$title: answers are short" [ "$(wc -c <log)" -lt 20000 ]
    batch -ex 'probe twice collect victim' -ex run ./prog
    check "$title: the program ends right" has log 'exited normally'
}
place='.long .Lvictim - .Ldebug_info0'
# What is right, first: the first four bytes of sixteen that are stored in the frame, as clang 19 writes of a struct.
at=$(awk '/"several"/ { inside = 1 } inside && /sleb128/ { print $2; exit }' whole.s)
with '.byte 0x91' ".sleb128 $at" '.byte 0x94, 16, 0x9f, 0x93, 4' || exit 99
batch -ex "break hostile.c:$line" -ex run -ex 'print victim' -ex 'info locals' ./prog
check 'a value of 16 bytes in memory' has log '^\$1 = 1$'
hostile 'a call of itself' '.byte 0x99' "$place"
hostile 'a jump to itself' '.byte 0x2f' '.value -3'
hostile 'a branch that is always taken' '.byte 0x31, 0x28' '.value -4'
hostile 'a pointer to itself' '.byte 0xf2' '.long .Lvictim - .Ldebug_info0' '.sleb128 0'
hostile 'a piece of 2^45 bytes' '.byte 0x50, 0x93' '.uleb128 0x200000000000'
hostile 'pieces that are pointers to itself' '.byte 0xf2' "$place" '.byte 0, 0x93, 8, 0xf2' "$place" '.byte 0, 0x93, 8'
hostile 'bits behind 2^45' '.byte 0x50, 0x9d' '.uleb128 0x200000000000' '.uleb128 0x200000000000'
hostile 'an empty stack' '.byte 0x22'
hostile 'a pick behind the end' '.byte 0x30, 0x15, 200'
hostile 'a drop of nothing' '.byte 0x13, 0x13'
hostile 'a division by zero' '.byte 0x31, 0x30, 0x1b'
hostile 'a value longer than its operations' '.byte 0x9e' '.uleb128 0x7fffff'
hostile 'a type that is not there' '.byte 0xa5, 5' '.uleb128 0x7ffff0'
hostile 'a register that is not there' '.byte 0x90' '.uleb128 0x7ffffff0'
nested=$(awk 'BEGIN { for (i = 60; i; i--) printf "0xa3, %d, ", 2 * i - 1; print "0x55" }')
hostile 'entry values of entry values' ".byte $nested"
hostile 'many operations' '.rept 60000' '.byte 0x31, 0x13' '.endr' '.byte 0x31'
finish
