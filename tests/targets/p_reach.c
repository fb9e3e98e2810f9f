/* SPDX-License-Identifier: MIT */
/* p_reach.c - calls the functions of prologue.S, of which many need an island, a pun or a trap,
 * and counts the calls itself. p_reach STOP GO THREADS [FORK]
 * Waits until the file GO exists, works until STOP does, prints "NAME CALLS" of each. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct row {
    const char *name;
    long (*fn)(long);
    long fault, call;
};
extern const struct row rows[], rows_end[];
long tp_call(long (*f)(long), long x, long second);

enum { ROWS = 128, THREADS = 64 };

static const char *stop;
static unsigned long want[ROWS];
static struct worker {
    pthread_t thread;
    unsigned long calls[ROWS];
    int wrong;
} worker[THREADS];

/* Is the function's result independent of what other threads do at the same time? */
static int tells(const struct row *r)
{
    static const char *const not [] = { "mov_imm_rip", "movw_imm_rip", "pop_rip", "cmpxchg_rip",
                                        "lock_",       "tight_1",      "tight_2", "syscall_" };
    for (unsigned i = 0; i < sizeof not / sizeof *not ; i++)
        if (!strncmp(r->name, not [i], strlen(not [i])))
            return 0;
    return 1;
}

static unsigned long calls_of(struct worker *w, int i)
{
    static char room[64];
    const struct row *r = &rows[i];
    int to_room = !strcmp(r->name, "rep_first") || !strcmp(r->name, "repe_cmps");
    unsigned long sum = 0;
    for (long x = -4; x < 12; x++) {
        sum = sum * 31 + (unsigned long)tp_call(r->fn, to_room ? (long)room : x, to_room);
        w->calls[i]++;
    }
    return sum;
}

static void *work(void *arg)
{
    struct worker *w = arg;
    do {
        for (int i = 0; rows + i < rows_end; i++)
            if (rows[i].call && calls_of(w, i) != want[i] && tells(&rows[i]))
                w->wrong = 1;
        usleep(100);
    } while (access(stop, F_OK));
    return NULL;
}

/* From here on a child does all the work. */
static void go_on_in_child(void)
{
    int status;
    pid_t child = fork();
    if (child)
        _exit(waitpid(child, &status, 0) != child || !WIFEXITED(status) ? 3 : WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    static struct worker first;
    int n = argc > 3 ? atoi(argv[3]) : 0, wrong = 0;
    if (n < 1 || n > THREADS || rows_end - rows > ROWS)
        return 2;
    stop = argv[1];
    while (access(argv[2], F_OK))
        usleep(1000);
    if (argc > 4)
        go_on_in_child();
    for (int i = 0; rows + i < rows_end; i++)
        want[i] = rows[i].call ? calls_of(&first, i) : 0;
    for (int i = 0; i < n; i++)
        if (pthread_create(&worker[i].thread, NULL, work, &worker[i]))
            return 2;
    for (int i = 0; i < n; i++)
        wrong |= pthread_join(worker[i].thread, NULL) || worker[i].wrong;
    for (int i = 0; rows + i < rows_end; i++) {
        unsigned long all = first.calls[i];
        for (int k = 0; k < n; k++)
            all += worker[k].calls[i];
        printf("%s %lu\n", rows[i].name, all);
    }
    puts(wrong ? "WRONG" : "right");
    return wrong;
}
