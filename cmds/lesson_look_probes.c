/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_look_probes.c - how what a student did is seen, of lessons 5 and on: probes, libraries, threads, traces
 * (lesson.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmds/lesson_tasks.h"
#include "shell/out.h"

/* ---- 5: the base trampoline ---------------------------------------------------------------------- */

static const char *learn_step_why(const struct lesson_at *at, struct ez_why *w)
{
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    memset(w, 0, sizeof *w);
    if (!ez_err_drop(ez_why(at->s->target, ez_addr_of(learn_addr(at->s, "step")), false, w)) ||
        !w->planted)
        return "no probe stands on `step`.";
    return NULL;
}

const char *learn_planted(const struct lesson_at *at)
{
    struct ez_why w;
    uint8_t first = 0;
    const char *no = learn_step_why(at, &w);
    if (no)
        return no;
    learn_word(at->s, w.site, &first, 1);
    return first == 0xe9 ? NULL : "no 5-byte jump (e9) stands at the start of `step`.";
}

const char *learn_stub(const struct lesson_at *at)
{
    struct ez_why w;
    uint64_t said;
    const char *no = learn_step_why(at, &w);
    if (no)
        return no;
    if (!learn_value(at->s, "$stub", &said))
        return "$stub has no value yet.";
    return said == w.stub ? NULL
                          : sess_format(at->s, "$stub is 0x%llx; the jump does not lead there.",
                                        (unsigned long long)said);
}

const char *learn_copy(const struct lesson_at *at)
{
    struct ez_why w;
    uint64_t said;
    const char *no = learn_step_why(at, &w);
    if (no)
        return no;
    if (!learn_value(at->s, "$copy", &said))
        return "$copy has no value yet.";
    return said == w.relocated ? NULL : "$copy is not where the first moved instruction runs.";
}

const char *learn_called(const struct lesson_at *at)
{
    struct ez_probe_info p;
    const char *no = learn_ended(at);
    if (no)
        return no;
    if (!learn_probe(at->s, "step", &p))
        return "the probe on `step` is gone.";
    if (!p.entries || p.entries != p.exits)
        return sess_format(at->s, "the probe counted %llu entries and %llu exits.",
                           (unsigned long long)p.entries, (unsigned long long)p.exits);
    return NULL;
}

/* ---- 6: a library is mapped ----------------------------------------------------------------------- */

const char *learn_watching(const struct lesson_at *at)
{
    return ez_settings(at->s->target)->solib_syscalls
               ? NULL
               : "the loader's system calls are not watched: `set solib-watch syscalls`.";
}

const char *learn_loaded(const struct lesson_at *at)
{
    const char *no = learn_watching(at);
    no = no ? no : learn_stopped(at->s);
    if (no)
        return no;
    if (ez_target_pid(at->s->target) == at->pid)
        return "this process was there before: its libraries were mapped then.";
    return learn_in_main(at->s) < 0 ? "the process does not stand in main." : NULL;
}

struct learn_lib {
    uint64_t base, offset; /* of the library, and of kernel_row in it */
};

static void learn_if_kernel(const struct ez_module_info *m, void *arg)
{
    struct learn_lib *l = arg;
    const char *slash = strrchr(m->path, '/');
    if (!strcmp(slash ? slash + 1 : m->path, "libkernel.so"))
        l->base = m->lo;
}

const char *learn_base(const struct lesson_at *at)
{
    struct learn_lib l = { 0 };
    uint64_t said;
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    if (!ez_err_drop(ez_modules(at->s->target, learn_if_kernel, &l)) || !l.base)
        return "libkernel.so is not loaded.";
    if (!learn_value(at->s, "$base", &said))
        return "$base has no value yet.";
    return said == l.base ? NULL
                          : sess_format(at->s, "libkernel.so was not mapped at 0x%llx.",
                                        (unsigned long long)said);
}

const char *learn_offset(const struct lesson_at *at)
{
    struct learn_lib l = { 0 };
    uint64_t said;
    const char *no = learn_base(at);
    if (no)
        return no;
    if (!ez_err_drop(ez_modules(at->s->target, learn_if_kernel, &l)) ||
        !learn_value(at->s, "$offset", &said))
        return "$offset has no value yet.";
    return said == learn_addr(at->s, "libkernel.so:kernel_row") - l.base
               ? NULL
               : "$base + $offset is not where kernel_row is.";
}

/* ---- 7: exits -------------------------------------------------------------------------------- */

const char *learn_slots(const struct lesson_at *at)
{
    struct ez_probe_info step, row;
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    if (ez_settings(at->s->target)->exit_mode != EZ_EXIT_SLOTS)
        return "exits do not go through slots: `set exit-mode slots`, before the probe is planted.";
    if (!learn_probe(at->s, "step", &step) || !(step.spec->kind & EZ_PROBE_EXIT))
        return "no probe on `step` follows its exit.";
    if (!learn_probe(at->s, "kernel_row", &row))
        return "no probe on `kernel_row` stops there.";
    return row.entries ? NULL : "nothing has called `kernel_row` yet.";
}

const char *learn_hijacked(const struct lesson_at *at)
{
    struct ez_map map;
    uint64_t said;
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    if (!learn_value(at->s, "$slot", &said))
        return "$slot has no value yet.";
    if (!learn_map(at->s, said, &map))
        return "nothing is mapped at $slot.";
    if (strncmp(map.name, "[eztsh", 6) || !strchr(map.perm, 'x'))
        return sess_format(at->s, "$slot is an address in %s, and no return address of eztsh's.",
                           *map.name ? map.name : "anonymous memory");
    return NULL;
}

const char *learn_unhooked(const struct lesson_at *at)
{
    struct ez_probe_info p;
    const char *no = learn_ended(at);
    if (no)
        return no;
    if (learn_probe(at->s, "step", &p) && (p.entries != p.exits || !p.exits))
        return "not every call of `step` was seen to return.";
    return NULL;
}

/* ---- 8: threads ------------------------------------------------------------------------------ */

struct learn_threads {
    unsigned n;
};

static void learn_thread(const struct ez_thread_info *t, void *arg)
{
    ((struct learn_threads *)arg)->n++;
}

const char *learn_five_threads(const struct lesson_at *at)
{
    struct learn_threads n = { 0 };
    if (ez_target_state(at->s->target) == EZ_NONE)
        return "there is no process yet.";
    if (!ez_err_drop(ez_threads(at->s->target, learn_thread, &n)) || n.n < 5)
        return sess_format(at->s, "the process has %u thread%s; with its four workers it has 5.",
                           n.n, n.n == 1 ? "" : "s");
    return NULL;
}

static void learn_place(const struct ez_thread_place *p, void *arg)
{
    ((struct learn_threads *)arg)->n++;
}

const char *learn_patched_busy(const struct lesson_at *at)
{
    struct learn_threads n = { 0 };
    struct ez_probe_info p;
    const char *no = learn_five_threads(at);
    if (no)
        return no;
    if (!learn_probe(at->s, "step", &p) || p.state != EZ_PROBE_ARMED)
        return "no probe stands on `step`.";
    ez_thread_places(at->s->target, learn_place, &n);
    return n.n >= 5 ? NULL : "the text was not changed while all threads were there.";
}

const char *learn_bytes_back(const struct lesson_at *at)
{
    struct ez_textdiff_sum sum = { 0 };
    struct ez_probe_info p;
    const char *no = learn_five_threads(at);
    if (no)
        return no;
    if (learn_probe(at->s, "step", &p))
        return "the probe on `step` is still there.";
    (void)ez_err_drop(ez_textdiff(at->s->target, learn_no_diff, NULL, &sum));
    return sum.foreign ? "bytes of the text are not the file's." : NULL;
}

const char *learn_killed(const struct lesson_at *at)
{
    return ez_target_state(at->s->target) == EZ_NONE ? NULL : "the process is still there.";
}

/* ---- 9: from events to a timeline -------------------------------------------------------------- */

const char *learn_traced(const struct lesson_at *at)
{
    struct ez_trace_info t = { 0 };
    struct stat st;
    struct ez_probe_info p;
    const char *no = learn_ended(at);
    if (no)
        return no;
    ez_trace_info(at->s->target, &t);
    if (!t.path || stat(t.path, &st) < 0 || st.st_mtime < at->began)
        return "no trace was written.";
    if (!learn_probe(at->s, "step", &p) || !p.spec->record || p.entries < 4)
        return "no probe on `step` has recorded calls.";
    return t.ledger.recorded ? NULL : "the trace has no events.";
}

const char *learn_ledger(const struct lesson_at *at)
{
    struct ez_trace_info t = { 0 };
    uint64_t said;
    ez_trace_info(at->s->target, &t);
    if (!learn_value(at->s, "$hits", &said))
        return "$hits has no value yet.";
    return said == t.ledger.hits ? NULL
                                 : "$hits is not what the ledger says: hits = recorded + ...";
}

const char *learn_converted(const struct lesson_at *at)
{
    struct stat st;
    if (stat("heat.json", &st) < 0 || st.st_mtime < at->began || !st.st_size)
        return "there is no new file heat.json in the current folder (`pwd`).";
    return NULL;
}

/* ---- 10: a bug in a relocation ------------------------------------------------------------------ */

static const char *const learn_buggy[] = { "step", "main", "work" };
#define BUGGY 2 /* without its first instructions `work` does not fail: it does nothing */

void learn_plant_bug(struct ez_sess *s)
{
    struct ez_settings *set = ez_settings(s->target);
    srandom((unsigned)time(NULL) ^ (unsigned)getpid());
    snprintf(set->corrupt, sizeof set->corrupt, "%s", learn_buggy[(unsigned long)random() % BUGGY]);
}

static unsigned learn_probed(struct ez_sess *s)
{
    unsigned n = 0;
    struct ez_probe_info p;
    for (size_t i = 0; i < EZ_ARRAY_LEN(learn_buggy); i++)
        n += learn_probe(s, learn_buggy[i], &p);
    return n;
}

const char *learn_crashed(const struct lesson_at *at)
{
    if (!*ez_settings(at->s->target)->corrupt)
        return "there is no bug any more: \"lesson reset\" plants one.";
    if (learn_probed(at->s) < EZ_ARRAY_LEN(learn_buggy))
        return "not all of main, work and step are probed.";
    if (ez_target_state(at->s->target) != EZ_NONE)
        return "the process is still there.";
    return at->s->child_status > 0 ? NULL : "the program has not failed.";
}

const char *learn_bug(const struct lesson_at *at)
{
    uint64_t said;
    struct ez_probe_info p;
    if (!learn_value(at->s, "$bug", &said))
        return "$bug has no value yet.";
    if (!learn_probe(at->s, ez_settings(at->s->target)->corrupt, &p))
        return "the probes are not there any more.";
    return said == (uint64_t)p.number
               ? NULL
               : sess_format(at->s, "probe %llu is not the one.", (unsigned long long)said);
}

const char *learn_mended(const struct lesson_at *at)
{
    const char *no = learn_ended(at);
    if (no)
        return no;
    return learn_probed(at->s) < EZ_ARRAY_LEN(learn_buggy)
               ? "not all of main, work and step are probed: it is easy without."
               : NULL;
}
