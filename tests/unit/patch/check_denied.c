/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_denied.c - the system denies a call that planting, `detach -keep` or a take-over needs, to the
 * shell or to the target. The user is told, nothing is changed, and the next try succeeds. */
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "engine/patch/site.h"
#include "tests/unit/deny.h"
#include "tests/unit/process.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"

EZ_DENIED(int, ftruncate, (int fd, off_t n), (fd, n), -1)
EZ_DENIED(int, fallocate, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n), -1)
EZ_DENIED_IF(what == F_ADD_SEALS, int, fcntl, (int fd, int what, long arg), (fd, what, arg), -1)
EZ_DENIED_IF(flags &MAP_NORESERVE &&fd >= 0, void *, mmap,
             (void *at, size_t n, int prot, int flags, int fd, off_t off),
             (at, n, prot, flags, fd, off), MAP_FAILED)
EZ_DENIED(ssize_t, pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), -1)
struct msghdr; /* sys/socket.h has a listen(), too */
EZ_DENIED(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), -1)
EZ_DENIED(int, fstat, (int fd, struct stat *st), (fd, st), -1)
EZ_DENIED(int, memfd_create, (const char *name, unsigned flags), (name, flags), -1)
EZ_DENIED(int, pthread_create,
          (pthread_t * id, const pthread_attr_t *a, void *(*fn)(void *), void *arg),
          (id, a, fn, arg), errno)
/* The two ways to get a file of a process: one that it has open, or else one that it has mapped. */
int __real_ez_fetch_fd(struct ez_target *x, int fd);
int __wrap_ez_fetch_fd(struct ez_target *x, int fd);
int __wrap_ez_fetch_fd(struct ez_target *x, int fd)
{
    bool other_way = denied.call && !strcmp(denied.call, "open");
    return other_way || is_denied("ez_fetch_fd") ? -1 : __real_ez_fetch_fd(x, fd);
}
EZ_DENIED_IF(strstr(path, "/map_files/"), int, open, (const char *path, int flags, mode_t mode),
             (path, flags, mode), -1)

static uint8_t file[16]; /* the first bytes of `mov_rip`, as they are in the file */
static uint64_t func;
static pid_t pid;

static void setup(void)
{
    struct ez_module *m;
    launch("p_reach", "/nowhere/stop /nowhere/go 1");
    pid = t->inf.pid;
    outlived_by_none(pid);
    m = ez_module_program(t);
    func = ez_symbol_addr(t, m, "mov_rip");
    ck_assert_uint_ne(func, 0);
    must(ez_mem_read(t, func, file, sizeof file));
}

static void teardown(void)
{
    deny_nothing();
    close_target();
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static bool stands(void)
{
    uint8_t live[sizeof file];
    must(ez_mem_read(t, func, live, sizeof live));
    return memcmp(live, file, sizeof live) != 0;
}

/* How many files the target may open beyond those that it has; -1 = as before. */
static void files_left(int n)
{
    static struct rlimit was;
    struct rlimit now;
    if (n < 0) {
        ck_assert_int_eq(prlimit(pid, RLIMIT_NOFILE, &was, NULL), 0);
        return;
    }
    ck_assert_int_eq(prlimit(pid, RLIMIT_NOFILE, NULL, &was), 0);
    now = was;
    for (now.rlim_cur = 0; n >= 0; now.rlim_cur++) { /* up to the number that is one too many */
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, (int)now.rlim_cur);
        n -= faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    }
    now.rlim_cur--;
    ck_assert_int_eq(prlimit(pid, RLIMIT_NOFILE, &now, NULL), 0);
}

/* The message of the error, its numbers replaced by N. */
static const char *words(ez_err *e)
{
    static char out[512];
    const char *p = why_not(e);
    size_t n = 0;
    while (*p && n < sizeof out - 1) {
        if (*p >= '0' && *p <= '9') {
            p += strspn(p, "0123456789");
            out[n++] = 'N';
        } else {
            out[n++] = *p++;
        }
    }
    out[n] = 0;
    return out;
}

/* ---- planting -------------------------------------------------------------------------------- */

