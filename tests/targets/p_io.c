/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_io.c - reads and writes in many ways, and knows what: the io module's test.
 *   p_io THREADS N     each thread does N rounds, on files of its own in the current folder
 * Says how often it called what, and how many bytes went by. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 8 };
struct count {
    unsigned long reads, writes, waits, opens, closes, syncs, opened, in, out;
};
static struct count count[MOST + 1];
static unsigned long rounds;
static int wrong, wake[2];

static void check(int good)
{
    if (!good)
        wrong = 1;
}

static void in(struct count *c, ssize_t r, ssize_t want)
{
    check(r == want);
    c->reads++;
    c->in += (unsigned long)(r > 0 ? r : 0);
}

static void out(struct count *c, ssize_t r, ssize_t want)
{
    check(r == want);
    c->writes++;
    c->out += (unsigned long)(r > 0 ? r : 0);
}

static void file(struct count *c, const char *path)
{
    char b[3000] = "some bytes";
    struct iovec v[2] = { { b, 100 }, { b + 100, 200 } };
    int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0640);
    c->opens++;
    c->opened++;
    out(c, write(fd, b, 1000), 1000);
    out(c, pwrite(fd, b, 10, 1000), 10);
    lseek(fd, 0, SEEK_END);
    out(c, writev(fd, v, 2), 300);
    check(!fsync(fd) && !fdatasync(fd));
    c->syncs += 2;
    lseek(fd, 0, SEEK_SET);
    in(c, read(fd, b, 1200), 1200);
    in(c, pread(fd, b, 50, 1290), 20);
    in(c, readv(fd, v, 2), 110);
    in(c, read(fd, b, 10), 0);
    check(!close(fd));
    errno = 0;
    in(c, read(-1, b, 10), -1);
    check(errno == EBADF);
    check(close(-1));
    fd = openat(AT_FDCWD, path, O_RDONLY);
    check(fd >= 0 && open("nothing/there", O_RDONLY) < 0 && !close(fd));
    c->opens += 2;
    c->opened++;
    c->closes += 3;
}

/* Without a buffer each call is one system call or more, and they count as one. */
static void stream(struct count *c, const char *path)
{
    static const int modes[] = { _IONBF, _IOFBF };
    char b[9000] = "other bytes";
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(path, "w");
        setvbuf(f, NULL, modes[i], 4096);
        check(fwrite(b, 9, 1000, f) == 1000);
        check(!fflush(f));
        c->writes += i ? 2 : 1; /* what is left in the buffer is written by fflush */
        c->out += 9000;
        fclose(f);
        f = fopen(path, "r");
        setvbuf(f, NULL, modes[i], 4096);
        check(fread(b, 1, 9000, f) == 9000);
        c->reads++;
        c->in += 9000;
        fclose(f);
        c->opens += 2;
        c->opened += 2;
    }
    FILE *m = fmemopen(b, 100, "r");
    errno = 0;
    check(fread(b + 200, 1, 10, m) == 10 && errno == 0);
    c->reads++;
    fclose(m);
    c->closes += 5;
}

static void sockets(struct count *c)
{
    char b[100] = "x";
    int s[2];
    check(!socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    struct pollfd p = { .fd = s[1], .events = POLLIN };
    struct timespec none = { 0 };
    struct timeval zero = { 0 };
    struct iovec v = { b, 30 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
    fd_set set;
    out(c, send(s[0], b, 10, 0), 10);
    out(c, sendto(s[0], b, 20, 0, NULL, 0), 20);
    out(c, sendmsg(s[0], &m, 0), 30);
    FD_ZERO(&set);
    FD_SET(s[1], &set);
    check(poll(&p, 1, 0) == 1 && ppoll(&p, 1, &none, NULL) == 1);
    check(select(s[1] + 1, &set, NULL, NULL, &zero) == 1);
    check(pselect(s[1] + 1, &set, NULL, NULL, &none, NULL) == 1);
    int e = epoll_create1(0);
    struct epoll_event ev;
    check(epoll_wait(e, &ev, 1, 0) == 0 && epoll_pwait(e, &ev, 1, 0, NULL) == 0);
    c->waits += 6;
    in(c, recv(s[1], b, 5, 0), 5);
    in(c, recvfrom(s[1], b, 25, 0, NULL, NULL), 25);
    in(c, recvmsg(s[1], &m, 0), 30);
    check(!close(e) && !close(s[0]) && !close(s[1]));
    c->closes += 3;
}

static void *work(void *arg)
{
    struct count *c = arg;
    char path[30];
    snprintf(path, sizeof path, "file%d", (int)(c - count));
    for (unsigned long i = 0; i < rounds; i++) {
        file(c, path);
        stream(c, path);
        sockets(c);
    }
    return NULL;
}

/* The read that waits for this byte is under way. */
static void handler(int sig)
{
    out(&count[MOST], write(wake[1], "!", 1), 1);
}

static void handled(void)
{
    struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
    struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };
    char b;
    check(!pipe(wake));
    sigaction(SIGALRM, &sa, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    in(&count[0], read(wake[0], &b, 1), 1);
}

static void *waits(void *arg)
{
    char b;
    read(wake[0], &b, 1);
    return arg;
}

static void cancelled(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, waits, NULL);
    pthread_cancel(t);
    pthread_join(t, &r);
    check(r == PTHREAD_CANCELED);
    count[0].reads++;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = atoi(argv[1]);
    rounds = strtoul(argv[2], NULL, 10);
    for (int i = 1; i < n; i++)
        pthread_create(&t[i], NULL, work, &count[i]);
    work(&count[0]);
    for (int i = 1; i < n; i++)
        pthread_join(t[i], NULL);
    if (rounds) {
        handled();
        cancelled();
    }
    struct count all = { 0 };
    for (int i = 0; i <= MOST; i++)
        for (size_t k = 0; k < sizeof all / sizeof(unsigned long); k++)
            ((unsigned long *)&all)[k] += ((unsigned long *)&count[i])[k];
    char said[300]; /* as long whatever the numbers are */
    int len = snprintf(said, sizeof said,
                       "reads %012lu\nwrites %012lu\nwaits %012lu\nopens %012lu\ncloses "
                       "%012lu\nsyncs %012lu\nopened %012lu\nin %012lu\nout %012lu\n%s\n",
                       all.reads, all.writes, all.waits, all.opens, all.closes, all.syncs,
                       all.opened, all.in, all.out, wrong ? "wrong" : "right");
    return write(1, said, (size_t)len) != len || wrong;
}
