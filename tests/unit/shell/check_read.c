/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_read.c - the commands that read traces, of traces written event by event: every number,
 * column and message (read.ezt, and what is printed: read.out; those that compare traces: compare);
 * and what the shell says of itself (words). With EZT_UPDATE set the latter is written instead of compared. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "shell/dispatch.h"
#include "shell/loop.h"
#include "shell/sess.h"
#include "shell/settings.h"
#include "shell/wire.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/shell/check_shell.h"

#define FOLDER "check_read.folder"
enum { MANY = 65 }; /* functions: more than the timeline has letters */

static void accounting(struct ez_fxt_out *f, const uint64_t *arg, size_t n)
{
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_ACCOUNTING, 1, 42, arg, n, NULL, 0 }));
}

static void functions(struct ez_fxt_out *f)
{
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    tf_probe(f, 1, TF_BOTH, "inner", "app");
    tf_probe(f, 2, TF_BOTH, "helper", "libx.so");
    tf_probe(f, 3, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point", "app");
    tf_probe(f, 4, TF_BOTH, "inner", "libx.so");
}

/* A trace without events. */
static void idle(void)
{
    struct ez_fxt_out *f = tf_open("idle", 42);
    tf_process(f, 42, "app", "here");
    functions(f);
    tf_ok(ez_fxt_out_close(f));
}

/* Nested calls of two threads. An exception leaves one call, and in one its thread sleeps. */
static void plain(void)
{
    struct ez_fxt_out *f = tf_open("plain.fxt", 42);
    tf_process(f, 42, "app", "here");
    functions(f);
    tf_put(f, 1000, 42, 0, false);
    tf_put(f, 2000, 42, 1, false);
    tf_put(f, 2500, 42, 2, false);
    tf_put(f, 2900, 42, 2, true);
    tf_put(f, 4000, 42, 1, true);
    tf_put(f, 5000, 42, 1, false);
    tf_thread(f, 5100, 42, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 6100, 42, EZ_T_SWITCH_IN, 0);
    tf_unwind(f, 6300, 42, 1);
    tf_put(f, 7000, 42, 3, false);
    tf_put(f, 11000, 42, 0, true);
    tf_put(f, 1500, 43, 4, false);
    tf_put(f, 1700, 43, 4, true);
    tf_put(f, 1800, 43, 2, false);
    tf_thread(f, 1900, 43, EZ_T_SWITCH_OUT, 1);
    tf_thread(f, 2150, 43, EZ_T_SWITCH_IN, 0);
    tf_put(f, 9800, 43, 2, true);
    tf_put(f, 10000, 43, 4, false);
    tf_put(f, 10050, 43, 4, true);
    accounting(f, (uint64_t[]){ 20, 15, 3, 2, 0, 0, 0 }, 7);
    tf_ok(ez_fxt_out_close(f));
}

/* A trace with lost events, exits without entries, and a call that does not end. */
static void damaged(void)
{
    struct ez_fxt_out *f = tf_open("damaged.fxt", 50);
    tf_process(f, 50, "app", "here");
    functions(f);
    tf_put(f, 1000, 50, 1, true);
    tf_put(f, 2000, 50, 0, false);
    tf_put(f, 2100, 50, 1, false);
    tf_thread(f, 3000, 50, EZ_T_GAP, 7);
    tf_thread(f, 3600, 50, EZ_T_GAP_END, 0);
    tf_put(f, 4000, 50, 2, false);
    tf_put(f, 4800, 50, 2, true);
    tf_put(f, 5000, 51, 0, false);
    tf_put(f, 9000, 51, 2, true);
    accounting(f, (uint64_t[]){ 30, 20, 0, 0, 10, 0, 0 }, 7);
    tf_ok(ez_fxt_out_close(f));
}

static void rank(const char *path, unsigned pid, uint64_t number, const char *host)
{
    struct ez_fxt_out *f = tf_open(path, (int)pid);
    tf_clock(f, 0, 1000000000000, 5000);
    tf_process(f, pid, "solver", host);
    tf_job(f, number, "job7");
    functions(f);
    tf_put(f, 1000 + 100 * number, pid, 0, false);
    tf_put(f, 1200 + 100 * number, pid, 1, false);
    tf_put(f, 1500 + 150 * number, pid, 1, true);
    tf_put(f, 3000 + 100 * number, pid, 0, true);
    tf_ok(ez_fxt_out_close(f));
}

static void mpi(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, uint64_t n, const uint64_t *arg,
                size_t narg)
{
    tf_args(f, tick, tid, EZ_C_MODULE + (0x53 << 16) + n, arg, narg);
}

/* Two ranks; rank 0 sends a message to rank 1 in MPI_Isend, and one that rank 1 does not receive. */
static void messages(void)
{
    enum { POP = 91, COMPLETE = 93, ISEND = 120, IRECV = 150, WAIT = 204 };
    for (unsigned i = 0; i < 2; i++) {
        struct ez_fxt_out *f = tf_open(i ? "message1.fxt" : "message0.fxt", 90 + (int)i);
        tf_clock(f, 0, 1000000000000, 5000);
        tf_process(f, 90 + i, "solver", "here");
        tf_job(f, i, "job8");
        functions(f);
        tf_put(f, 1000, 90 + i, 0, false);
        if (i) {
            mpi(f, 1100, 91, IRECV, (uint64_t[]){ 1, 0, 5, 7 }, 4);
            mpi(f, 1200, 91, POP, NULL, 0);
            mpi(f, 1300, 91, WAIT, NULL, 0);
            mpi(f, 1900, 91, COMPLETE, (uint64_t[]){ 7, 0, 5 }, 3);
            mpi(f, 2000, 91, POP, NULL, 0);
        } else {
            mpi(f, 1500, 90, ISEND, (uint64_t[]){ 1, 1, 5, 4096 }, 4);
            mpi(f, 1600, 90, POP, NULL, 0);
            mpi(f, 1700, 90, ISEND, (uint64_t[]){ 1, 1, 6, 8 }, 4);
            mpi(f, 1800, 90, POP, NULL, 0);
        }
        tf_put(f, 3000, 90 + i, 0, true);
        tf_ok(ez_fxt_out_close(f));
    }
}

static void many(const char *path, unsigned step)
{
    struct ez_fxt_out *f = tf_open(path, 60);
    uint64_t now = 1000;
    tf_process(f, 60, "app", "here");
    for (unsigned i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%02u", i);
        tf_probe(f, i, TF_BOTH, name, "app");
    }
    for (unsigned i = 0; i < MANY; i++) {
        tf_put(f, now, 60, i, false);
        now += 100 + step * (i * 7 % MANY);
        tf_put(f, now, 60, i, true);
    }
    tf_ok(ez_fxt_out_close(f));
}

/* Names of C++, values, an event, a recursion that is deeper than a line is wide, and a long name. */
static void nested(void)
{
    struct ez_fxt_out *f = tf_open("nested.fxt", 80);
    static const char in[] = "n\tint\ntext\ttext\n", out[] = "$ret\tint\n";
    uint64_t now = 1000, text = 0;
    memcpy(&text, "a\\b", 3);
    const uint64_t code = EZ_C_PROBE + 2, leave = code + 1;
    tf_process(f, 80, "app", "here");
    tf_probe(f, 0, TF_BOTH, "main", "app");
    tf_probe(f, 1, TF_BOTH, "ns::v<int, (A)1>::get[abi:cxx11](int) const", "app");
    tf_probe(f, 2, TF_BOTH, "(anonymous namespace)::f(int)::{lambda(int)#1}::operator()(int) const",
             "app");
    tf_probe(f, 3, TF_BOTH, "operator<< <char>(std::ostream&, char)", "app");
    tf_probe(f, 4, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point(int)", "app");
    tf_probe(f, 5, TF_BOTH, "point(char)", "app");
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_ITEMS, 1, 80, &code, 1, in, sizeof in - 1 }));
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_ITEMS, 1, 80, &leave, 1, out, sizeof out - 1 }));
    tf_put(f, now, 80, 0, false);
    tf_args(f, now += 100, 80, code, (uint64_t[]){ 5, 3, text }, 3);
    tf_args(f, now += 1234567, 80, leave, (uint64_t[]){ 0, 42 }, 2);
    tf_args(f, now += 100, 80, code, (uint64_t[]){ (uint64_t)-1, 3, text }, 3);
    tf_put(f, now += 100, 80, 4, false);
    tf_args(f, now += 2000000000, 80, leave, (uint64_t[]){ 0, 0 }, 2);
    for (unsigned i = 0; i < 40; i++)
        tf_put(f, now += 10, 80, i % 2 ? 2 : 3, false);
    for (unsigned i = 40; i-- > 0;)
        tf_put(f, now += 10, 80, i % 2 ? 2 : 3, true);
    tf_put(f, now += 10, 80, 5, false);
    tf_put(f, now += 10, 80, 5, true);
    tf_put(f, now += 10, 80, 0, true);
    tf_ok(ez_fxt_out_close(f));
}