static const struct denial {
    const char *call; /* NULL = the target may open so many files more */
    int nth, errnum;
    const char *says;
} planting[] = {
    { NULL, 0, 0,
      "the target's system call failed: EMFILE (Too many open files), to create shared memory" },
    { "ez_fetch_fd", 1, EPERM, "Cannot fetch the target's shared memory: Operation not permitted" },
    { "ez_fetch_fd", 2, EPERM, "Cannot fetch the target's shared memory: Operation not permitted" },
    { "ftruncate", 1, ENOSPC, "Cannot size N bytes of shared memory: No space left on device" },
    { "ftruncate", 1, EFBIG,
      "Cannot create the shared memory of the trace buffers: File too large" },
    { "ftruncate", 2, ENOSPC, "Cannot size N bytes of shared memory: No space left on device" },
    { "pwritev", 1, ENOSPC, "Cannot write the return trampolines: No space left on device" },
    { "fcntl", 1, EPERM, "Cannot seal shared memory: Operation not permitted" },
    { "mmap", 1, ENOMEM, "Cannot map N bytes of shared memory: Cannot allocate memory" },
    { "fallocate", 1, ENOSPC,
      "Shared memory is exhausted, and the process is unchanged: No space left on device" },
    { "fallocate", 2, ENOSPC,
      "Cannot allocate shared memory for the event buffers: No space left on device" },
    { "pthread_create", 1, EAGAIN,
      "Cannot start the thread that writes the trace: Resource temporarily unavailable" },
};

/* The error of the first probe, which the engine gives as the probe's reason. */
static void not_planted(const char *says)
{
    int first, n;
    ez_err *e = ez_probe_add(
        t, &(struct ez_probe_spec){ EZ_PROBE_BOTH, .record = true, .location = "mov_rip" }, &first,
        &n);
    ck_assert_msg(e != NULL, "planted: %s", says);
    ck_assert_str_eq(words(e), says);
}

START_TEST(no_probe)
{
    const struct denial *d = &planting[_i];
    size_t nfiles = 0, theirs = files_open_of(pid);
    for (int tries = 0; tries < 3; tries++) {
        if (d->call)
            deny(d->call, d->nth, d->errnum);
        else
            files_left(0);
        not_planted(d->says);
        deny_nothing();
        if (!d->call)
            files_left(-1);
        ck_assert(!stands() && !t->rt.up);
        nfiles = tries ? nfiles : files_open(); /* libraries are open from the first on */
        ck_assert_uint_eq(files_open(), nfiles);
        ck_assert_uint_eq(files_open_of(pid), theirs);
    }
    plant("mov_rip", EZ_PROBE_BOTH, true);
    ck_assert(stands() && t->rt.up);
}
END_TEST

/* ---- detach -keep ---------------------------------------------------------------------------- */

static const struct denial keeping[] = {
    { NULL, 0, 0,
      "The process cannot keep the buffers of the probes: EMFILE (Too many open files), to make a "
      "socket pair" },
    { NULL, 2, 0, "The process cannot open two more files" },
    { NULL, 3, 0, "The process cannot open two more files" },
    { "ez_fetch_fd", 1, EPERM,
      "Cannot get a socket from the process, to pass it the buffers: Operation not permitted" },
    { "sendmsg", 1, ENOBUFS,
      "Cannot pass the buffers of the probes to the process: No buffer space available" },
    { "fstat", 1, EIO, "Cannot examine the buffers of the probes: Input/output error" },
    { "memfd_create", 1, ENOMEM,
      "Cannot write the list of probes to keep: Cannot allocate memory" },
    { "fcntl", 1, EPERM, "Cannot write the list of probes to keep: Operation not permitted" },
};

START_TEST(not_kept)
{
    const struct denial *d = &keeping[_i];
    unsigned kept;
    plant("mov_rip", EZ_PROBE_BOTH, true);
    size_t nfiles = files_open(), theirs = files_open_of(pid);
    for (int tries = 0; tries < 3; tries++) {
        if (d->call)
            deny(d->call, d->nth, d->errnum);
        else
            files_left(d->nth);
        ck_assert_str_eq(words(ez_detach_keep(t, &kept)), d->says);
        deny_nothing();
        if (!d->call)
            files_left(-1);
        ck_assert(stands() && t->rt.up && t->inf.state == EZ_STOPPED && t->probes.probe.n == 1);
        ck_assert_uint_eq(files_open(), nfiles);
        ck_assert_uint_eq(files_open_of(pid), theirs);
    }
    must(ez_detach_keep(t, &kept));
    ck_assert_uint_eq(kept, 1);
    ck_assert_uint_eq(files_open_of(pid), theirs + 2);
}
END_TEST

