/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_omp.c - OpenMP in all ways, and knows how often: the openmp module's test. C, and C++.
 *   p_omp N        N rounds of all constructs
 *   p_omp N keep   without an end, until there is a file "stop"
 *   p_omp 1 wait   a thread that waits for a critical section, for one with a name, and for a lock
 *   p_omp 1 exit   ends inside a region, with status 3
 * OMP_CANCELLATION=true, OMP_SCHEDULE=dynamic,2. Where the compilers call different functions for
 * the same construct, the numbers say so (LLVM). */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __clang__
enum { LLVM = 1 };
#else
enum { LLVM = 0 };
#endif

static unsigned long regions, measured, bodies, barriers, held, busy, singles, single_states,
    ordered, chunks, sections, created, tasks, task_waits, sum;
static int wrong;
#define ADD(what, n) ((void)__atomic_fetch_add(&(what), (unsigned long)(n), __ATOMIC_SEQ_CST))
#define CHECK(good) ((good) ? (void)0 : (void)(wrong = 1))

/* Iteration i of a loop in chunks of n. A thread that is alone gets all at once of LLVM's library. */
#define CHUNK(i, n) ADD(chunks, LLVM &&omp_get_num_threads() == 1 ? (i) == 0 : (i) % (n) == 0)

/* The implied barrier at the end of a construct: each thread is at it once. */
static void barrier_ahead(void)
{
    ADD(barriers, 1);
}

/* ---- regions ------------------------------------------------------------------------------------- */

/* Not of a thread alone, in which LLVM's library does not survive what gcc makes of it; and not of an
 * unsigned variable, for which gcc's hangs. */
static void in_doacross(void)
{
    if (omp_get_num_threads() == 1)
        return;
#pragma omp for ordered(1) schedule(dynamic, 2) nowait
    for (int i = 0; i < 10; i++) {
        CHUNK(i, 2);
#pragma omp ordered depend(sink : i - 1)
        sum++;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(1) schedule(runtime) nowait
    for (long i = 0; i < 10; i++) {
        CHUNK(i, 2);
#pragma omp ordered depend(sink : i - 1)
        sum++;
#pragma omp ordered depend(source)
    }
}

static void in_region(void)
{
#pragma omp critical
    {
        sum++;
        ADD(held, 1);
    }
#pragma omp critical(by_name)
    {
        sum++;
        ADD(held, 1);
    }
    barrier_ahead();
#pragma omp barrier
#pragma omp single
    ADD(singles, 1);
    barrier_ahead();
#pragma omp single nowait
    ADD(singles, 1);
#pragma omp for schedule(static)
    for (int i = 0; i < 10; i++)
        ADD(sum, 1);
    barrier_ahead();
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 10; i++)
        CHUNK(i, 3);
    barrier_ahead();
#pragma omp for schedule(dynamic, 3) nowait
    for (unsigned long long i = 0; i < 10; i++)
        CHUNK(i, 3);
#pragma omp for schedule(runtime)
    for (int i = 0; i < 10; i++)
        CHUNK(i, 2);
    barrier_ahead();
#pragma omp for ordered schedule(dynamic, 1)
    for (int i = 0; i < 6; i++) {
        CHUNK(i, 1);
#pragma omp ordered
        {
            sum++;
            ADD(ordered, 1);
        }
    }
    barrier_ahead();
    in_doacross();
#pragma omp sections
    {
#pragma omp section
        ADD(sections, !LLVM);
#pragma omp section
        ADD(sections, !LLVM);
    }
    barrier_ahead();
    int all = 0;
#pragma omp single copyprivate(all)
    {
        all = 7;
        ADD(singles, 1);
        ADD(single_states, !LLVM);
        ADD(barriers, !LLVM);
    }
    barrier_ahead();
    ADD(barriers, !LLVM); /* for the copying, and for the end */
    CHECK(all == 7);
}

static void one_region(void)
{
    ADD(regions, 1);
#pragma omp parallel
    {
        ADD(bodies, 1);
        in_region();
    }
}

static void other_regions(void)
{
    long s = 0, t = 0;
    ADD(regions, 7);
#pragma omp parallel if (0)
    ADD(bodies, 1);
#pragma omp parallel num_threads(2) reduction(+ : s)
    {
        ADD(bodies, 1);
        ADD(regions, 1);
#pragma omp parallel num_threads(3)
        ADD(bodies, 1);
        s++;
    }
    CHECK(s == 2);
#pragma omp parallel for reduction(+ : t)
    for (int i = 0; i < 100; i++)
        t += i;
    CHECK(t == 4950);
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < 10; i++)
        CHUNK(i, 3);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 10; i++)
        CHUNK(i, 2);
#pragma omp parallel sections
    {
#pragma omp section
        ADD(sections, !LLVM);
#pragma omp section
        ADD(sections, !LLVM);
#pragma omp section
        ADD(sections, !LLVM);
    }
