#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# boot.sh - live processes on AArch64: a Debian kernel boots under qemu-system with nothing but
# eztsh, a program and their libraries, and sessions run there. EZT_ARM64_SYSROOT is the folder of
# libraries that `sysroot.sh -k` made; beside it lies the kernel. EZT_ARM64_BUILD has the eztsh that
# run.sh built.
#
# This takes two minutes, nearly all of it emulation.
#
# A session is run in the guest, its output comes back over the console, and lines of it are
# looked for here.
. "${top_srcdir:-.}/tests/env.sh"
sysroot=${EZT_ARM64_SYSROOT:-} build=${EZT_ARM64_BUILD:-}
cc=${EZT_ARM64_CC:-aarch64-linux-gnu-gcc}
kernel=$(ls "${sysroot%/*}"/kernel/boot/vmlinuz-* 2>/dev/null | head -n 1)
for tool in qemu-system-aarch64 cpio "$cc"; do
    command -v "$tool" >/dev/null || { skip "arm64 live: no $tool"; finish; }
done
[ -n "$kernel" ] && [ -e "$sysroot/bin/busybox" ] || { skip "arm64 live: no kernel: tests/arm64/sysroot.sh -k DIR, then EZT_ARM64_SYSROOT=DIR/sysroot"; finish; }
[ -x "$build/eztsh" ] || { skip "arm64 live: no eztsh for it: EZT_ARM64_BUILD=BUILD tests/arm64/run.sh"; finish; }

# ---- what the guest has --------------------------------------------------------------------------
root=$work/root
mkdir -p "$root/bin" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/lib/aarch64-linux-gnu"
cp "$sysroot/bin/busybox" "$root/bin"
for a in sh mount cat echo poweroff sleep kill; do ln -s busybox "$root/bin/$a"; done
needed() { # FILE: it, and the libraries that it needs
    for lib in $(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
        [ ! -e "$root/lib/aarch64-linux-gnu/$lib" ] || continue
        at=$(find "$sysroot/lib" "$sysroot/usr/lib" -name "$lib" 2>/dev/null | head -n 1)
        cp -L "$at" "$root/lib/aarch64-linux-gnu/$lib" && needed "$at"
    done
}
cp -L "$sysroot/lib/ld-linux-aarch64.so.1" "$root/lib"
cp "$build/eztsh" "$root/bin" && needed "$build/eztsh"
cat >live.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int compute(int x), add(int a, int b);
volatile long count;
__attribute__((noinline)) int compute(int x)
{
    count++;
    return x * 3;
}
__attribute__((noinline)) int add(int a, int b)
{
    return a + b;
}
int main(int argc, char **argv)
{
    const struct timespec t = { 0, 20000000 };
    int n = argc > 1 ? atoi(argv[1]) : 5, s = 0;
    for (int i = 0; i < n; i++) {
        s = add(s, compute(i));
        if (argc > 1)
            nanosleep(&t, NULL);
    }
    printf("sum %d, count %ld\n", s, count);
    return 7;
}
C
"$cc" --sysroot="$sysroot" -g -O1 -o "$root/live" live.c || { fail "a program for AArch64"; finish; }

cat >"$root/run.ezt" <<'EZT'
file /live
start
info registers pc
info registers
stepi
stepi 5
info registers sp
disassemble compute
x/2i compute
syscall getpid
mmap 4096
call add(40, 2)
call compute(5)
measure compute
probe compute
why compute
probe -r .
info threads
info proc
info sharedlibrary
continue
EZT
cat >"$root/attach.ezt" <<'EZT'
info threads
info registers pc
syscall getppid
call add(1, 2)
stepi
continue &
interrupt
info mappings
detach
EZT
cat >"$root/init" <<'INIT'
#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
export TERM=dumb # no colours
echo @@BEGIN
eztsh -nx -q </run.ezt 2>&1
echo "@@END $?"
/live 1000 &
pid=$!
sleep 1
eztsh -nx -q -p $pid </attach.ezt 2>&1
echo "@@END $?"
kill -0 $pid && wait $pid
echo "@@END $?"
/live 4000 &
pid=$!
sleep 1
n=1 # an injection during which the shell dies, at each of its calls of ptrace
while [ $n -lt 60 ] && ! EZ_FAULT=any:$n:DIE eztsh -nx -q -batch -p $pid -ex 'syscall getppid' >/tmp/out 2>&1; do
    n=$((n + 1))
done
kill -0 $pid || echo "@@GONE"
wait $pid
echo "@@DIED $? after $((n - 1))"
poweroff -f
INIT
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >image

# ---- it runs -------------------------------------------------------------------------------------
timeout 2000 qemu-system-aarch64 -M virt -cpu max -smp 2 -m 1024 -nic none \
    -nographic -no-reboot -kernel "$kernel" -initrd image \
    -append "console=ttyAMA0 quiet panic=-1" </dev/null 2>&1 | tr -d '\r' >console
sed -n '/^@@BEGIN/,$p' console >log
[ -s log ] || { fail "the guest boots" console; finish; }
[ -z "${EZT_SHOW:-}" ] || cat log
head -n 30 log >first
sed -n '31,60p' log >second
line() { # NAME REGEX
    if grep -qE "$2" log; then pass "$1"; else fail "$1" first second; fi
}
line "start" '^Temporary breakpoint 1, main \(.*\) at '
line "stepi" '^0x[0-9a-f]+ in main|^[0-9]+	in |^0x0000[0-9a-f]+ '
line "info registers" '^x30 +0x[0-9a-f]+'
line "disassemble in a process" '^=> |^   0x[0-9a-f]+ <\+0>:'
line "syscall" '^\$_ = 0x1 \(1\)$'
line "call" '^\$[0-9]+ = 42$'
line "no strategy" '^eztsh cannot plant probes on aarch64 yet\.$'
line "the program ends right" '^sum 30, count 6$'
line "its status" 'exited with code 07'
line "the one that was attached to goes on" '^@@END 7'
if grep -qE '^@@DIED .* after 0$' log; then
    skip "shells that die: eztsh is built without --enable-fault-injection"
else
    line "shells that die during an injection leave the program whole" '^@@DIED 7 after [1-4][0-9]$'
fi
finish
