/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jail.c - a separate process for libraries that trust the files they read (jail.h). */
#include "engine/base/jail.h"
#include "engine/base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

enum {
    SOCK = 3,
    ANSWER_S = 2, /* limit of the processor time for a part of an answer, in seconds */
    /* limit of the wall time for a part, in seconds, in case the shell no longer exists */
    WAIT_S = 600,
    SILENCE_MS = 7000, /* a server that has not run for this many ms counts as hung in the kernel */
};
/* limit of the memory in bytes, in addition to the memory that fork() copied */
#define MEMORY (2ull << 30)
#define PROCESSOR_S 30 /* limit of the processor time of a server in its whole life, in seconds */

/* Returns the processor time that the server has used, in clock ticks; 0 if it is unknown. Sets
 * *runs to whether the server runs or waits for a processor. */
static unsigned long jail_used(const struct ez_jail *j, bool *runs)
{
    char line[512] = "";
    unsigned long user = 0, system = 0;
    char state = 0;
    EZ_FREE char *path = ez_sprintf("/proc/%d/stat", (int)j->pid);
    FILE *f = fopen(path, "re");
    *runs = false;
    if (!f)
        return 0;
    const char *at = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    if (at && sscanf(at, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
                     &system) == 3)
        *runs = state == 'R';
    return user + system;
}

/* Waits until the server has sent something. Keeps waiting while the server runs, or waits for a
 * processor of a busy machine; the server's own timers limit that time (jail_live). Returns false
 * if the server sent nothing and did not run during SILENCE_MS. */
static bool jail_wait(const struct ez_jail *j)
{
    struct pollfd p = { j->sock, POLLIN, 0 };
    unsigned long before = 0;
    for (;;) {
        bool runs;
        const int got = poll(&p, 1, SILENCE_MS);
        if (got > 0)
            return true;
        if (got < 0 && errno == EINTR)
            continue;
        const unsigned long used = jail_used(j, &runs);
        if (got < 0 || (!runs && used == before))
            return false;
        before = used;
    }
}

/* Sends (writing) or receives all n bytes. Returns false if that fails. `of`: before each system
 * call, jail_wait() waits for this jail; NULL: waits without limit. */
static bool jail_move(int fd, void *buf, size_t n, bool writing, const struct ez_jail *of)
{
    char *p = buf;
    while (n) {
        if (of && !jail_wait(of))
            return false;
        ssize_t k = writing ? send(fd, p, n, MSG_NOSIGNAL) : recv(fd, p, n, 0);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k, n -= (size_t)k;
    }
    return true;
}

static bool jail_all(int fd, void *buf, size_t n, bool writing)
{
    return jail_move(fd, buf, n, writing, NULL);
}

/* ---- in the server ----------------------------------------------------------------- */

static void jail_confine(int sock)
{
    struct rlimit cpu = { PROCESSOR_S, PROCESSOR_S }, none = { 0, 0 }, as;
    unsigned long pages = 0;
    sigset_t alarms;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f || fscanf(f, "%lu", &pages) != 1)
        _exit(1);
    fclose(f);
    as.rlim_cur = as.rlim_max = pages * ez_page() + MEMORY;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(sock, SOCK) < 0)
        _exit(1);
    for (int fd = 0; fd < SOCK; fd++)
        dup2(null, fd);
    close_range(SOCK + 1, ~0u, 0);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &as);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigaddset(&alarms, SIGPROF);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    ez_confine();
}

/* Makes the kernel kill the server after `processor` seconds of processor time, or `clock` seconds
 * of wall time, unless this function is called again before that. 0 means no limit. */
static void jail_live(time_t processor, time_t clock)
{
    struct itimerval most = { .it_value.tv_sec = processor }, by = { .it_value.tv_sec = clock };
    setitimer(ITIMER_PROF, &most, NULL);
    setitimer(ITIMER_REAL, &by, NULL);
}

void ez_jail_live_on(void)
{
    jail_live(ANSWER_S, WAIT_S);
}

