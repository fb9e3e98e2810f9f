#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# denied.sh - what eztsh says if the system denies a call: descriptors, processes, hardware breakpoints, rights.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cat >deny.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
/* DENY=CALL:N has the Nth such call of the process fail with EMFILE. */
static int denied(const char *call)
{
    static int seen;
    const char *which = getenv("DENY");
    size_t n = strlen(call);
    if (!which || strncmp(which, call, n) || which[n] != ':' || ++seen != atoi(which + n + 1))
        return 0;
    errno = EMFILE;
    return 1;
}
#define DENIED(type, call, params, args)                                 \
    type call params                                                     \
    {                                                                    \
        type (*real) params = (type (*) params)dlsym(RTLD_NEXT, #call);  \
        return denied(#call) ? (type)-1 : real args;                     \
    }
/* A process with UNDUMPABLE in its environment cannot be attached to by its user. */
__attribute__((constructor)) static void undumpable(void)
{
    if (getenv("UNDUMPABLE"))
        prctl(PR_SET_DUMPABLE, 0);
}
DENIED(pid_t, fork, (void), ())
DENIED(int, pipe2, (int fd[2], int flags), (fd, flags))
DENIED(int, memfd_create, (const char *name, unsigned flags), (name, flags))
DENIED(int, socketpair, (int domain, int type, int protocol, int fd[2]), (domain, type, protocol, fd))
DENIED(int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags))
END
says() { # CALL:N MESSAGE COMMAND...
    denied=$1 message=$2
    shift 2
    for c in "$@"; do set -- "$@" -ex "$c"; shift; done
    timeout -k 5 $limit env DENY="$denied" LD_PRELOAD=./deny.so "$eztsh" -nx -batch "$@" >log 2>&1 </dev/null
    check "denied $denied: $message" has log "^$message: Too many open files\.$"
}
if ${CC:-cc} -shared -fPIC -O1 -o deny.so deny.c -ldl 2>cc.err && LD_PRELOAD=./deny.so "$eztsh" -nx -batch >log 2>&1; then
    says signalfd:1 'Cannot make a signalfd' 'echo hi\n'
    says fork:1 'Cannot fork' 'shell true'
    says fork:1 'Cannot fork' 'pipe show version | cat'
    says pipe2:1 'Cannot make a pipe' 'pipe show version | cat'
    says pipe2:2 'Cannot make a pipe' 'pipe show version | cat'
    says memfd_create:1 'Cannot keep the output of a command' 'print $_json("info probes", "x")'
    batch -ex 'probe twice' -ex 'run 2' "$targets/p_app"
    says socketpair:1 'Cannot create a pair of sockets' "convert -t paje -o out.paje $(echo p_app-*.fxt)"
else
    skip "denied calls: no library could be made, or eztsh does not run with it"
fi

sh -c 'ulimit -n 5; exec "$0" --interpreter=json' "$eztsh" >log 2>&1 </dev/null
check 'no descriptor for the machine interface' has log '^Cannot use standard input and output: Too many open files\.$'

# ---- the log of ptrace calls, and the session's own record -----------------------------------------------------
(ulimit -f 1 && exec timeout -k 5 $limit "$eztsh" -nx -batch -ptrace-log=calls -ex start -ex 'stepi 100' -ex kill \
    "$targets/p_app" >log 2>&1 </dev/null)
check 'a log that is full: said at its end' has log '^The log of ptrace calls was not written to its end'
batch -ex 'info functions' -ex 'info functions' -ex 'save session session' "$targets/p_many"
check 'a session that printed too much' has log '^The session printed more than the 16 MiB that eztsh keeps\.$'

# ---- hardware breakpoints ---------------------------------------------------------------------------------------
if faults; then
    while IFS=: read -r site errno hint; do
        EZ_FAULT=$site:0:$errno
        export EZ_FAULT
        shell_start "$targets/p_app"
        say start
        say 'mmap 4096 rwx'
        at=$(sed -n 's/^\$_ = \(0x[0-9a-f]*\) .*/\1/p' log)
        say "set var *(unsigned short *)$at = 0xfeeb"
        say "set var *(unsigned char *)($at + 2) = 0xcc"
        say "break *$at"
        say continue
        check "$errno: a jump to itself" has log "^Cannot insert breakpoint at $at: the instruction jumps to itself\. $hint\.$"
        say 'delete 2'
        say "break *$(printf '0x%x' $((at + 2)))"
        say continue
        check "$errno: a trap instruction" has log "^Cannot insert breakpoint at 0x[0-9a-f]*: a trap instruction is already at this address\. $hint\.$"
        say delete
        say 'watch *(int *)$sp'
        say continue
        say kill
        shell_end
        unset EZ_FAULT
        mv log "$errno.log"
    done <<'END'
perf:EACCES:A hardware breakpoint is possible if the sysctl kernel\.perf_event_paranoid is 2 or less
perf:ENOSPC:The processor's four debug registers are in use: disable other breakpoints
hwbreak:ENODEV:Hardware breakpoints never fire on this machine
END
    check 'EACCES: watch' has EACCES.log '^Cannot insert hardware breakpoints\. The sysctl kernel\.perf_event_paranoid must be 2 or less\.$'
    check 'ENOSPC: watch' has ENOSPC.log '^Could not insert hardware breakpoints: You may have requested too many hardware breakpoints/watchpoints\. The processor can watch four places: disable some watchpoints\.$'
    EZ_FAULT=hwbreak:0:ENODEV
    export EZ_FAULT
    batch -ex start -ex 'probe twice' -ex 'film twice' "$targets/p_app"
    check 'no hardware breakpoints: film' has log '^Cannot stop at 0x[0-9a-f]*: no hardware breakpoint is available\.$'
    unset EZ_FAULT
else
    skip 'hardware breakpoints: built without fault injection'
fi

# ---- Yama: this kernel may not have it, so a file stands for its sysctl ------------------------------------------
yama() { # SCOPE PID: attaches as another user; says in log why that is not possible
    unshare -m sh -c 'mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama &&
        echo "$1" >/proc/sys/kernel/yama/ptrace_scope && exec "$2" -nx -batch -p "$3"' sh "$1" "$theirs/user" "$2" >log 2>&1 </dev/null
}
if ! other_user; then
    skip "Yama: $why_not"
elif [ ! -f deny.so ]; then
    skip 'Yama: no library could be made'
elif ! unshare -m mount -t tmpfs none /proc/sys/kernel 2>/dev/null; then
    skip 'Yama: no mount namespaces here'
else
    sleep 1000 &
    victim=$!
    UNDUMPABLE=1 LD_PRELOAD=$work/deny.so $as sleep 1000 &
    own=$!
    children="$children $victim $own"
    until_ok 20 sh -c '[ "$(cat "/proc/$0/comm")$(stat -c %u "/proc/$0/mem")" = sleep0 ]' "$own"
    yama 3 "$victim"
    check 'Yama 3' has log '^ptrace: Operation not permitted\. The sysctl kernel\.yama\.ptrace_scope is 3: nobody may attach until the next boot\.$'
    yama 2 "$victim"
    check 'Yama 2' has log '^ptrace: Operation not permitted\. The sysctl kernel\.yama\.ptrace_scope is 2: only root may attach; run eztsh with sudo\.$'
    yama 1 "$own"
    check 'Yama 1' has log '^ptrace: Operation not permitted\. The sysctl kernel\.yama\.ptrace_scope is 1: only an ancestor or root may attach; launch the program with eztsh, or "sudo sysctl kernel\.yama\.ptrace_scope=0"\.$'
fi
finish