#pragma omp parallel for schedule(guided, 10)
    for (int i = 0; i < 10; i++)
        ADD(chunks, i == 0);
    ADD(bodies, 5 * omp_get_max_threads());
}

/* ---- bodies with 3, 16, 40, 100 and 300 variables that they share --------------------------------- */

#define X10(m, v) m(v##0) m(v##1) m(v##2) m(v##3) m(v##4) m(v##5) m(v##6) m(v##7) m(v##8) m(v##9)
/* clang-format off */
#define X100(m, v)                                                                                 \
    X10(m, v##0) X10(m, v##1) X10(m, v##2) X10(m, v##3) X10(m, v##4)                               \
    X10(m, v##5) X10(m, v##6) X10(m, v##7) X10(m, v##8) X10(m, v##9)
/* clang-format on */
#define DEFINE(v) int v = __LINE__ % 7 + (int)sizeof #v + from;
#define SUM(v) +v
#define MANY(name, list, seen)                                                                     \
    static void name(int from)                                                                     \
    {                                                                                              \
        list(DEFINE) int right = 0 list(SUM);                                                      \
        ADD(regions, 1);                                                                           \
        _Pragma("omp parallel")                                                                    \
        {                                                                                          \
            ADD(bodies, seen);                                                                     \
            CHECK((0 list(SUM)) == right);                                                         \
            ADD(a0, 0);                                                                            \
        }                                                                                          \
    }
#define HAVE3(m) m(a0) m(a1) m(a2)
#define HAVE16(m) X10(m, a) m(b0) m(b1) m(b2) m(b3) m(b4) m(b5)
#define HAVE40(m) X10(m, a) X10(m, b) X10(m, c) X10(m, d)
#define HAVE100(m) m(a0) X100(m, e)
#define HAVE300(m) m(a0) X100(m, e) X100(m, f) X100(m, g)
MANY(many3, HAVE3, 1)
MANY(many16, HAVE16, 1)
MANY(many40, HAVE40, 1)
MANY(many100, HAVE100, 1)
MANY(many300, HAVE300, !LLVM) /* more than the module can tell apart */

/* ---- locks ------------------------------------------------------------------------------------------ */

static void with_locks(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_set_lock(&lock);
    CHECK(!omp_test_lock(&lock));
    omp_unset_lock(&lock);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    CHECK(omp_test_nest_lock(&nest) == 3);
    for (int i = 0; i < 3; i++)
        omp_unset_nest_lock(&nest);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    ADD(held, 5);
    ADD(busy, 1);
}

/* ---- tasks ------------------------------------------------------------------------------------------- */

struct big {
    char c[100];
    int n;
};

#ifdef __cplusplus
static unsigned long copies;
struct alignas(64) object {
    int n;
    object *self;
    object(int n_) : n(n_), self(this)
    {
    }
    object(const object &o) : n(o.n), self(this)
    {
        ADD(copies, 1);
    }
};
static void with_objects(void)
{
    object o(5);
    for (int i = 0; i < 6; i++) {
        o.n = i;
#pragma omp task firstprivate(o, i) if (i % 3)
        {
            ADD(tasks, 1);
            CHECK(o.n == i && o.self == &o && (unsigned long)&o % 64 == 0);
        }
        ADD(created, 1);
    }
#pragma omp taskloop num_tasks(3) firstprivate(o)
    for (int i = 0; i < 3; i++) {
        ADD(tasks, 1);
        CHECK(o.n == 5 && o.self == &o && (unsigned long)&o % 64 == 0);
    }
    ADD(task_waits, 1);
}
#else
#define with_objects() ((void)0)
#endif

static void some_tasks(void)
{
    struct big b;
    memset(&b, 7, sizeof b);
    for (int i = 0; i < 20; i++) {
        b.n = i;
#pragma omp task firstprivate(b, i)
        {
            CHECK(b.n == i && b.c[99] == 7);
            ADD(tasks, 1);
#pragma omp task if (i % 2) firstprivate(i)
            ADD(tasks, 1);
        }
    }
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
        ADD(tasks, 1);
    }
    int x = 0;
#pragma omp task depend(out : x) shared(x)
    {
        x = 5;
        ADD(tasks, 1);
    }
#pragma omp task depend(in : x) shared(x)
    {
        CHECK(x == 5);
        ADD(tasks, 1);
    }
#pragma omp task final(1)
    ADD(tasks, 1);
#pragma omp task untied
    {
        ADD(tasks, LLVM ? 3 : 1); /* its parts, and clang's first, which does nothing */
#pragma omp taskyield
        ADD(sum, 1);
    }
#pragma omp taskwait
    ADD(created, 45);
    int done[8] = { 0 };
#pragma omp taskloop num_tasks(4) shared(done)
    for (int i = 0; i < 8; i++)
        done[i] = i + 1;
    for (int i = 0; i < 8; i++)
        CHECK(done[i] == i + 1);
#pragma omp taskloop num_tasks(2) shared(done) if (0)
    for (unsigned long long i = 0; i < 8; i++)
        done[i] = -1;
    CHECK(done[0] == -1 && done[7] == -1);
    long more = 0;
#pragma omp taskloop num_tasks(4) reduction(+ : more)
    for (int i = 0; i < 8; i++)
        more += i;
    CHECK(more == 28);
    ADD(tasks, 10);
    ADD(task_waits, 6);
    with_objects();
}

static void with_tasks(void)
{
    long s = 0;
    ADD(regions, 2);
#pragma omp parallel
    {
        ADD(bodies, 1);
#pragma omp single
        {
            ADD(singles, 1);
            some_tasks();
        }
        barrier_ahead();
    }
#pragma omp parallel reduction(task, + : s)
    {
        ADD(bodies, 1);
#pragma omp single nowait
        {
            ADD(singles, 1);
            ADD(created, 1);
#pragma omp task in_reduction(+ : s)
            {
                s += 5;
                ADD(tasks, 1);
            }
        }
        s++;
        ADD(task_waits, LLVM); /* for all tasks of the region that have a part in s */
    }
    CHECK(s == 5 + omp_get_max_threads());
}

/* ---- what ends early ------------------------------------------------------------------------------------ */

static void cancelled(void)
{
    ADD(regions, 2);
#pragma omp parallel
    {
        ADD(bodies, 1);
        barrier_ahead();
#pragma omp for schedule(static)
        for (int i = 0; i < 1000; i++) {
#pragma omp cancel for
        }
    }
#pragma omp parallel
    {
        ADD(bodies, 1);
        if (LLVM || omp_get_thread_num())
            barrier_ahead();
        if (!omp_get_thread_num()) {
#pragma omp cancel parallel
        }
#pragma omp barrier
    }
}

/* ---- waiting for sure ------------------------------------------------------------------------------------ */

static volatile int at;
static long other;

/* Is the other thread in its wait? It sleeps there, or it has used three ticks (from `first` on). */
static int is_waiting(unsigned long first, unsigned long *now)
{
    char path[60], b[400] = "", state = 0;
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", other);
    FILE *f = fopen(path, "r");
    CHECK(f && fgets(b, sizeof b, f) && strrchr(b, ')'));
    CHECK(f && sscanf(strrchr(b, ')'), ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                      &state, &user, &system) == 3);
    if (f)
        fclose(f);
    *now = user + system;
    return state == 'S' || *now >= first + 3;
}

static void other_waits(int where)
{
    unsigned long first, now;
    while (at != where)
        usleep(1000);
    if (!is_waiting(-4UL, &first))
        while (!is_waiting(first, &now))
            usleep(1000);
}

static void waits(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    ADD(regions, 1);
#pragma omp parallel num_threads(2)
    {
        int who = omp_get_thread_num();
        ADD(bodies, 1);
        if (who)
            other = syscall(SYS_gettid);
        else
            omp_set_lock(&lock);
        barrier_ahead();
#pragma omp barrier
        if (who) {
            at = 1;
            omp_set_lock(&lock);
        } else {
            other_waits(1);
        }
        omp_unset_lock(&lock);
        ADD(held, 1);
        for (int twice = 0; twice < 2; twice++) {
            barrier_ahead();
#pragma omp barrier
            if (who) {
                while (at != 2 + twice)
                    ;
                at = 12 + twice;
            }
            if (twice) {
#pragma omp critical(by_name)
                {
                    at = who ? at : 3;
                    if (!who)
                        other_waits(13);
                }
            } else {
#pragma omp critical
                {
                    at = who ? at : 2;
                    if (!who)
                        other_waits(12);
                }
            }
            ADD(held, 1);
        }
    }
}

static void ends(void)
{
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp single
        exit(3);
    }
}

