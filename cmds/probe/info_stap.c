/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_stap.c - `info probes stap`: the USDT probes that the program and its libraries have, as gdb
 * lists them.
 * Tests: tests/procs/usdt.sh */
#include <regex.h>

#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "engine/sym/sym.h"
#include "shell/out.h"
#include "shell/sess.h"

enum { STAP_PROVIDER, STAP_NAME, STAP_OBJECT, STAP_NPARTS };

struct stap_listing {
    struct out_table table;
    regex_t part[STAP_NPARTS]; /* the first nparts are given */
    int nparts;
    size_t n;
};

static bool stap_is_chosen(const struct stap_listing *l, const char *const *text)
{
    for (int i = 0; i < l->nparts; i++)
        if (regexec(&l->part[i], text[i], 0, NULL, 0))
            return false;
    return true;
}

static void stap_list(const struct ez_stap_info *p, void *arg)
{
    struct stap_listing *l = arg;
    struct ez_sess *s = l->table.sess;
    const struct ez_stap *note = p->note;
    const char *const text[STAP_NPARTS] = { note->provider, note->name, p->module.path };
    if (!stap_is_chosen(l, text))
        return;
    l->n++;
    out_row(&l->table, "stap", note->provider, note->name,
            out_addr16(s, note->vaddr + p->module.bias),
            note->semaphore ? out_addr16(s, note->semaphore + p->module.bias) : "", p->module.path,
            s->run.json || opt_given(s, "-args") ? note->arguments : "", NULL);
}

static ez_err *cmd_info_probes_stap(struct ez_sess *s, int argc, char **argv)
{
    struct stap_listing l = { .nparts = 0 };
    ez_err *e = NULL;
    for (int i = 1; i < argc && !e; i++) {
        e = ez_str_regcomp(&l.part[l.nparts], argv[i], 0);
        l.nparts += !e;
    }
    if (!e) {
        out_table_init(&l.table, s, "Type", "Provider", "Name", "Where", "Semaphore", "~Object",
                       opt_given(s, "-args") ? "Arguments" : "", NULL);
        out_table_keys(&l.table, "usdt", "type provider name where semaphore object arguments");
        l.table.wide = true;
        e = ez_staps(s->target, stap_list, &l);
        out_table_end(&l.table, "No probes matched.");
    }
    while (l.nparts)
        regfree(&l.part[--l.nparts]);
    return e;
}

const struct ez_cmd command_info_probes_stap = {
    .parent = "info probes",
    .name = "stap",
    .usage = "[PROVIDER [NAME [OBJECT]]]",
    .brief = "List the USDT probes of the program and its libraries.",
    .help = "A USDT probe is a place that a macro of systemtap's sys/sdt.h marks in the code.\n"
            "\"probe -stap PROVIDER:NAME\" records or counts it. PROVIDER, NAME and OBJECT are\n"
            "regular expressions, as in gdb; OBJECT is compared with the path of the file. A\n"
            "probe with several places has a row for each. The program prepares the arguments\n"
            "of a probe that has a semaphore only while a tool has incremented the semaphore,\n"
            "which \"probe -stap\" does.",
    .examples = "info probes stap\n"
                "info probes stap python ^gc",
    .see_also = "probe, info probes, break",
    OPERANDS(PROBE, 0, 3),
    OPTIONS({ .name = "-args", .meaning = "print the operands of the arguments, too" },
            FOR_PROGRAMS),
    .fn = cmd_info_probes_stap,
};
