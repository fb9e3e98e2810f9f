/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.c - `info macro`, `macro expand`: preprocessor macros, from the debug information (-g3).
 * Tests: tests/procs/macros.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/data/values.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Returns the text with a blank after each comma between parameters, as gdb prints it. Lives until
 * the command returns. */
static const char *macro_spaced(struct ez_sess *s, const char *text)
{
    const char *out = "", *body = text + strcspn(text, " ");
    for (size_t n; text < body; text += n) {
        n = strcspn(text, ", ") + (text[strcspn(text, ", ")] == ',');
        n = EZ_MIN(n, (size_t)(body - text));
        out = sess_format(s, "%s%.*s%s", out, (int)n, text, text[n - 1] == ',' ? " " : "");
    }
    return sess_format(s, "%s%s", out, body);
}

static void macro_print(struct ez_sess *s, const struct ez_macro *m)
{
    size_t name = strcspn(m->text, " ");
    if (m->n) {
        out_ours(s, "#define %s", macro_spaced(s, m->text));
        return;
    }
    out_line(s, "Defined by the compiler, or on its command line");
    out_ours(s, "-D%.*s%s%s", (int)name, m->text, m->text[name] ? "=" : "",
             m->text[name] ? m->text + name + 1 : "");
}

static ez_err *cmd_info_macro(struct ez_sess *s, int argc, char **argv)
{
    struct ez_macro m;
    struct out_table t;
    bool found = ez_eval_macro(values_of(s), argv[1], &m);
    out_table_json(&t, s, "macro", "file line#");
    bool json = t.json;
    out_fact(&t, "definition", found ? m.text : "");
    for (unsigned i = 0; found && i < m.n; i++) {
        const char *file = m.at[i].file ? m.at[i].file : "";
        if (json)
            out_row(&t, file, sess_format(s, "%u", m.at[i].line), NULL);
        else
            out_line(s, "%s %s:%u", i ? "  included at" : "Defined at", file, m.at[i].line);
    }
    out_table_json_end(&t, NULL);
    if (json)
        return NULL;
    if (!found)
        return ez_err_gdb(EZ_E_NOTFOUND,
                          "The symbol `%s' has no definition as a C/C++ preprocessor macro",
                          argv[1]);
    macro_print(s, &m);
    return NULL;
}

const struct ez_cmd command_info_macro = {
    .parent = "info",
    .name = "macro",
    .usage = "NAME",
    .brief = "Show the definition of a preprocessor macro.",
    .help = "The command shows the definition that is valid at the selected frame. Macros\n"
            "are in the debug information of programs that are compiled with -g3.",
    .examples = "info macro NULL",
    .see_also = "macro expand, print",
    OPERANDS(DATA, 1, 1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_macro,
};

static ez_err *cmd_macro_expand(struct ez_sess *s, int argc, char **argv)
{
    char *text;
    EZ_TRY(ez_eval_expand(values_of(s), argv[1], &text));
    out_ours(s, "expands to: %s", text ? text : argv[1]);
    free(text);
    return NULL;
}

const struct ez_cmd command_macro = {
    .name = "macro",
    .usage = "expand TEXT",
    .brief = "Show preprocessor macros of the program.",
    .help = "The command shows the macros that are valid at the selected frame. They are in\n"
            "the debug information of programs that are compiled with -g3. Expressions may\n"
            "use them, too.",
    .examples = "macro expand LIMIT + 1",
    .see_also = "info macro, print",
    OPERANDS(DATA, 0, 0),
    .flags = TEXT_ONLY,
    .fn = cmd_list_sub,
};

const struct ez_cmd command_macro_expand = {
    .parent = "macro",
    .name = "expand",
    .usage = "TEXT",
    .brief = "Expand the macros of a text.",
    .examples = "macro expand MAX(a, b)",
    .see_also = "info macro, print",
    OPERANDS(DATA, 1, 1),
    .flags = RAW,
    .fn = cmd_macro_expand,
};
