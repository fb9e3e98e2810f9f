/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - `measure`: the length of a prologue.
 * Tests: tests/e2e/measure.ezt */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

static enum ez_measure_how measure_how(struct ez_sess *s)
{
    bool nothing_to_step = ez_target_state(s->target) != EZ_STOPPED;
    if (opt_given(s, "-both"))
        return EZ_MEASURE_BOTH;
    if (opt_given(s, "-step"))
        return EZ_MEASURE_STEP;
    return opt_given(s, "-opcodes") || nothing_to_step ? EZ_MEASURE_OPCODES : EZ_MEASURE_BOTH;
}

static const char *measure_length(struct ez_sess *s, unsigned n)
{
    return n ? sess_format(s, "%u", n) : "-";
}

static void measure_print_rows(struct ez_sess *s, const struct ez_measure *m)
{
    struct out_table t;
    out_table_init(&t, s, "Address", "Bytes", ">Opcodes", ">Step", ">Sum", "Instruction", "", NULL);
    out_table_keys(&t, "measure", "address bytes opcodes# step# sum# instruction jumped?");
    out_fact(&t, "need#", sess_format(s, "%u", m->need));
    out_fact(&t, "overwritten#", sess_format(s, "%u", m->overwritten));
    out_fact(&t, "verdict", m->verdict);
    for (size_t i = 0; i < m->n; i++) {
        const struct ez_measured *r = &m->insn[i];
        char bytes[48] = "";
        unsigned len = r->len_opcodes ? r->len_opcodes : r->len_step;
        for (unsigned k = 0; k < len && k < 15; k++)
            sprintf(bytes + 3 * k, "%02x ", r->bytes[k]);
        out_row(&t, out_addr16(s, r->addr), bytes, measure_length(s, r->len_opcodes),
                sess_format(s, "%s%s", measure_length(s, r->len_step),
                            r->jumped && !s->run.json ? " (jump)" : ""),
                sess_format(s, "%u", r->sum), r->text, out_cell_only(s, r->jumped ? "yes" : "no"),
                NULL);
    }
    out_table_print(&t);
}

static ez_err *cmd_measure(struct ez_sess *s, int argc, char **argv)
{
    struct ez_measure m;
    ez_addr func;
    EZ_TRY(parse_addr(s, argv[1], &func));
    memset(&m, 0, sizeof m);
    EZ_TRY(ez_measure(s->target, func, measure_how(s), &m));
    measure_print_rows(s, &m);
    if (out_json_requested(s))
        return NULL;
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

const struct ez_cmd command_measure = {
    .name = "measure",
    .usage = "FUNC",
    .brief = "Measure the instructions that a probe overwrites.",
    .help = "The command lists the first instructions of FUNC, as many as the jump to the\n"
            "trampoline covers.",
    .examples = "measure compute\n"
                "measure -opcodes main",
    .see_also = "probe, disassemble",
    OPERANDS(PROBE, 1, 1),
    OPTIONS({ .name = "-opcodes", .meaning = "decode the instructions" },
            { .name = "-step",
              .meaning = "execute the instructions in a scratch copy of the process",
              .instead = true },
            { .name = "-both",
              .meaning = "do both and compare the lengths; the default if the target is stopped",
              .instead = true },
            FOR_PROGRAMS),
    .fn = cmd_measure,
    .complete = comp_symbol,
};
