#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# again.sh - (fault 97) a process that is attached to, probed and let go of many times: what each time leaves in it
# (engine/patch/rt_trim.c, rt_refer.c). EZT_AGAIN=1000: so many times.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}
need "${cc%% *}"
XDG_CACHE_HOME=$work/cache; export XDG_CACHE_HOME
mkdir cache
times=${EZT_AGAIN:-12}

kib() { sed -n "s/^$1:[[:space:]]*\([0-9]*\) kB/\1/p" "/proc/$pid/status" "/proc/$pid/smaps_rollup"; }
mappings() { wc -l <"/proc/$pid/maps"; }
began() {
    rm -f stop call
    target "$@"
    until_ok 20 waits # in main: while the loader works, probes are pending
}
waits() { grep -qE '^(35|202|230) ' "/proc/$pid/syscall"; } # nanosleep, futex, clock_nanosleep
over() { # NAME PROG: the target's end
    check "$1: the code is as before" text_intact "$pid" "$2"
    touch stop
    reap "$pid"
    check "$1: the program ends well" same "$trc" 0
    rm -f ./*.fxt
}

# ---- nothing refers to our code: all is as before -------------------------------------------------

before= info= where=none
called() { # by the target, which stands in a deeper frame then
    touch call
    until_ok 20 eval '[ ! -e call ]'
}
visit() { # PROBE...: attach, plant, a hit, detach
    shell_start
    say "attach $pid"
    [ -z "$before" ] || say "$before"
    say "probe $*"
    say 'continue &'
    called
    say 'info probes'
    [ -z "$info" ] || say "$info"
    amid=$(mappings)
    say detach
    shell_end
}

as_before() { # NAME PROBE...
    what=$1
    shift
    began "$targets/p_refer" stop "$where"
    visit "$@" # the first reads pages of the program, which then count as its memory, and loads files
    vm=$(kib VmSize) maps=$(mappings) rss=$(kib Rss) i=0
    while [ $i -lt "$times" ]; do
        visit "$@"
        i=$((i + 1))
    done
    check "$what: a probe was hit" has log '^[0-9]+ .* armed .* [1-9][0-9]* .*work'
    check "$what: there was something to give back" [ "$amid" -gt "$maps" ]
    check "$what: addresses are as before" same "$(kib VmSize)" "$vm"
    check "$what: mappings are as before" same "$(mappings)" "$maps"
    check "$what: less than 4 KiB of memory each" [ $(($(kib Rss) - rss)) -lt $((4 * times)) ]
    over "$what" "$targets/p_refer"
    check "$what: all calls were made" has t.out "calls $((times + 1))"
}
as_before 'a counted entry' entry -count work
as_before 'counted' -count work
as_before 'recorded' work
before='set exit-mode slots'
as_before 'slots' -count work
before=
as_before 'collected' work collect '$arg0'

# The code of a specification, and a module: the file stays, and nothing else. With a second thread, a thread of
# eztsh's loads the file.
cat >work.spec <<'E2'
decl routine="work" code="static unsigned long calls;"
entry routine="work" code="calls++;"
exit routine="work" code="calls += ez_ret();"
E2
module_of() { # FUNCTION: a module that replaces it, with a guard
    cat >m_$1.c <<E2
#include <ezt_probe.h>
EZT_MODULE("$1", 0x20, "calls of $1")
EZT_EVENT(1, "push", "thread", "In $1")
EZT_EVENT(2, "pop", "thread", "")
EZT_REPLACE("$1", my_$1, orig_$1)
EZT_ORIG uintptr_t (*orig_$1)(uintptr_t);
EZT_EXPORT uintptr_t my_$1(uintptr_t a)
{
    struct ezt_frame f;
    if (!ezt_enter(&f))
        return orig_$1(a);
    ezt_event0(1);
    ezt_out(&f);
    uintptr_t r = orig_$1(a);
    ezt_in(&f);
    ezt_event0(2);
    ezt_leave(&f);
    return r;
}
E2
    check "a module for $1 is built" $cc -shared -fPIC -O2 -I"$top_srcdir/modules" -o m_$1.so m_$1.c
}
module_of deep
module_of usleep
for where in none thread; do
    before='spec load work.spec' info='info spec'
    as_before "a specification, $where" -count look
    check "a specification, $where: its code ran" has log '^work\.spec:3 +1 +1 '
    before='module load ./m_deep.so' info='info modules'
    as_before "a module, $where" -count work
    check "a module, $where: it recorded a call" has log '^deep +0x20 +in the process +1 +1 +0 +0 +2 '
done
before= info= where=none

# ---- a module's state of an earlier shell counts no more ----------------------------------------------

# The first shell sees that a lock is acquired, the second one that another lock is released.
cat >held.c <<'E2'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void wait_for(const char *file)
{
    while (access(file, F_OK))
        usleep(1000);
    unlink(file);
}
int main(void)
{
    wait_for("one");
    pthread_mutex_lock(&a);
    wait_for("two");
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    wait_for("three");
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    wait_for("four");
    return 0;
}
E2
check 'locks: the program is built' $cc -g -pthread -o held held.c
step() { # FILE: the program goes on, to where it waits for the next one
    next=$1
    : >"$next"
    until_ok 20 eval '[ ! -e "$next" ]'
    until_ok 20 waits
}
watched() { # FILE: a step that a shell sees
    shell_start -p "$pid"
    say 'module load pthread'
    say 'continue &'
    step "$1"
    say 'info modules'
    say detach
    shell_end
}
target ./held
until_ok 20 waits
watched one
rm -f ./*.fxt
step two
watched three
: >four
reap "$pid"
check 'locks: a release without an acquisition is no event' \
    same "$(awk '$1 == "pthread" && $2 == "0x52" { print $10 }' log)" 2
rm -f ./*.fxt

# ---- something does: that code stays, and none else --------------------------------------------------

for where in data heap shared stack; do
    began "$targets/p_refer" stop "$where"
    first=$(mappings) vm=$(kib VmSize)
    visit -count work
    check "an address in $where: our code stays" [ "$(mappings)" -gt "$first" ]
    maps=$(mappings)
    visit entry -count deep # its call puts another address in the place of ours
    check "an address in $where: that of the next shell goes" same "$(mappings)" "$maps"
    visit entry -count deep
    check "an address in $where: our code goes when the address has gone" same "$(mappings) $(kib VmSize)" "$first $vm"
    over "an address in $where" "$targets/p_refer"
done

# ---- a call is open: the hook for unwinders stays, and the next shell adopts the runtime ------------------

# "fence" keeps the first runtime below the second one, if there is a limit on addresses.
cat >open.c <<'E2'
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>
static _Unwind_Reason_Code frame(struct _Unwind_Context *c, void *n)
{
    (void)c;
    ++*(int *)n;
    return _URC_NO_REASON;
}
__attribute__((noinline)) int hold(int n)
{
    while (access("let", F_OK) && access("stop", F_OK))
        usleep(2000);
    unlink("let");
    return n + 1;
}
int main(void)
{
    unsigned long here = (unsigned long)__builtin_frame_address(0) & -4096ul;
    void *fence = mmap((void *)(here - (200ul << 30)), 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int calls = 0, frames = 0;
    while (access("stop", F_OK)) {
        calls += hold(0);
        _Unwind_Backtrace(frame, &frames);
        if (!access("unfence", F_OK) && !unlink("unfence"))
            munmap(fence, 4096);
    }
    puts("unwound");
    return 0;
}
E2
let() { # the call returns, and the next one begins
    : >let
    until_ok 20 eval '[ ! -e let ]'
}
stay() { # COMMAND OF DETACHING...: a visit with a call that is open at its end
    shell_start
    say "attach $pid"
    say 'probe -count hold'
    say 'continue &'
    let
    say 'info probes'
    say "$*"
    shell_end
}
check 'open: it is built' $cc -g -O1 -o open open.c -Wl,--no-as-needed -lgcc_s
began ./open
batch -p "$pid" -ex detach
first="$(kib VmSize) $(mappings)"
for how in detach 'detach -keep'; do
    [ "$(id -u)" = 0 ] || break # only root can adopt what `detach` leaves
    stay "$how"
    vm=$(kib VmSize) i=0
    check "open, $how: the runtime stays" [ "$vm" -gt "${first% *}" ]
    while [ $i -lt "$times" ]; do
        stay "$how"
        i=$((i + 1))
    done
    check "open, $how: it is used again" [ $(($(kib VmSize) - vm)) -lt 1024 ]
    for i in 1 2; do # after -keep, the first one removes the probe
        let
        batch -p "$pid" -ex detach
    done
    check "open, $how: all is as before when the call has returned" same "$(kib VmSize) $(mappings)" "$first"
done
over open ./open

# ---- a hook over an older hook, whose shell was killed: its code jumps to the older one's ------------------

# Both runtimes are small enough to be searched for addresses.
rm -f stop let
target sh -c 'ulimit -v 20000000; exec ./open'
until_ok 20 waits
stay detach
: >unfence
let
until_ok 20 test ! -e unfence
shell_start
say "attach -force $pid"
check 'hooks: the first one stays' has log 'keeps a hook of eztsh'
say 'probe -count hold'
say 'continue &'
let
until_ok 20 waits
shell_kill
let
let
until_ok 20 waits
batch -p "$pid" -ex detach
touch stop # it unwinds once more
reap "$pid"
check 'hooks: the program unwinds' same "$trc $(cat t.out)" '0 unwound'
rm -f stop ./*.fxt

# ---- a replacement returns after the detach ------------------------------------------------------------

# A handler runs on an alternate stack that is a local array. So the thread's stack pointer is above the frames that
# the signal interrupted, and a replacement of the module is in one of these.
cat >alt.c <<'E2'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t handled;
static void handler(int signal)
{
    (void)signal;
    close(open("inside", O_CREAT | O_WRONLY, 0600));
    while (access("back", F_OK))
        usleep(1000);
    handled = 1;
}
int main(void)
{
    char alt[65536];
    stack_t s = { .ss_sp = alt, .ss_size = sizeof alt };
    struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
    memset(alt, 0, sizeof alt);
    sigaltstack(&s, NULL);
    sigaction(SIGUSR1, &a, NULL);
    while (!handled)
        usleep(900000);
    puts("handled");
    return 0;
}
E2
check 'alternate stack: it is built' $cc -g -O1 -o alt alt.c
target ./alt
until_ok 20 waits
shell_start -p "$pid"
say 'module load ./m_usleep.so'
say 'continue &'
sleeps() { # in the replacement: more pushes than pops
    say 'info modules'
    events=$(sed -n 's/^usleep *0x20 *in the process *1 *1 *0 *0 *\([0-9]*\) .*/\1/p' log | tail -n 1)
    [ $((${events:-0} % 2)) = 1 ]
}
until_ok 20 sleeps
kill -USR1 "$pid"
until_ok 20 test -e inside
say interrupt
say detach
shell_end
check 'alternate stack: a call was in the replacement' [ "${events:-0}" -gt 0 ]
: >back
reap "$pid"
check 'alternate stack: the program ends well' same "$trc $(cat t.out)" '0 handled'
rm -f ./*.fxt

# ---- threads that run into probes until the shell stops them, and are in our code then ----------------

once() { batch -p "$pid" -ex "probe $*" -ex 'continue &' -ex 'info probes' -ex detach; }
again() { # NAME PROBE...
    what=$1
    shift
    began "$targets/p_loop" stop 4
    once "$@"
    vm=$(kib VmSize) rss=$(kib Rss) maps=$(mappings) i=0
    while [ $i -lt "$times" ] && [ "$rc" = 0 ]; do
        once "$@"
        i=$((i + 1))
    done
    check "$what: all attach" same "$rc" 0
    # of the last visit, whose attach has unmapped what the visits before it left
    check "$what: all leave less than 1 GiB of addresses" [ $(($(kib VmSize) - vm)) -lt 1048576 ]
    check "$what: less than 1 MiB of memory" [ $(($(kib Rss) - rss)) -lt 1024 ]
    check "$what: less than 64 mappings" [ $(($(mappings) - maps)) -lt 64 ]
    over "$what" "$targets/p_loop"
}
again 'hot, counted' -count pulse
again 'hot, recorded' pulse
again 'hot, all functions' -count -r .
again 'hot, collected' pulse collect '$arg0'
finish