/* A probe that a transaction holds back cannot be kept yet. */
START_TEST(no_keeping_within_a_transaction)
{
    unsigned kept;
    struct ez_bulk done;
    plant("mov_rip", EZ_PROBE_BOTH, true);
    must(ez_begin(t));
    ck_assert_str_eq(words(ez_detach_keep(t, &kept)), "A transaction is open");
    ck_assert(stands() && t->inf.state == EZ_STOPPED);
    must(ez_commit(t, &done));
    must(ez_detach_keep(t, &kept));
}
END_TEST

/* ---- taking over ----------------------------------------------------------------------------- */

static const struct denial taking[] = {
    { "mmap", 1, ENOMEM, "Cannot map the shared memory of the probes: Cannot allocate memory" },
    { "open", 1, EPERM, "Only root can read the counts of the probes" },
    { "open", 1, EACCES, "Only root can read the counts of the probes" },
    { "open", 1, ENOENT, "Cannot open the shared memory of the probes: No such file or directory" },
    { "fallocate", 1, ENOSPC,
      "Cannot allocate shared memory for the event buffers: No space left on device" },
    { "pthread_create", 1, EAGAIN,
      "Cannot start the thread that writes the trace: Resource temporarily unavailable" },
};

/* If probes are not taken over, the file's bytes are put back, and the user reads why. */
START_TEST(not_taken_over)
{
    const struct denial *d = &taking[_i];
    unsigned kept;
    plant("mov_rip", EZ_PROBE_BOTH, true);
    must(ez_detach_keep(t, &kept));
    listen();
    said[0] = 0;
    deny(d->call, d->nth, d->errnum);
    must(ez_attach(t, pid, false));
    deny_nothing();
    listen();
    EZ_FREE char *want = ez_sprintf("): %s.", d->says);
    ck_assert_msg(strstr(said, "Removed 1 probe of an earlier eztsh") && strstr(said, want), "%s",
                  said);
    ck_assert(!stands() && !t->rt.up && t->inf.state == EZ_STOPPED);
    plant("mov_rip", EZ_PROBE_BOTH, true);
}
END_TEST

/* ---- another shell --------------------------------------------------------------------------- */

/* A live shell that owns the rings: its probes are not touched, except by `attach -force`. */
START_TEST(of_a_living_shell)
{
    unsigned kept;
    plant("mov_rip", EZ_PROBE_BOTH, true);
    struct ez_hdr *h = t->rt.hdr;
    int fd = dup(t->rt.memfd);
    void *ours = mmap(NULL, EZ_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ck_assert(h && ours != MAP_FAILED);
    must(ez_detach_keep(t, &kept));
    h = ours;
    pid_t shell = fork();
    while (!shell) /* the child has the mappings that we have */
        pause();
    outlived_by_none(shell);
    h->shell_pid = (uint32_t)shell;
    h->owner.word = (uint32_t)shell;
    EZ_FREE char *want =
        ez_sprintf("Process %d has the probes of another eztsh (process %d)", pid, shell);
    ez_err *e = ez_attach(t, pid, false);
    ck_assert(e && e->code == EZ_E_STATE);
    ck_assert_str_eq(why_not(e), want);
    ck_assert_int_eq(ez_target_state(t), EZ_NONE);
    h->owner.word |= 0x40000000; /* FUTEX_OWNER_DIED: it ended */
    must(ez_attach(t, pid, false));
    ck_assert(stands());
    must(ez_detach_keep(t, &kept));
    h->owner.word = h->shell_pid = (uint32_t)shell;
    must(ez_attach(t, pid, true));
    ck_assert(!stands());
    kill(shell, SIGKILL);
    ck_assert_int_eq(waitpid(shell, NULL, 0), shell);
}
END_TEST

int main(void)
{
    if (!proc_there("check_denied"))
        return 77;
    Suite *s = suite_create("denied");
    TCase *c = tcase_create("denied");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, no_probe, 0, (int)EZ_ARRAY_LEN(planting));
    tcase_add_loop_test(c, not_kept, 0, (int)EZ_ARRAY_LEN(keeping));
    tcase_add_test(c, no_keeping_within_a_transaction);
    tcase_add_loop_test(c, not_taken_over, 0, (int)EZ_ARRAY_LEN(taking));
    tcase_add_test(c, of_a_living_shell);
    suite_add_tcase(s, c);
    return run_suite(s);
}