static void round_of_all(int i)
{
    one_region();
    other_regions();
    many3(i);
    many16(i);
    many40(i);
    many100(i);
    many300(i);
    with_locks();
    with_tasks();
    cancelled();
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), keep = argc > 2 && !strcmp(argv[2], "keep");
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    if (argc > 2 && !keep) {
        strcmp(argv[2], "wait") ? ends() : waits();
    } else {
        for (int i = 0; i < n || (keep && access("stop", F_OK)); i++) {
            round_of_all(i);
            if (keep && i == 0) {
                puts("ready");
                fflush(stdout);
            }
        }
    }
    ADD(single_states, LLVM ? singles : 0);
    ADD(measured, regions - (LLVM && regions > 1 ? 2 * n : 0)); /* not if(0), not the 300 */
    printf("regions %lu\nmeasured %lu\nbodies %lu\nbarriers %lu\nheld %lu\nbusy %lu\n", regions,
           measured, bodies, barriers, held, busy);
    printf("singles %lu\nsingle_states %lu\nordered %lu\nsections %lu\n", singles, single_states,
           ordered, sections);
    printf("created %lu\ntasks %lu\ntask_waits %lu\n", created, tasks, task_waits);
    printf("chunks %lu\n%s\n", chunks, wrong ? "wrong" : "right");
    return wrong;
}