/* A run of a version: ten functions of different times, of which run and version change a little, and
 * fun7 of version 2 is 10 % slower. */
static void version(unsigned number, unsigned run)
{
    char path[32], program[16];
    uint64_t now = 1000;
    snprintf(path, sizeof path, "v%u-%u.fxt", number, run);
    snprintf(program, sizeof program, "app%u", number);
    struct ez_fxt_out *f = tf_open(path, 80);
    tf_process(f, 80, program, "here");
    for (unsigned i = 0; i < 10; i++) {
        char name[16];
        snprintf(name, sizeof name, "fun%u", i);
        tf_probe(f, i, TF_BOTH, name, i % 2 ? program : number == 1 ? "libx.so.1" : "libx.so.2");
    }
    tf_probe(f, 10, TF_BOTH, number == 1 ? "older" : "newer", program);
    for (unsigned i = 0; i <= 10; i++)
        for (unsigned k = 0; k < 3; k++) {
            uint64_t ns = 10000 * (i + 1), slower = number == 2 && i == 7 ? ns / 10 : 0;
            tf_put(f, now, 80, i, false);
            now += ns + slower + ns * ((run * 7 + number * 3 + i * 5) % 11) / 2000;
            tf_put(f, now, 80, i, true);
            now += 100;
        }
    tf_ok(ez_fxt_out_close(f));
}

