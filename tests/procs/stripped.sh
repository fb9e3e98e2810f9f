#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stripped.sh - programs and libraries without a symbol table: their functions are found
# by .eh_frame, named fde_ADDRESS, and carry probes like any other (fault 14).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
need strip
need nm

# start FILE SYMBOL: the symbol's address in the file, as fde_ADDRESS
start() { nm "$1" | awk -v f="$2" '$3 == f { sub(/^0+/, "", $1); print "fde_" $1; exit }'; }

cp "$targets/p_app" full
strip -o p_app full
strip -o libp.so "$targets/libp.so"
area=$(start full area) twice=$(start full twice) inner=$(start "$targets/libp.so" lib_inner)
./p_app 5 >native.out

batch -ex "probe -count $area $twice" -ex "probe -count libp:$inner" -ex 'probe -count lib_mix' \
    -ex 'run 5 >t.out' -ex 'info probes' ./p_app
check "the session succeeds" same "$rc" 0
check "the program runs as without probes" cmp native.out t.out
check "a local function of the program" same "$(hits 1)" 5
check "its caller" same "$(hits 2)" 5
check "a local function of a library, from its constructor on" same "$(hits 3)" 8
check "a name that .dynsym keeps" same "$(hits 4)" 5

# main is known all the same, by the start-up code that calls it; not in a program without libc.
batch -ex start ./p_app
check "start stops at main" has log '^Temporary breakpoint 1, (0x[0-9a-f]+ in )?main \(\)'
echo '.globl _start; _start: mov $60,%eax; xor %edi,%edi; syscall' >bare.s
$CC -nostdlib -static -s -o bare bare.s
batch -ex start ./bare
check "start, where there is no main" \
    has log '^Function "main" not defined\. The program has no symbol main: use "run"'

beat=$(start "$targets/p_loop" beat)
strip -o p_loop "$targets/p_loop"
target ./p_loop stop
batch -p "$pid" -ex "why $beat" -ex "info functions ^$beat\$" -ex "probe -count -r '^$beat\$'" \
    -ex "info symbol $beat"
check "why" has log "^$beat \(p_loop\) at 0x"
check "info functions" has log "^0x[0-9a-f]* +program +$beat \[local\]"
check "probe -r" has log '^Planted 1 of 1 matched'
check "info symbol" has log "^$beat in section \.text"
batch -p "$pid" -ex "info functions"
check "no slot of a PLT is taken for a function" python3 - <<'PY'
import re
plt, fde = set(), set()
for line in open("log"):
    m = re.match(r"(0x[0-9a-f]{16}) +\S+ +(\S+)(.*)", line)
    if m and ("[plt]" in m[3] or m[2].startswith("fde_")):
        (plt if "[plt]" in m[3] else fde).add(m[1])
assert plt and fde and not plt & fde, (len(plt), len(fde), plt & fde)
PY

# ---- main -------------------------------------------------------------------------------
# main has no name, but the start-up code leads to it: `start` works as with symbols.
cat >hi.c <<'END'
#include <stdio.h>
static int other(void) { return printf("hi\n"); }
int main(void) { return other() == 3 ? 0 : 7; }
END
finds_main() { # NAME COMMAND...: compile hi.c to hi
    label=$1
    shift
    "$@" hi.c -o hi 2>cc.err || { skip "$label: cannot be built here"; return; }
    main=$(nm hi | awk '$3 == "main" { print $1 }')
    strip hi
    batch -ex start -ex 'probe -count main' -ex 'info address main' -ex continue -ex 'info probes' ./hi
    check "$label: start stops there" has log '^Temporary breakpoint 1, (0x[0-9a-f]+ in )?main'
    check "$label: it is where nm says" has log "${main#?????????????}"
    check "$label: probed, called once by start" same "$(hits 1)" 1
    check "$label: the program ends right" has log 'exited normally'
}
finds_main "main" cc -O2
finds_main "main, no PIE" cc -O2 -no-pie
finds_main "main, static" cc -O0 -static
finds_main "main, static PIE" cc -O2 -static-pie
finds_main "main, CET" cc -fcf-protection=full
finds_main "main, clang" clang -O2
finds_main "main, musl" musl-gcc -O2
finds_main "main, static musl" musl-gcc -O2 -static
# a program without such start-up code has no known main
cat >bare.S <<'END'
    .globl _start, other
    .text
