/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_inject.c - system calls in a thread of the target, in both ways (from a block, and by
 * steps): what is refused, what comes back, and that the thread, its signals and whatever it slept
 * in are what they were. */
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>

#include "engine/inferior/guard.h"
#include "tests/unit/child.h"
#include "tests/unit/suite.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/thread.h"

static bool by_steps;
uint64_t __real_ez_restorer_for(struct ez_target *x, struct ez_thread *th);
uint64_t __wrap_ez_restorer_for(struct ez_target *x, struct ez_thread *th);
uint64_t __wrap_ez_restorer_for(struct ez_target *x, struct ez_thread *th)
{
    uint64_t at = __real_ez_restorer_for(x, th);
    ck_assert(at); /* there is room for a block in this program */
    return by_steps ? 0 : at;
}

static int64_t inject(struct ez_thread *th, long nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                      uint64_t e, uint64_t f)
{
    const uint64_t arg[6] = { a, b, c, d, e, f };
    int64_t r = 4711;
    must(ez_inject_syscall(t, th, nr, arg, &r, "test"));
    return r;
}

static int64_t ask_pid(struct ez_thread *th)
{
    return inject(th, SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* ---- what is asked ------------------------------------------------------------------------- */

static bool among(long nr, const long *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == nr)
            return true;
    return false;
}

START_TEST(refused_calls)
{
    static const long sleepers[] = { SYS_nanosleep,      SYS_clock_nanosleep, SYS_poll,
                                     SYS_ppoll,          SYS_futex,           SYS_restart_syscall,
                                     SYS_pause,          SYS_select,          SYS_pselect6,
                                     SYS_epoll_wait,     SYS_epoll_pwait,     SYS_rt_sigsuspend,
                                     SYS_rt_sigtimedwait };
    static const long ends[] = { SYS_execve, SYS_execveat, SYS_rt_sigreturn, SYS_vfork,
                                 SYS_fork,   SYS_clone,    SYS_clone3 };
    const uint64_t arg[6] = { 0 };
    int64_t r;
    must(ez_target_create(&t));
    for (long nr = 0; nr < 500; nr++) {
        const char *text = "The process has no live thread that could test";
        enum ez_code code = EZ_E_GONE;
        char want[160];
        if (among(nr, sleepers, EZ_ARRAY_LEN(sleepers))) {
            text = "Cannot inject system call %ld: it restarts when it is interrupted, and would "
                   "disturb a sleeping thread";
            code = EZ_E_RESTART;
        } else if (among(nr, ends, EZ_ARRAY_LEN(ends))) {
            text = "Cannot inject system call %ld: it replaces or copies the process";
            code = EZ_E_ARG;
        }
        snprintf(want, sizeof want, text, nr);
        ez_err *e = ez_inject_syscall(t, NULL, nr, arg, &r, "test");
        ck_assert_ptr_nonnull(e);
        ck_assert_int_eq(e->code, code);
        ck_assert_str_eq(why_not(e), want);
    }
    struct ez_copy copy;
    ck_assert_str_eq(why_not(ez_inject_copy(t, NULL, &copy)),
                     "The process has no live thread that could fork a copy of the process");
    close_target();
}
END_TEST

START_TEST(which_thread)
{
    must(ez_target_create(&t));
    ck_assert_ptr_null(ez_inject_thread(t));
    struct ez_thread *a = ez_thread_add(t, 11), *b = ez_thread_add(t, 12),
                     *c = ez_thread_add(t, 13);
    ck_assert_ptr_eq(ez_inject_thread(t), a); /* better than no thread */
    a->stopped = b->stopped = c->stopped = true;
    ck_assert_ptr_eq(ez_inject_thread(t), a);
    a->group_stop = true;
    ck_assert_ptr_eq(ez_inject_thread(t), b);
    b->sig = SIGUSR1;
    ck_assert_ptr_eq(ez_inject_thread(t), c);
    c->stopped = false;
    ck_assert_ptr_eq(ez_inject_thread(t), a);
    close_target();
}
END_TEST

static void works_alone(void)
{
    handle(SIGUSR1);
    work(0);
}

/* The ends of all that is executable: where a block is borrowed. */
static size_t ends_of_code(uint8_t *out, size_t most)
{
    struct ez_maps maps;
    size_t n = 0;
    must(ez_maps_read(child, &maps));
    for (size_t i = 0; i < maps.map.n; i++) {
        const struct ez_map *m = &maps.map.at[i];
        if (m->perm[2] != 'x' || *m->name != '/' || n + EZ_RESTORER_BYTES > most)
            continue;
        must(ez_mem_read(t, m->hi - EZ_RESTORER_BYTES, out + n, EZ_RESTORER_BYTES));
        n += EZ_RESTORER_BYTES;
    }
    ez_maps_free(&maps);
    return n;
}

START_TEST(a_thread_is_what_it_was)
{
    static uint8_t before[16384], after[16384];
    static const char text[] = "0123456789";
    static char got[16];
    static struct {
        const void *at;
        uint64_t n;
    } from = { text, 10 }, to = { got, 10 };
    by_steps = _i;
    begin(works_alone, 1);
    attach();
    struct ez_thread *th = only();
    struct user_regs_struct was = regs_of(th), now;
    must(pt_setsigmask(child, 0x1200, "test"));
    size_t n = ends_of_code(before, sizeof before);
    ck_assert_int_eq(ask_pid(th), child);
    ck_assert_int_eq(inject(th, SYS_close, (uint64_t)-1, 0, 0, 0, 0, 0), -EBADF);
    /* each of six arguments */
    const uint64_t iov = (uintptr_t)&to, there = (uintptr_t)&from;
    ck_assert_int_eq(inject(th, SYS_process_vm_readv, (uint64_t)child, iov, 1, there, 1, 0), 10);
    ck_assert_int_eq(inject(th, SYS_process_vm_readv, (uint64_t)child, iov, 1, there, 1, 1),
                     -EINVAL);
    ck_assert_int_eq(inject(th, SYS_process_vm_readv, (uint64_t)child, iov, 1, there, 0, 0), 0);
    must(ez_mem_read(t, (uintptr_t)got, got, sizeof got));
    ck_assert_str_eq(got, text);
    now = regs_of(th);
    ck_assert_mem_eq(&now, &was, sizeof now);
    uint64_t mask;
    must(pt_getsigmask(child, &mask, "test"));
    ck_assert_uint_eq(mask, 0x1200);
    ck_assert(th->stopped && !th->sig && !th->group_stop);
    ck_assert_uint_eq(ends_of_code(after, sizeof after), n);
    ck_assert_mem_eq(before, after, n);
    ck_assert_int_eq(t->inf.free_of_filters.tid, child);
    ck_assert_uint_eq(t->inf.free_of_filters.when, pt_resumes());
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* The signal that the thread was stopped by is there again afterwards, with its details, reported to
 * us already or not. */
START_TEST(a_signal_in_hand)
{
    by_steps = _i;
    begin(works_alone, 1);
    attach();
    struct ez_thread *th = only();
    for (int reported = 0; reported < 2; reported++) {
        send_value(SIGUSR1, 5 + reported);
        step(th, false);
        th->reported = reported;
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(ask_pid(th), child);
            ck_assert_int_eq(th->sig, SIGUSR1);
            ck_assert(by_steps || th->reported == reported);
            ck_assert(th->has_info && !pends(SIGUSR1));
            ck_assert_int_eq(th->info.si_value.sival_int, 5 + reported);
        }
        must(ez_continue(t, true, -1));
        while (s->times[SIGUSR1] <= reported)
            usleep(100);
        ck_assert_int_eq(s->value[SIGUSR1], 5 + reported);
        ck_assert_int_eq(s->code[SIGUSR1], SI_QUEUE);
        must(ez_interrupt(t));
        th = only();
        ck_assert_int_eq(th->sig, 0);
    }
    must(ez_continue(t, true, -1));
    works(0);
    ck_assert_int_eq(s->times[SIGUSR1], 2);
    ends_well();
}
END_TEST

/* A signal that comes during the call waits until the thread goes on; a stop by job control stays a
 * stop. */
START_TEST(signals_meanwhile)
{
    by_steps = _i;
    begin(works_alone, 1);
    attach();
    struct ez_thread *th = only();
    send_value(SIGUSR1, 1);
    ck_assert_int_eq(ask_pid(th), child);
    ck_assert_int_eq(s->times[SIGUSR1], 0);
    must(ez_continue(t, true, -1));
    while (!s->times[SIGUSR1])
        usleep(100);
    kill(child, SIGSTOP);
    int status;
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    must(ez_interrupt(t));
    th = only();
    ck_assert(th->group_stop);
    ck_assert_int_eq(ask_pid(th), child);
    must(ez_continue(t, true, -1));
    unsigned long was = s->beat[0];
    usleep(5000);
    ck_assert_uint_eq(s->beat[0], was);
    kill(child, SIGCONT);
    while (s->beat[0] == was)
        usleep(100);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    ends_well();
}
END_TEST

/* ---- sleepers --------------------------------------------------------------------------------- */

enum { SLEEPERS = 6, SLEEP_MS = 500 };
static const long sleeps_in[SLEEPERS] = { SYS_nanosleep, SYS_clock_nanosleep, SYS_poll,
                                          SYS_futex,     SYS_select,          SYS_epoll_wait };

static long fall_asleep(long nr)
{
    struct timespec ts = { 0, SLEEP_MS * 1000000 };
    struct timeval tv = { 0, SLEEP_MS * 1000 };
    char event[64];
    int word = 0;
    switch (nr) {
    case SYS_nanosleep:
        return syscall(nr, &ts, &ts);
    case SYS_clock_nanosleep:
        return syscall(nr, CLOCK_MONOTONIC, 0, &ts, &ts);
    case SYS_poll:
        return syscall(nr, NULL, 0, SLEEP_MS);
    case SYS_futex:
        return syscall(nr, &word, FUTEX_WAIT, 0, &ts, NULL, 0) == -1 && errno == ETIMEDOUT ? 0 : -1;
    case SYS_select:
        return syscall(nr, 0, NULL, NULL, NULL, &tv);
    default:
        return syscall(nr, s->word[15], event, 1, SLEEP_MS);
    }
}

static double now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void *sleeper(void *arg)
{
    intptr_t i = (intptr_t)arg;
    s->word[i] = syscall(SYS_gettid);
    s->ready++;
    double from = now_ms();
    s->result[i] = fall_asleep(sleeps_in[i]);
    s->error[i] = (long)(now_ms() - from);
    return NULL;
}

static void many_sleep(void)
{
    pthread_t thread[SLEEPERS];
    s->word[15] = syscall(SYS_epoll_create1, 0);
    for (intptr_t i = 0; i < SLEEPERS; i++)
        pthread_create(&thread[i], NULL, sleeper, (void *)i);
    for (int i = 0; i < SLEEPERS; i++)
        pthread_join(thread[i], NULL);
}

static bool asleep(pid_t tid, long nr)
{
    char path[64];
    long in = -1;
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", child, tid);
    FILE *f = fopen(path, "re");
    ck_assert_ptr_nonnull(f);
    if (fscanf(f, "%ld", &in) != 1)
        in = -1;
    fclose(f);
    return in == nr;
}

/* Threads that slept go on sleeping for the rest of their time. */
START_TEST(sleepers_sleep_on)
{
    by_steps = _i;
    begin(many_sleep, SLEEPERS);
    for (int i = 0; i < SLEEPERS; i++)
        while (!asleep((pid_t)s->word[i], sleeps_in[i]))
            usleep(100);
    attach();
    ck_assert_uint_eq(t->inf.thread.n, SLEEPERS + 1);
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        ck_assert_int_eq(ask_pid(t->inf.thread.at[i]), child);
        ck_assert_int_eq(inject(t->inf.thread.at[i], SYS_gettid, 0, 0, 0, 0, 0, 0),
                         t->inf.thread.at[i]->tid);
    }
    must(ez_continue(t, true, -1));
    ends_well();
    for (int i = 0; i < SLEEPERS; i++) {
        ck_assert_msg(s->result[i] == 0, "call %ld: %ld", sleeps_in[i], s->result[i]);
        ck_assert_msg(s->error[i] >= SLEEP_MS - 1, "call %ld: %ld ms", sleeps_in[i], s->error[i]);
    }
}
END_TEST

