/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replace.c - `replace`, `info replacements`. Replacements are numbered among the probes:
 * delete_enable.c deletes, disables and enables them.
 * Tests: tests/procs/replace.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/probe_pick.h"
#include "cmds/data/values.h"
#include "shell/out.h"
#include "shell/sess.h"

struct planted {
    struct ez_sess *s;
    int number;
};

static void replace_say(const struct ez_probe_info *p, void *arg)
{
    const struct planted *q = arg;
    struct ez_sess *s = q->s;
    if (p->number != q->number)
        return;
    if (p->state != EZ_PROBE_ARMED) {
        out_line(s, "Replacement %d (%s) pending%s%s%s", p->number, p->spec->location,
                 *p->reason ? ": " : "", p->reason, ez_err_stop(p->reason));
        return;
    }
    values_set_last(s, p->addr);
    out_line(s, "Replacement %d at %s: calls of %s in %s go to %s.", p->number,
             out_addr(s, p->addr), p->function, p->library, p->spec->with);
    out_line(s, "The original continues at %s%s%s.", out_addr(s, p->original),
             p->spec->orig ? ", which is in " : "", ez_text(p->spec->orig));
}

/* The command replace FUNC with LIB:SYMBOL [orig VARIABLE]. */
static ez_err *cmd_replace(struct ez_sess *s, int argc, char **argv)
{
    bool orig = argc == 6 && !strcmp(argv[4], "orig");
    if ((argc != 4 && !orig) || strcmp(argv[2], "with"))
        return opt_misuse(s);
    EZ_TRY(ez_location_check(argv[1]));
    EZ_TRY(ez_location_check(argv[3]));
    struct planted q = { .s = s };
    int n;
    EZ_TRY(ez_probe_add(s->target,
                        &(struct ez_probe_spec){ .kind = EZ_PROBE_REPLACE,
                                                 .location = argv[1],
                                                 .with = argv[3],
                                                 .orig = orig ? argv[5] : NULL },
                        &q.number, &n));
    ez_probes(s->target, replace_say, &q);
    return NULL;
}

static void replace_list(const struct ez_probe_info *p, void *arg)
{
    struct out_table *t = arg;
    struct ez_sess *s = t->sess;
    const char *why = *p->reason ? sess_format(s, "  (%s)", p->reason) : "";
    if (p->spec->with)
        out_row(t, sess_format(s, "%d", p->number), probe_state(p->state),
                p->addr       ? out_addr16(s, p->addr)
                : s->run.json ? ""
                              : "<PENDING>",
                sess_format(s, "%llu", (unsigned long long)(p->entries + p->earlier_entries)),
                *p->function ? p->function : p->spec->location,
                sess_format(s, "%s%s", p->spec->with, s->run.json ? "" : why),
                p->original ? out_addr16(s, p->original) : "", ez_text(p->spec->orig),
                out_cell_only(s, p->reason), NULL);
}

static ez_err *cmd_info_replacements(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    out_table_init(&t, s, "Num", "State", "Address", ">Calls", "~Function", "~With", "Original",
                   "Pointer", "", NULL);
    out_table_keys(&t, "replacements",
                   "number# state address calls# function with original pointer reason");
    ez_probes(s->target, replace_list, &t);
    out_table_end(&t, "No replacements.");
    return NULL;
}

const struct ez_cmd command_info_replacements = {
    .parent = "info",
    .name = "replacements",
    .usage = "",
    .brief = "Show the replaced functions and their replacements.",
    .help = "Calls counts the calls of the replacement, also those under earlier shells.\n"
            "Original is the address that the replacement calls, through its pointer, to run\n"
            "the replaced function.",
    .examples = "info replacements",
    .see_also = "replace, info probes, delete",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_replacements,
};

const struct ez_cmd command_replace = {
    .name = "replace",
    .usage = "FUNC with LIB:FUNC2 [orig VARIABLE]",
    .brief = "Call another function instead of FUNC.",
    .help = "FUNC2 has the same prototype as FUNC and is in the program or in one of its\n"
            "libraries. VARIABLE is a pointer in the same file as FUNC2. eztsh writes the\n"
            "address of the original code to VARIABLE, so that FUNC2 can call FUNC. Probes\n"
            "on FUNC record a call before FUNC2 runs.\n"
            "\n"
            "If the replacement is deleted while a thread is in FUNC2, the thread still\n"
            "finishes the call of FUNC2. If FUNC2 itself calls a replaced function, it needs\n"
            "a guard (ezt_probe.h).",
    .examples = "replace compute with libmine.so:my_compute\n"
                "replace libc.so.6:malloc with libmine.so:my_malloc orig real_malloc",
    .see_also = "info replacements, probe, delete, why",
    OPERANDS(PROBE, 3, 5),
    .flags = MUTATES | TEXT_ONLY,
    .fn = cmd_replace,
    .complete = comp_location,
};