/* Receives n bytes, and the descriptor that was sent with them (*fd; -1 if none). */
static bool jail_receive(void *buf, size_t n, int *fd)
{
    char control[CMSG_SPACE(sizeof *fd)];
    struct iovec iov = { buf, n };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
    };
    ssize_t got = recvmsg(SOCK, &msg, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    *fd = -1;
    if (got > 0 && c && c->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(c), sizeof *fd);
    return got > 0 && jail_all(SOCK, (char *)buf + got, n - (size_t)got, false);
}

bool ez_jail_next(struct ez_question *q, uint64_t **word, int *fd)
{
    jail_live(0, 0);
    if (!jail_receive(q, sizeof *q, fd))
        return false;
    ez_jail_live_on();
    q->name[sizeof q->name - 1] = 0;
    q->text[sizeof q->text - 1] = 0;
    *word = ez_alloc((q->n + 1) * sizeof **word);
    return jail_all(SOCK, *word, q->n * sizeof **word, false);
}

bool ez_jail_say(const void *buf, size_t n)
{
    return jail_all(SOCK, (void *)(uintptr_t)buf, n, true);
}

int ez_jail_receive(uint64_t *n)
{
    int fd;
    *n = 0;
    bool good = jail_receive(n, sizeof *n, &fd);
    ez_jail_live_on();
    return good ? fd : -1;
}

/* ---- in the shell ---------------------------------------------------------------------------- */

static void jail_start(struct ez_jail *j)
{
    int sv[2];
    siginfo_t si;
    if (j->sock || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv))
        return;
    pid_t pid = fork();
    if (!pid) {
        if (!fork()) {
            const pid_t me = getpid();
            jail_confine(sv[1]);
            if (ez_jail_say(&me, sizeof me))
                j->serve();
        }
        _exit(0);
    }
    close(sv[1]);
    while (pid > 0 && waitid(P_PID, (id_t)pid, &si, WEXITED) && errno == EINTR)
        ;
    if (pid < 0 || !jail_all(sv[0], &j->pid, sizeof j->pid, false)) {
        close(sv[0]);
        return;
    }
    j->sock = sv[0];
    j->number++;
    j->files = 0;
}

/* Sends n bytes, together with the descriptor fd unless fd is -1. */
static bool jail_send(int sock, void *buf, size_t n, int fd)
{
    char control[CMSG_SPACE(sizeof fd)] = { 0 };
    struct iovec iov = { buf, n };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
    if (fd >= 0) {
        msg.msg_control = control;
        msg.msg_controllen = sizeof control;
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        *c = (struct cmsghdr){ CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS };
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    return sendmsg(sock, &msg, MSG_NOSIGNAL) == (ssize_t)n;
}

bool ez_jail_give(struct ez_jail *j, int fd, uint64_t n)
{
    return jail_send(j->sock, &n, sizeof n, fd);
}

bool ez_jail_request(struct ez_jail *j, struct ez_jailed *of, struct ez_foreign *file,
                     const char *name, uint32_t what, const char *text, const uint64_t *word,
                     size_t n)
{
    struct ez_question q = { .what = what, .n = (uint32_t)n };
    EZ_CLOSE int fd = -1;
    jail_start(j);
    if (!j->sock)
        return false;
    if (of->server != j->number) {
        of->server = j->number;
        of->file = j->files++;
        if ((fd = ez_foreign_dup(file)) < 0)
            return false;
    }
    q.file = of->file;
    snprintf(q.name, sizeof q.name, "%s", strlen(name) < sizeof q.name ? name : "/nonexistent");
    snprintf(q.text, sizeof q.text, "%s", text);
    return jail_send(j->sock, &q, sizeof q, fd) &&
           jail_all(j->sock, (void *)(uintptr_t)word, n * sizeof *word, true);
}

bool ez_jail_hear(struct ez_jail *j, void *buf, size_t n)
{
    return jail_move(j->sock, buf, n, false, j);
}

bool ez_jail_done(struct ez_jail *j, struct ez_jailed *of, bool good)
{
    if (!good) {
        of->lost = true;
        if (j->sock)
            close(j->sock);
        j->sock = 0;
    }
    return good;
}