_start:
    .cfi_startproc
    lea other(%rip), %rdi
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
other:
    .cfi_startproc
    ret
    .cfi_endproc
END
cc -nostdlib -static bare.S -o bare && strip bare
batch -ex start ./bare
check "no main: start says so" has log '^Function "main" not defined'

# ---- an unlikely part in which the CFA is where a call leaves it -----------------------------------
# f jumps to its part under a condition; so does g to the function after it, and k to one that main
# calls, for tail calls.
cat >parts.S <<'END'
    .text
    .globl main
f:
    .cfi_startproc
    test %edi, %edi
    js f.cold
    lea 1(%rdi), %eax
    ret
    .cfi_endproc
    .section .text.unlikely, "ax"
f.cold:
    .cfi_startproc
    mov $3, %eax
    ret
    .cfi_endproc
unlikely:
    .cfi_startproc
    xor %eax, %eax
    ret
    .cfi_endproc
    .text
g:
    .cfi_startproc
    test %edi, %edi
    js h
    ret
    .cfi_endproc
h:
    .cfi_startproc
    mov $4, %eax
    ret
    .cfi_endproc
k:
    .cfi_startproc
    test %edi, %edi
    js l
    ret
    .cfi_endproc
    .section .text.unlikely, "ax"
l:
    .cfi_startproc
    mov $5, %eax
    ret
    .cfi_endproc
    .text
main:
    .cfi_startproc
    mov $-1, %edi
    call k
    call l
    call f
    call g
    call unlikely
    ret
    .cfi_endproc
    .section .note.GNU-stack, "", @progbits
END
if cc -o parts parts.S 2>cc.err; then
    strip -o bare parts
    batch -ex 'info functions' ./bare
    cp log listed
    at() { nm parts | awk -v n="$1" '$3 == n { print $1 }'; }
    check "parts: an unlikely part is no function" has listed "^0x$(at f.cold) .*\[cold\]$"
    for name in f unlikely g h k l; do
        check "parts: $name is a function" has listed "^0x$(at $name) .*fde_[0-9a-f]+ \[local\]$"
    done
else skip "parts: cannot be built here"; fi

# ---- entries that overlap --------------------------------------------------------------------------
# A thousand times the entry of a long function, then that of a part to which it jumps. To search the
# function each time would take minutes.
cat >overlap.S <<'END'
    .macro entry from, to
10: .long 12f - 11f
11: .long 11b - cie, \from - ., \to - \from
    .byte 0, 0, 0, 0
12:
    .endm
    .text
    .globl main
main: xor %eax, %eax
    ret
long: .fill 4000000, 1, 0x90
    js part
    ret
long_end: .fill 4096, 1, 0x90
part: mov $1, %eax
    ret
part_end:
    .section .eh_frame, "a", @progbits
cie: .long cie_end - cie_id
cie_id: .long 0
    .byte 1
    .asciz "zR"
    .byte 1, 0x78, 16, 1, 0x1b # pcrel, 4 bytes
    .byte 0x0c, 7, 8, 0x90, 1  # CFA: rsp + 8; return address: CFA - 8
    .byte 0, 0, 0
cie_end:
    .rept 3000
    entry long long_end
    entry part part_end
    .endr
    .long 0
    .section .note.GNU-stack, "", @progbits
END
if cc -Wl,--no-eh-frame-hdr -o overlap overlap.S 2>cc.err; then
    strip -o bare overlap
    was=$limit limit=100
    batch -ex 'info functions fde' ./bare
    limit=$was
    check "overlapping entries: read in time" same $rc 0
    check "overlapping entries: the part is one" has log "^0x0*$(nm overlap | awk '$3 == "part" { print $1 }' | sed 's/^0*//') .*\[cold\]$"
else skip "overlapping entries: cannot be built here"; fi