/* ---- memory of it, copies --------------------------------------------------------------------- */

static const struct ez_map *map_at(struct ez_maps *maps, uint64_t at)
{
    must(ez_maps_read(child, maps));
    for (size_t i = 0; i < maps->map.n; i++)
        if (maps->map.at[i].lo <= at && at < maps->map.at[i].hi)
            return &maps->map.at[i];
    return NULL;
}

static uint64_t map_some(uint64_t size, int prot)
{
    uint64_t at = 0;
    must(ez_inject_mmap(
        t, &(struct ez_mmap){ .size = size, .prot = prot, .flags = MAP_PRIVATE | MAP_ANONYMOUS },
        &at, "test"));
    return at;
}

static void locks_memory(void)
{
    s->word[0] = syscall(SYS_mlockall, 3); /* MCL_CURRENT | MCL_FUTURE */
    if (s->word[0]) {                      /* an ordinary user may lock less than all */
        s->word[0] = syscall(SYS_mlockall, 2);
        mmap(NULL, EZ_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    work(0);
}

/* What is mapped is as was asked for; locked memory stays what it was, but for code. */
START_TEST(mapping)
{
    struct ez_maps maps;
    begin(_i ? locks_memory : works_alone, 1);
    ck_assert_int_eq(s->word[0], 0);
    attach();
    unsigned long locked = status_of(child, "VmLck: %lu");
    ck_assert_int_eq(locked != 0, _i);
    uint64_t data = map_some(1 << 20, PROT_READ | PROT_WRITE);
    const struct ez_map *m = map_at(&maps, data);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(strncmp(m->perm, "rw-p", 4), 0);
    ck_assert_uint_ge(m->hi - data, 1 << 20);
    ez_maps_free(&maps);
    ck_assert_uint_eq(status_of(child, "VmLck: %lu"), locked);
    uint64_t code = map_some(EZ_PAGE, PROT_READ | PROT_EXEC);
    m = map_at(&maps, code);
    ck_assert_int_eq(strncmp(m->perm, "r-xp", 4), 0);
    ez_maps_free(&maps);
    ck_assert_uint_eq(status_of(child, "VmLck: %lu"), locked);
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

static void mmap_fails(uint64_t size, int errnum, const char *text, const char *hint)
{
    uint64_t at;
    char want[128] = "";
    ez_err *e = ez_inject_mmap(
        t,
        &(struct ez_mmap){ .size = size, .prot = PROT_READ, .flags = MAP_PRIVATE | MAP_ANONYMOUS },
        &at, "map a test");
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_REMOTE);
    ck_assert_int_eq(e->errnum, errnum);
    ck_assert_int_eq(hint != NULL, e->hint != NULL);
    if (hint)
        snprintf(want, sizeof want, hint, child);
    if (hint)
        ck_assert_str_eq(e->hint, want);
    ck_assert_str_eq(why_not(e), text);
}

START_TEST(mapping_fails)
{
    begin(works_alone, 1);
    attach();
    mmap_fails(0, EINVAL, "the target's mmap failed: EINVAL (Invalid argument), to map a test",
               NULL);
    mmap_fails(
        1ull << 60, ENOMEM,
        "the target's mmap failed: ENOMEM (Cannot allocate memory), to map a test",
        "Process %d may be at a limit: see ulimit -v, ulimit -d and the sysctl vm.max_map_count");
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* May lock no more than it has locked, whoever it is. */
static void locks_all_it_may(void)
{
    struct __user_cap_header_struct who = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[2] = { { 0 } };
    s->word[0] = syscall(SYS_mlockall, 2); /* MCL_FUTURE */
    mmap(NULL, EZ_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){ EZ_PAGE, EZ_PAGE }) ||
        syscall(SYS_capset, &who, none))
        _exit(9);
    work(0);
}

START_TEST(mapping_more_than_may_be_locked)
{
    begin(locks_all_it_may, 1);
    ck_assert_int_eq(s->word[0], 0);
    attach();
    mmap_fails(EZ_PAGE, EAGAIN,
               "the target's mmap failed: EAGAIN (Resource temporarily unavailable), to map a test",
               "Process %d locks its memory (mlockall), and may lock no more: see ulimit -l");
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* A block in which a thread could wait for another shell needs unused bytes behind some code. */
START_TEST(no_room_to_wait_in)
{
    char want[160];
    begin(works_alone, 1);
    attach();
    by_steps = true;
    ez_err *e = ez_sleep_block(t, only(), 10);
    by_steps = false;
    snprintf(want, sizeof want,
             "process %d cannot wait for another eztsh: no file in it has %d unused bytes behind "
             "its code for the code that waits",
             child, EZ_RESTORER_BYTES);
    ck_assert_int_eq(e->code, EZ_E_REFUSED);
    ck_assert_str_eq(why_not(e), want);
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* The words for users' numbers, and what they have mapped. */
START_TEST(mapping_for_users)
{
    ez_addr at, other;
    begin(works_alone, 1);
    attach();
    must(ez_remote_mmap(t, 5000, PROT_READ, EZ_ANYWHERE, &at));
    ck_assert_uint_eq(t->session.mine.n, 1);
    ck_assert_uint_eq(t->session.mine.at[0].lo, at.v);
    ck_assert_uint_eq(t->session.mine.at[0].hi, at.v + 8192);
    ck_assert_str_eq(why_not(ez_remote_mmap(t, 1, PROT_READ, at.v, &other)),
                     "The target's mmap failed: EEXIST (File exists): something is mapped there "
                     "already");
    ck_assert_str_eq(why_not(ez_remote_mmap(t, 0, PROT_READ, at.v, &other)),
                     "The target's mmap failed: EINVAL (Invalid argument): the length is 0");
    char want[160];
    snprintf(want, sizeof want,
             "The target's mmap failed: EINVAL (Invalid argument): 0x%lx is not a multiple of the "
             "page size (4096)",
             (unsigned long)at.v + 1);
    ck_assert_str_eq(why_not(ez_remote_mmap(t, 1, PROT_READ, at.v + 1, &other)), want);
    ck_assert_str_eq(why_not(ez_remote_munmap(t, at, 0)),
                     "The target's munmap failed: EINVAL (Invalid argument): the length is 0");
    snprintf(want, sizeof want,
             "The target's munmap failed: EINVAL (Invalid argument): 0x%lx is not a multiple of "
             "the page size (4096)",
             (unsigned long)at.v + 8);
    ck_assert_str_eq(why_not(ez_remote_munmap(t, ez_addr_of(at.v + 8), 1)), want);
    must(ez_remote_mmap(t, 1, PROT_READ, at.v + (1 << 30), &other));
    ck_assert_uint_eq(other.v, at.v + (1 << 30));
    ck_assert_uint_eq(t->session.mine.n, 2);
    must(ez_remote_munmap(t, at, 5000));
    ck_assert_uint_eq(t->session.mine.n, 1);
    ck_assert_uint_eq(t->session.mine.at[0].lo, other.v);
    struct ez_maps maps;
    ck_assert_ptr_null(map_at(&maps, at.v));
    must(ez_continue(t, true, -1));
    ck_assert_int_eq(ez_remote_munmap(t, at, 1)->code, EZ_E_STATE);
    ends_well();
}
END_TEST

static void filtered(void)
{
    struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog prog = { 1, &code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
        _exit(9);
    work(0);
}

START_TEST(filters)
{
    const uint64_t arg[6] = { 0 };
    int64_t r;
    char want[160];
    begin(filtered, 1);
    attach();
    snprintf(want, sizeof want,
             "Process %d runs under a seccomp filter that may kill it for an injected system call",
             child);
    ez_err *e = ez_inject_syscall(t, only(), SYS_getpid, arg, &r, "test");
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_SECCOMP);
    ck_assert_str_eq(
        e->hint,
        "Plant the probes before the process installs the filter (\"run\" instead of \"attach\")");
    ck_assert_str_eq(why_not(e), want);
    ck_assert_str_eq(why_not(ez_inject_allowed(t)), want);
    must(ez_stepi(t, 2)); /* a step without a guard */
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* A copy is stopped and traced by us, holds back the same signals, and leaves no zombie. */
START_TEST(copies)
{
    struct ez_copy copy;
    int status;
    by_steps = _i;
    begin(works_alone, 1);
    attach();
    struct ez_thread *th = only();
    must(pt_setsigmask(child, 0x200, "test"));
    struct user_regs_struct was = regs_of(th), now;
    must(ez_inject_copy(t, th, &copy));
    ck_assert_int_gt(copy.pid, 0);
    ck_assert_int_eq(copy.inner, copy.pid); /* no namespace between us */
    ck_assert_uint_eq(copy.mask, 0x200);
    ck_assert_int_eq(status_line(copy.pid, copy.pid, "TracerPid: %lu"), getpid());
    ck_assert_int_eq(status_line(copy.pid, copy.pid, "PPid: %lu"), child);
    now = regs_of(th);
    ck_assert_mem_eq(&now, &was, sizeof now);
    kill(copy.pid, SIGKILL);
    ck_assert_int_eq(waitpid(copy.pid, &status, __WALL), copy.pid);
    must(ez_inject_reap(t, th, copy.inner));
    ck_assert_int_ne(kill(copy.pid, 0), 0);
    must(ez_inject_reap(t, th, copy.inner)); /* gone already */
    must(pt_setsigmask(child, 0, "test"));
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* ---- guarded steps ----------------------------------------------------------------------------- */

static bool catches(int sig)
{
    return status_of(child, "SigCgt: %lx") >> (sig - 1) & 1;
}

/* While steps are guarded, SIGTRAP has our handler. Then the program's own action is back, whether we
 * remove the guard or the shell that comes after one that died. */
START_TEST(guards)
{
    struct ez_guard g;
    const bool own = _i & 1, later = _i & 2;
    begin(own ? with_all_handlers : works_alone, 1);
    attach();
    must(ez_guard_tidy(t)); /* there is no guard to tidy */
    ck_assert_int_eq(catches(SIGTRAP), own);
    ez_guard_set(t, only(), &g);
    ck_assert(g.at && g.stands && g.tid == child);
    ck_assert(catches(SIGTRAP));
    must(later ? ez_guard_tidy(t) : ez_guard_lift(t, &g));
    ck_assert_int_eq(catches(SIGTRAP), own);
    struct ez_maps maps;
    ck_assert_int_eq(map_at(&maps, g.at) != NULL, later); /* a thread may still be in the handler */
    ez_maps_free(&maps);
    must(ez_continue(t, true, -1));
    if (own) {
        kill(child, SIGTRAP);
        while (!s->times[SIGTRAP])
            usleep(100);
    }
    ends_well();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inject");
    TCase *c = tcase_create("inject");
    if (!proc_there("check_inject"))
        return 77;
    tcase_set_timeout(c, 30);
    tcase_add_test(c, refused_calls);
    tcase_add_test(c, which_thread);
    tcase_add_loop_test(c, a_thread_is_what_it_was, 0, 2);
    tcase_add_loop_test(c, a_signal_in_hand, 0, 2);
    tcase_add_loop_test(c, signals_meanwhile, 0, 2);
    tcase_add_loop_test(c, sleepers_sleep_on, 0, 2);
    tcase_add_loop_test(c, mapping, 0, 2);
    tcase_add_test(c, mapping_fails);
    tcase_add_test(c, mapping_more_than_may_be_locked);
    tcase_add_test(c, no_room_to_wait_in);
    tcase_add_test(c, mapping_for_users);
    tcase_add_test(c, filters);
    tcase_add_loop_test(c, copies, 0, 2);
    tcase_add_loop_test(c, guards, 0, 4);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