enum { TAKE = EZ_C_MODULE + 0x520000, GIVE, BLOCKED, POP, BUSY };

static void word(struct ez_fxt_out *f, uint64_t code, enum ez_action action, const char *name,
                 const char *words)
{
    uint64_t arg[] = { code, action, 2 };
    char text[128];
    int n = snprintf(text, sizeof text, "%s%cpthread%c%s", name, 0, 0, words);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_MEANING, 1, 42, arg, 3, text, (size_t)n }));
}

/* Thread 90 has the lock in outer, and thread 91 waits for it. A second lock is free. If the trace
 * ends early, the wait does not end. */
static void locked(const char *path, unsigned pid, bool early)
{
    struct ez_fxt_out *f = tf_open(path, (int)pid);
    uint64_t lock[] = { 0x4010, 0x4020 };
    tf_clock(f, 0, 1000000000000, 5000);
    tf_process(f, pid, "app", "here");
    functions(f);
    word(f, TAKE, EZ_A_PUSH, "Critical Section", "@lock:hex");
    word(f, GIVE, EZ_A_POP, "", "@lock:hex");
    word(f, BLOCKED, EZ_A_PUSH, "Blocked on a mutex", "@lock:hex");
    word(f, POP, EZ_A_POP, "", "");
    word(f, BUSY, EZ_A_EVENT, "lock busy", "@lock:hex");
    tf_put(f, 1000, pid, 0, false);
    tf_args(f, 1100, pid, TAKE, lock, 1);
    tf_args(f, 1150, pid + 2, TAKE, lock + 1, 1);
    tf_args(f, 1200, pid + 1, BLOCKED, lock, 1);
    tf_args(f, 1300, pid + 2, BUSY, lock, 1);
    tf_args(f, 1350, pid + 2, GIVE, lock + 1, 1);
    if (!early) {
        tf_args(f, 1500, pid, GIVE, lock, 1);
        tf_args(f, 1540, pid + 1, POP, NULL, 0);
        tf_args(f, 1540, pid + 1, TAKE, lock, 1);
        tf_args(f, 1700, pid + 1, GIVE, lock, 1);
    }
    tf_put(f, 2000, pid, 0, true);
    tf_ok(ez_fxt_out_close(f));
}

/* Each of 13 threads waits until the thread before it gives the lock back. */
static void crowd(void)
{
    struct ez_fxt_out *f = tf_open("crowd.fxt", 90);
    uint64_t lock = 0x4010, now = 1000;
    tf_clock(f, 0, 1000000000000, 5000);
    tf_process(f, 90, "app", "here");
    word(f, TAKE, EZ_A_PUSH, "Critical Section", "@lock:hex");
    word(f, GIVE, EZ_A_POP, "", "@lock:hex");
    word(f, BLOCKED, EZ_A_PUSH, "Blocked on a mutex", "@lock:hex");
    word(f, POP, EZ_A_POP, "", "");
    tf_args(f, now, 90, TAKE, &lock, 1);
    for (unsigned i = 0; i < 12; i++) {
        tf_args(f, now += 10, 91 + i, BLOCKED, &lock, 1);
        tf_args(f, now += 100 + 10 * i, 90 + i, GIVE, &lock, 1);
        tf_args(f, now, 91 + i, POP, NULL, 0);
        tf_args(f, now, 91 + i, TAKE, &lock, 1);
    }
    tf_args(f, now + 10, 102, GIVE, &lock, 1);
    tf_ok(ez_fxt_out_close(f));
}

