/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_read.c - the commands that read traces, of traces written event by event: every number,
 * column and message (read.ezt, and what is printed: read.out); and what the shell says of itself
 * (words). With EZT_UPDATE set the latter is written instead of compared. */
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

static const char *const lists[] = { "read", "words" };

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
    damaged();
    many("many.fxt", 10);
    many("equal.fxt", 0);
    rank("rank10.fxt", 71, 10, "beta");
    rank("rank2.fxt", 70, 2, "alpha");
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
