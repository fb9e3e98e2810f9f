#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# questions.sh - the four questions of the manual (doc/eztsh.texi, "Following calls"), asked by the manual's commands
# about a trace. The answers are what the program measured by clock_gettime.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
[ -e "$top_builddir/modules/pthread.so" ] || { skip "questions: the module was not built"; exit 77; }

cat >questions.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#define KEEP __attribute__((noinline, noclone)) static
enum { WORKERS = 4, BURST = 7 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static volatile int total, sleeper;
static struct { int tid; long long least, most; } worker[WORKERS];

static inline __attribute__((always_inline)) long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}
static inline __attribute__((always_inline)) void doze(long ms)
{
    struct timespec t = { .tv_nsec = ms * 1000000 };
    nanosleep(&t, NULL);
}

/* ---- which call is longest, and who called it ---- */
KEEP long long request(long ms)
{
    long long start = now();
    doze(ms);
    return now() - start;
}
KEEP void serve(void)
{
    for (int i = 0; i < 5; i++)
        request(1);
}
KEEP void refill(void)
{
    long long start = now(), least = request(200);
    printf("longest refill %lld %lld\n", least, now() - start);
}

/* ---- what happened in a window ---- */
KEEP void burst(int i) { total += i; }

/* ---- which thread is late ---- */
KEEP long long work(long ms)
{
    long long start = now();
    doze(ms);
    return now() - start;
}
KEEP void *member(void *arg)
{
    long i = (long)arg;
    long long start = now();
    worker[i].tid = gettid();
    worker[i].least = work(i == 2 ? 200 : 1);
    worker[i].most = now() - start;
    pthread_barrier_wait(&barrier);
    return NULL;
}

/* ---- which thread waited for which ---- */
static void until_asleep(void)
{
    char path[60], got[20] = "", want[20];
    int n = snprintf(want, sizeof want, "%d ", SYS_futex);
    while (!sleeper)
        usleep(1000);
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", sleeper);
    for (; strncmp(got, want, n); usleep(1000)) {
        int fd = open(path, O_RDONLY);
        if (read(fd, got, sizeof got) < n)
            *got = 0;
        close(fd);
    }
}
KEEP void *take(void *most)
{
    long long start = now();
    sleeper = gettid();
    pthread_mutex_lock(&lock);
    *(long long *)most = now() - start;
    pthread_mutex_unlock(&lock);
    return NULL;
}
KEEP void hold(void)
{
    pthread_t t;
    long long most;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, take, &most);
    until_asleep();
    long long start = now();
    doze(50);
    long long least = now() - start;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    printf("waited %d %d %lld %lld\n", sleeper, gettid(), least, most);
}

int main(void)
{
    long long zero = now(), from, to;
    pthread_t t[WORKERS];
    int late = 0;
    serve();
    refill();
    serve();
    doze(200);
    from = now();
    for (int i = 0; i < BURST; i++)
        burst(i);
    to = now();
    doze(200);
    printf("window %lld %lld %d\n", from - zero, to - zero, BURST);
    serve();
    pthread_barrier_init(&barrier, NULL, WORKERS);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, member, (void *)i);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(t[i], NULL);
        late = worker[i].least > worker[late].least ? i : late;
    }
    printf("late %d %lld %lld\n", worker[late].tid, worker[late].least, worker[late].most);
    hold();
    return 0;
}
END
$CC -O1 -w -pthread -o questions questions.c || exit 99
ask() { # FILE COMMAND...: its answer, and with -json, in FILE and FILE.json
    answer=$1
    shift
    "$eztsh" -nx "$@" >"$answer" 2>&1 && "$eztsh" -nx "$@" -json >"$answer.json" 2>&1
}

# Names of the program's own functions have letters only. So the first event is the start of main.
"$eztsh" -nx record -F '^[a-z]+$' -m pthread -o q.fxt ./questions >t.out 2>log </dev/null
check 'the program has its answers' same "$(cut -d ' ' -f 1 t.out | xargs)" 'longest window late waited'
# shellcheck disable=SC2046
set -- $(grep '^window' t.out)
from=$(($2 - 100000000))ns to=$(($3 + 100000000))ns
check 'the longest call of request, and who called it' ask longest stats -slowest 1 -function '^request$' q.fxt
check 'what happened in a window' ask window replay -from "$from" -to "$to" q.fxt
check 'which thread is late' ask late stats -by thread,function -function '^work$' -sort total q.fxt
check 'which thread waited for which' ask waits info locks -waits q.fxt
python3 >py.out 2>&1 <<'END'
import json, re
said = {line.split()[0]: line.split()[1:] for line in open("t.out")}

def check(name, good, *about):
    print("ok - " + name if good else "not ok - %s: %s" % (name, about))

# The clock of the trace is calibrated against CLOCK_MONOTONIC: 0.1 % is a hundred times its error.
def within(v, least, most):
    return int(least) * .999 <= v <= int(most) * 1.001

def rows(name):
    return json.load(open(name + ".json"))["rows"]

def text(name):
    return open(name).read()

caller, least, most = said["longest"]
row = rows("longest")[0]
check("longest: the caller", row["caller"] == caller and row["function"] == "request", row, said)
check("longest: its duration", within(row["duration_ns"], least, most), row, said)
check("longest: the text names both", re.search(r" request .* %s " % caller, text("longest")), text("longest"))

calls = [r for r in rows("window") if r["kind"] in ("call", "entry") and r["function"] not in ("main", "[slept]", "[preempted]")]
check("window: the calls in it, and no others", [r["function"] for r in calls] == ["burst"] * int(said["window"][2]), calls)
check("window: their times", all(within(r["ns"], said["window"][0], int(said["window"][1]) + 10**8) for r in calls), calls, said)
check("window: the text has them", text("window").count("burst();") == len(calls), text("window"))

tid, least, most = said["late"]
row = rows("late")[0]
check("late: the thread", row["thread"].endswith(" " + tid) and row["function"] == "work", row, said)
check("late: how late", within(row["total_ns"], least, most), row, said)
check("late: the text has it first", re.match(r"[^\n]*\n\S+ %s +work " % tid, text("late")), text("late"))

waiter, holder, least, most = said["waited"]
lock = next(r for r in rows("waits") if r["lock"] == "lock")
pairs = [(str(p["tid"]), str(p["holder_tid"]), p["waits"]) for p in lock["pairs"] if p["holder"]]
check("waits: who waited for whom", pairs == [(waiter, holder, 1)], lock, said)
check("waits: how long", within(sum(p["waited_ns"] for p in lock["pairs"]), least, most), lock, said)
check("waits: the text has them", re.search(r"\nlock +\S+ %s +\S+ %s +1 " % (waiter, holder), text("waits")), text("waits"))
END
cat py.out
if grep -q '^not ok' py.out || [ "$(grep -c '^ok' py.out)" != 12 ]; then failed=1; fi
finish