static void versions(void)
{
    for (unsigned run = 1; run <= 5; run++) {
        version(1, run);
        version(2, run);
    }
    locked("locks.fxt", 90, false);
    crowd();
    locked("stuck.fxt", 95, true);
    ck_assert(!mkdir("empty", 0700) && !mkdir("runs", 0700));
    ck_assert(!link("v2-1.fxt", "runs/a.fxt") && !link("plain.fxt", "vs"));
}

/* ---- sessions ------------------------------------------------------------------------- */

static const struct loop_calls calls = { .events = sess_events, .heard = wire_between };

static void session(FILE *commands)
{
    char line[256];
    struct ez_sess *s = ez_alloc(sizeof *s);
    s->batch = true;
    s->in.sigfd = -1;
    s->in.calls = &calls;
    s->program.status = s->shell_exit = s->end.status = -1;
    setenv("HOME", "/nowhere", 1);
    setenv("SHELL", "/bin/sh", 1);
    setenv("TMPDIR", ".", 1);
    tf_ok(ez_target_create(&s->target));
    commands_register();
    settings_init(s);
    s->ui.trace_commands = true;
    while (fgets(line, sizeof line, commands)) {
        line[strcspn(line, "\n")] = 0;
        dispatch_print(s, line);
        sess_forget(s, 0);
    }
    fflush(stdout);
    sess_free_target(s);
    settings_free(s);
    sess_free(s);
    free(s);
}

static char *all_of(const char *path)
{
    static char text[1 << 18];
    FILE *f = fopen(path, "re");
    ck_assert_msg(f != NULL, "%s", path);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return ez_strdup(text);
}

static const char *const lists[] = { "read", "compare", "words" };

START_TEST(read_commands)
{
    const char *top = getenv("top_srcdir");
    EZ_FREE char *real = realpath(top ? top : ".", NULL);
    EZ_FREE char *in = ez_sprintf("%s/tests/unit/shell/%s.ezt", real, lists[_i]);
    EZ_FREE char *want_path = ez_sprintf("%s/tests/unit/shell/%s.out", real, lists[_i]);
    FILE *commands = fopen(in, "re");
    ck_assert_msg(commands != NULL, "%s", in);
    (void)!system("rm -rf " FOLDER);
    ck_assert(!mkdir(FOLDER, 0700) && !chdir(FOLDER));
    plain();
    idle();
    damaged();
    nested();
    messages();
    many("many.fxt", 10);
    many("equal.fxt", 0);
    rank("rank10.fxt", 71, 10, "beta");
    rank("rank2.fxt", 70, 2, "alpha");
    if (!strcmp(lists[_i], "compare"))
        versions();
    fflush(stdout);
    int out = dup(1), err = dup(2), to = open("printed", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    int in_was = dup(0), null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(to, 1), dup2(to, 2), dup2(null, 0); /* no terminal: tables of any width */
    setvbuf(stdout, NULL, _IOLBF, 0);
    session(commands);
    dup2(out, 1), dup2(err, 2), dup2(in_was, 0);
    close(to), close(out), close(err), close(in_was), close(null);
    fclose(commands);
    EZ_FREE char *got = all_of("printed");
    ck_assert(!chdir("..") && !system("rm -rf " FOLDER));
    if (getenv("EZT_UPDATE")) {
        FILE *f = fopen(want_path, "we");
        fputs(got, f);
        fclose(f);
        return;
    }
    EZ_FREE char *want = all_of(want_path);
    char *g = got, *w = want, *gl, *wl;
    for (int n = 1; (wl = strsep(&w, "\n")); n++) {
        gl = strsep(&g, "\n");
        ck_assert_msg(gl && !strcmp(gl, wl), "%s.out:%d: <%s>, printed <%s>", lists[_i], n, wl,
                      gl ? gl : "");
    }
    ck_assert_msg(!g, "then <%s>", g);
}
END_TEST

TCase *read_case(void)
{
    TCase *t = tcase_create("read");
    tcase_set_timeout(t, 30);
    tcase_add_loop_test(t, read_commands, 0, EZ_ARRAY_LEN(lists));
    return t;
}
