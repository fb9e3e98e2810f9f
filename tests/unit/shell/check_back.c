/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_back.c - a session gives back what it took: memory, by malloc's own books, and
 * descriptors; what commands print is not looked at. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "shell/dispatch.h"
#include "shell/loop.h"
#include "shell/sess.h"
#include "shell/settings.h"
#include "shell/wire.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

#define FOLDER "check_back.folder"

static const char *const back_settings[] = {
    "set args a b",
    "set prompt > ",
    "set history filename /nowhere/history",
    "set auto-load safe-path /nowhere",
    "show",
    "set nosuch",
    "set args",
    "show args",
    "help probe",
    "apropos trace",
    "echo a\\nb",
    "shell true",
    "source /nowhere",
    "info probes",
    "info trace",
    "nosuch",
    NULL,
};

static const char *const known[] = {
    "file p_app",
    "info functions ^t",
    "info functions (",
    "info address twice",
    "info address nosuch",
    "info line twice",
    "info line p_app.c:30",
    "info line nosuch.c:1",
    "info symbol twice",
    "info symbol 1",
    "disassemble twice",
    "why twice",
    "why nosuch@V_1",
    "x/4i twice",
    "x/s nosuch",
    "probe -count twice",
    "probe -count libp.so:lib_mix",
    "probe nowhere",
    "delete 9",
    "info probes",
    "file /nowhere",
    NULL,
};

static const char *const lived[] = {
    "file p_app",
    "probe -count libp.so:lib_mix",
    "start 3 >/dev/null",
    "probe -record twice",
    "probe entry area",
    "probe -count -r ^lib_",
    "probe lib:nothing",
    "probe p_app.c:50",
    "why twice",
    "info probes",
    "info sharedlibrary",
    "info threads",
    "info proc mappings",
    "info registers rip",
    "disassemble twice",
    "x/8xb $sp",
    "stepi 3",
    "call answer(1, 2)",
    "call nosuch(1)",
    "check twice area",
    "disable 2",
    "enable 2",
    "begin",
    "probe -count answer",
    "commit",
    "delete 3",
    "info patch twice",
    "stats -live",
    "continue",
    "info trace",
    "info probes -all -sort name",
    NULL,
};

static const char *const left[] = {
    "file p_app", "start 3 >/dev/null", "probe -record twice", "stepi", "kill", "run 1 >/dev/null",
    NULL,
};

static const char *const unloaded[] = {
    "file p_dl",     "probe -count libp.so:lib_mix",
    "probe nowhere", "run ./libp.so 2 10 >/dev/null",
    "info probes",   NULL,
};

static const char *const kept[] = {
    "file p_loop",
    "start stop >/dev/null",
    "probe -record beat",
    "probe -count pulse",
    "detach -keep",
    "attach PID",
    "info probes",
    "detach -keep",
    "attach PID",
    "delete 1",
    "info probes",
    "detach",
    NULL,
};

static const char *const read_again[] = {
    "stats t.fxt",
    "stats -graph t.fxt",
    "stats -json t.fxt",
    "stats nosuch.fxt",
    "events t.fxt",
    "timeline t.fxt",
    "info histogram outer t.fxt",
    "convert -t paje -o t.trace t.fxt",
    "convert -t csv -o t.csv t.fxt",
    "convert -t chrome -o t.json t.fxt",
    "convert -t html -o t.html t.fxt",
    "convert -t folded -o t.folded t.fxt",
    "convert -t otf2 -o t.otf2 t.fxt",
    "convert -t nosuch t.fxt",
    "convert t.fxt -o /nowhere/x -t csv",
    NULL,
};

static const struct {
    const char *const *lines;
    size_t times;
} sessions[] = { { back_settings, 10 }, { known, 5 }, { lived, 4 },     { left, 4 },
                 { unloaded, 3 },       { kept, 3 },  { read_again, 3 } };

static const struct loop_calls calls = { .events = sess_events, .heard = wire_between };

static void session(void *arg)
{
    const char *const *lines = arg;
    struct ez_sess s = { .batch = true, .program.status = -1, .shell_exit = -1, .end.status = -1 };
    int pid = 0;
    tf_ok(loop_init(&s, &calls));
    tf_ok(ez_target_create(&s.target));
    commands_register();
    settings_init(&s);
    for (; *lines; lines++) {
        char attach[32];
        snprintf(attach, sizeof attach, "attach %d", pid);
        dispatch_print(&s, strcmp(*lines, "attach PID") ? *lines : attach);
        sess_forget(&s, 0);
        if (ez_target_pid(s.target) > 0)
            pid = ez_target_pid(s.target);
    }
    fflush(stdout);
    tf_ok(sess_release(&s));
    sess_free_target(&s);
    settings_free(&s);
    sess_free(&s);
    close(s.in.sigfd);
    if (pid && waitpid(pid, NULL, WNOHANG) == 0) { /* let go of */
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    (void)!system("rm -f *-*.fxt");
}

/* A folder with links to the programs, and a trace; nothing of what is printed is seen. */
static void prepare(void)
{
    static const char *const linked[] = { "p_app", "p_loop", "p_dl", "libp.so" };
    const char *top = getenv("top_builddir");
    EZ_FREE char *real = realpath(top ? top : ".", NULL);
    ck_assert(!system("rm -rf " FOLDER) && !mkdir(FOLDER, 0700) && !chdir(FOLDER));
    for (size_t i = 0; i < EZ_ARRAY_LEN(linked); i++) {
        EZ_FREE char *there = ez_sprintf("%s/tests/targets/%s", real, linked[i]);
        ck_assert_int_eq(symlink(there, linked[i]), 0);
    }
    setenv("HOME", "/nowhere", 1);
    setenv("SHELL", "/bin/sh", 1);
    struct ez_fxt_out *f = tf_open("t.fxt", 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    tf_probe(f, 1, TF_BOTH, "inner", "libx.so");
    for (uint64_t i = 0; i < 20; i++) {
        tf_put(f, 1000 + 100 * i, 42, 0, false);
        tf_put(f, 1010 + 100 * i, 42, 1, false);
        tf_put(f, 1020 + 100 * i, 42, 1, true);
        tf_put(f, 1030 + 100 * i, 42, 0, true);
    }
    tf_ok(ez_fxt_out_close(f));
}

START_TEST(what_a_session_took)
{
    prepare();
    fflush(stdout);
    int out = dup(1), err = dup(2), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (!getenv("EZT_SHOW"))
        dup2(null, 1), dup2(null, 2);
    dup2(null, 0);
    gives_back(session, (void *)sessions[_i].lines, sessions[_i].times);
    dup2(out, 1), dup2(err, 2);
    ck_assert(!chdir("..") && !system("rm -rf " FOLDER));
}
END_TEST

/* malloc's caches of each thread count as taken: without them two rounds tell. */
static void without_caches(char **argv)
{
    const char *set = "glibc.malloc.tcache_count=0", *was = getenv("GLIBC_TUNABLES");
    if (was && !strcmp(was, set))
        return;
    setenv("GLIBC_TUNABLES", set, 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    Suite *s = suite_create("back");
    TCase *c = tcase_create("back");
    if (!proc_there("check_back"))
        return 77;
    without_caches(argv);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, what_a_session_took, 0, EZ_ARRAY_LEN(sessions));
    suite_add_tcase(s, c);
    return run_suite(s);
}
