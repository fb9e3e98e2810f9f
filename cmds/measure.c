/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - `measure [-opcodes|-step|-both] FUNC`: how long is the prologue? */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

static ez_err *parse_how(const char *word, enum ez_measure_how *how)
{
    if (!strcmp(word, "-opcodes"))
        *how = EZ_MEASURE_OPCODES;
    else if (!strcmp(word, "-step"))
        *how = EZ_MEASURE_STEP;
    else if (!strcmp(word, "-both"))
        *how = EZ_MEASURE_BOTH;
    else
        return ez_err_new(EZ_E_ARG, 0, "Usage: measure [-opcodes|-step|-both] FUNC");
    return NULL;
}

static const char *length(struct ez_sess *s, unsigned n)
{
    return n ? sess_format(s, "%u", n) : "-";
}

static void print_rows(struct ez_sess *s, const struct ez_measure *m)
{
    struct out_table t;
    out_table_init(&t, s, "Address", "Bytes", ">Opcodes", ">Step", ">Sum", "Instruction", NULL);
    for (size_t i = 0; i < m->n; i++) {
        const struct ez_measured *r = &m->insn[i];
        char bytes[48] = "";
        unsigned len = r->len_opcodes ? r->len_opcodes : r->len_step;
        for (unsigned k = 0; k < len && k < 15; k++)
            sprintf(bytes + 3 * k, "%02x ", r->bytes[k]);
        out_row(&t, out_addr16(s, r->addr), bytes, length(s, r->len_opcodes),
                sess_format(s, "%s%s", length(s, r->len_step), r->jumped ? " (jump)" : ""),
                sess_format(s, "%u", r->sum), r->text, NULL);
    }
    out_table_print(&t);
}

ez_err *cmd_measure(struct ez_sess *s, int argc, char **argv)
{
    enum ez_measure_how how = EZ_MEASURE_BOTH;
    struct ez_measure m;
    ez_addr func;
    parse_options_first(argc, argv);
    if (argc > 2)
        EZ_TRY(parse_how(argv[1], &how));
    else if (ez_target_state(s->target) != EZ_STOPPED)
        how = EZ_MEASURE_OPCODES; /* nothing to step yet */
    EZ_TRY(parse_addr(s, argv[argc - 1], &func));
    memset(&m, 0, sizeof m);
    EZ_TRY(ez_measure(s->target, func, how, &m));
    print_rows(s, &m);
    if (m.overwritten)
        out_line(s, "The base trampoline needs %u bytes and will overwrite %u.", m.need,
                 m.overwritten);
    else
        out_line(s, "The base trampoline needs %u bytes.", m.need);
    if (*m.step_note)
        out_line(s, "Stepping: %s", m.step_note);
    out_line(s, "Verdict: %s", m.verdict);
    return NULL;
}