# ---- how many ---------------------------------------------------------------------------
# The starts that nm names in the file, against those that the stripped copy yields.
compare() { # NAME FILE
    cp "$2" ref
    strip -o bare ref
    batch -ex 'info functions' ./bare
    nm -f posix ref >ref.nm
    check "$1: starts as nm names them" python3 - "$1" <<'PY'
import re, sys
starts, cold = set(), set()
# of the C start-up files, and written without an entry; data_start is no code
known = """_init _fini deregister_tm_clones register_tm_clones __do_global_dtors_aux frame_dummy
data_start""".split()
for line in open("ref.nm"):
    f = line.split()
    if len(f) >= 3 and f[1] in "tTwWi" and f[0] not in known:
        (cold if re.search(r"\.cold(\.|$)", f[0]) else starts).add(int(f[2], 16))
cold -= starts
ours, halves = set(), set()
for line in open("log"):
    m = re.match(r"0x([0-9a-f]{16}) +\S+ +\S.*", line)
    if m and "[plt]" not in line:
        (halves if "[cold]" in line else ours).add(int(m[1], 16))
print(f"figure: {sys.argv[1]}: {len(starts & ours)} of {len(starts)} functions found "
      f"({100 * len(starts & ours) / len(starts):.2f} %), {len(ours - starts)} starts besides, "
      f"{len(ours & cold)} of them of {len(cold)} cold halves", file=sys.stderr)
sys.exit(not (len(starts & ours) >= 0.97 * len(starts) and len(ours - starts) <= 0.01 * len(starts) + 1))
PY
    grep '^figure: ' check.out
}
compare "a test program" full
compare "eztsh" "$eztsh"
# A static program has the code of the distribution's C library.
cat >static.c <<'END'
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
static volatile int rounds;
__attribute__((noinline)) static void leave(int n) { rounds++; longjmp(back, n); }
int main(void)
{
    volatile int sum = 0;
    for (int i = 1; i <= 5; i++) {
        int n = setjmp(back);
        if (!n)
            leave(i);
        sum += n;
    }
    return printf("%d %d\n", sum, rounds) < 0;
}
END
if ${CC:-cc} -O2 -static -o static static.c 2>static.err; then
    compare "a static program" static
    # functions that are refused exit probes by name have no names here
    ./static >native.out
    setjmp=$(start static __sigsetjmp)
    batch -ex "probe -count -r '.'" -ex 'run >t.out' -ex 'info coverage' ./bare
    check "a static program: exits are refused" has log 'refused: without a name'
    check "a static program: that entries would do is said" \
        has log '^Note: "probe entry" may be possible for [0-9]+ of the refused'
    check "a static program: runs as without probes" cmp native.out t.out
    check "a static program: its start is known" has log 'refused: it never returns'
    batch -ex "probe -count entry -r '.'" -ex 'run >t.out' -ex 'info probes' ./bare
    check "a static program: entries of all functions" cmp native.out t.out
    count=$(awk -v f="$setjmp" '$7 == f { print $6 }' log)
    batch -ex "probe -count entry -r '.'" -ex 'run >t.out' -ex 'info probes' ./ref
    check "a static program: counts are those of the named functions" same "$count" \
        "$(awk '$7 == "__sigsetjmp" { print $6 }' log)"
    check "a static program: setjmp is counted" [ "${count:-0}" -ge 5 ]
else
    skip "a static program: no static C library"
fi

# ---- a separate debug file that only a checksum names ----------------------------------------------
{
    echo 'static int __attribute__((noinline, used)) local_one(int x) { return x + 1; }'
    i=0 # so large that the file is read in several parts
    while [ $i -lt 400 ]; do
        echo "int filler_$i(int x) { return x * $i + local_one(x); }"
        i=$((i + 1))
    done
    echo 'int main(void) { return local_one(41) - 42; }'
} >linked.c
if ${CC:-cc} -g -O1 -Wl,--build-id=none linked.c -o linked 2>cc.err && command -v objcopy >/dev/null; then
    objcopy --only-keep-debug linked linked.debug
    strip -s linked
    objcopy --add-gnu-debuglink=linked.debug linked
    check "debuglink: the file is larger than what is read at once" [ "$(wc -c <linked.debug)" -gt 65536 ]
    batch -ex 'info address local_one' ./linked
    check "debuglink: found by name and checksum" has log '^Symbol "local_one" is a function at address 0x.*linked\.c:1'
    mkdir elsewhere && cp linked elsewhere && mkdir elsewhere/.debug && cp linked.debug elsewhere/.debug
    batch -ex 'info address local_one' elsewhere/linked
    check "debuglink: found in .debug" has log '^Symbol "local_one" is a function'
    printf x | dd of=linked.debug bs=1 seek=40000 conv=notrunc 2>dd.err
    batch -ex 'info address local_one' ./linked
    check "debuglink: another file of that name is not it" has log '^No symbol "local_one" in current context'
else
    skip "debuglink: $(head -n 1 cc.err)"
fi
finish
