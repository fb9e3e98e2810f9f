/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - begin and end of a process: calls all rooms that have state of a process. Only this
 * file clears the state of a process that had begun to run its program.
 * Tests: tests/unit/process/check_life.c */
#include "engine/process/session.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"

#include <elf.h>
#include <string.h>

void ez_process_new(struct ez_target *t, pid_t pid, bool attached, bool child)
{
    ez_inferior_begin(t, pid, attached, child);
    ez_trace_process_begins(t);
    ez_probes_process_begins(t);
}

void ez_process_forget(struct ez_target *t)
{
    ez_trace_process_ended(t);
    /* before the rings are unmapped, because it reads counts from them */
    ez_probes_process_ended(t);
    ez_plugins_process_ended(t);
    ez_rt_down(t);
    ez_fork_drop(t);
    ez_inferior_end(t);
    t->session.mine.n = t->session.fork.held.n = 0;
}

/* Returns true if file o needs (DT_NEEDED) a library whose name begins with `name`. */
static bool process_needs(const struct ez_object *o, const char *name)
{
    Elf64_Dyn d;
    char text[64] = "";
    uint64_t strings = 0, at = ez_object_dynamic(o);
    for (uint64_t p = at; at && ez_object_read(o, p, &d, sizeof d) == sizeof d && d.d_tag;
         p += sizeof d)
        strings = d.d_tag == DT_STRTAB ? d.d_un.d_ptr : strings;
    for (; strings && ez_object_read(o, at, &d, sizeof d) == sizeof d && d.d_tag; at += sizeof d)
        if (d.d_tag == DT_NEEDED &&
            ez_object_read(o, strings + d.d_un.d_val, text, sizeof text - 1) &&
            !strncmp(text, name, strlen(name)))
            return true;
    return false;
}

/* Returns true if the program uses LeakSanitizer. Under another tracer LeakSanitizer ends the
 * process with status 1 (as a part of AddressSanitizer) or 23 (alone). */
static bool process_looks_for_leaks(struct ez_target *t)
{
    const struct ez_module *m = ez_module_program(t);
    return m && m->obj &&
           (ez_symbol_addr(t, m, "__lsan_do_leak_check") || process_needs(m->obj, "liblsan.so") ||
            process_needs(m->obj, "libasan.so"));
}

void ez_process_ended(struct ez_target *t, enum ez_event_kind kind, int value)
{
    bool leaks = kind == EZ_EV_EXITED && (value == 1 || value == 23) &&
                 t->inf.state != EZ_BACKGROUND && !t->session.leaks_reported &&
                 process_looks_for_leaks(t);
    struct ez_event ev = { .kind = kind, .tid = t->inf.pid };
    if (kind == EZ_EV_SIGNALED)
        ev.sig = value;
    else
        ev.status = value;
    ez_drain_image_ended(t->tracing.drain);
    ez_process_forget(t);
    ez_post(t, ev);
    if (leaks)
        ez_post_note(
            t,
            "LeakSanitizer does not work under ptrace, and ended the program with status %d: "
            "\"start\" and then \"continue &\" helps, or \"set environment ASAN_OPTIONS "
            "detect_leaks=0\" (LSAN_OPTIONS with -fsanitize=leak).",
            value);
    t->session.leaks_reported |= leaks;
    ez_rules_unmatched(t);
}
