/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_macro.c - finds the definition of a preprocessor macro that applies at an instruction
 * (dwarf_read.h).
 *
 * The compiler writes all definitions of a unit in the order in which it read them, with the files
 * that it entered and left. The definitions before the instruction's line apply.
 *
 * Tests: tests/procs/macros.sh */
#include <string.h>

#include "engine/dwarf/dwarf_read.h"

/* maximum depth of includes, and of parts of the table that several units share */
#define DEEPEST 64

struct dwarfmacro {
    Dwarf *dw;
    /* at_file: source file of the instruction; NULL = all definitions of the unit apply */
    const char *name, *at_file;
    size_t length;
    int at_line;
    struct dwarfmacro_file {
        const char *name;
        Dwarf_Word line; /* line of the include in the including file */
    } file[DEEPEST];     /* stack of open files; the last one is being read */
    unsigned open, parts;
    const char *text; /* the definition, or NULL */
    Dwarf_Word text_line;
    struct dwarfmacro_file text_file[DEEPEST]; /* stack of open files at the definition */
    unsigned text_open;
};

static const char *dwarfmacro_file(const struct dwarfmacro *m)
{
    return m->open && m->open <= DEEPEST ? m->file[m->open - 1].name : NULL;
}

static void dwarfmacro_enter(struct dwarfmacro *m, Dwarf_Macro *macro)
{
    Dwarf_Files *files;
    size_t n;
    Dwarf_Word index = 0, line = 0;
    const char *name = NULL;
    if (!dwarf_macro_getsrcfiles(m->dw, macro, &files, &n) &&
        !dwarf_macro_param2(macro, &index, NULL) && index < n)
        name = dwarf_filesrc(files, index, NULL, NULL);
    if (dwarf_macro_param1(macro, &line))
        line = 0;
    if (m->open < DEEPEST)
        m->file[m->open] = (struct dwarfmacro_file){ name, line };
    m->open++;
}

/* Returns whether the text is a definition of the wanted macro: "NAME", "NAME body" or "NAME(a,b)
 * body". */
static bool dwarfmacro_is(const struct dwarfmacro *m, const char *text)
{
    return !strncmp(text, m->name, m->length) &&
           (!text[m->length] || text[m->length] == ' ' || text[m->length] == '(');
}

/* Returns whether `line` of the file being read is behind the instruction's line. */
static bool dwarfmacro_is_behind(const struct dwarfmacro *m, Dwarf_Word line)
{
    const char *file = dwarfmacro_file(m);
    return m->at_file && file && line > (Dwarf_Word)m->at_line && !strcmp(file, m->at_file);
}

static int dwarfmacro_see(Dwarf_Macro *macro, void *arg);

static int dwarfmacro_part(struct dwarfmacro *m, Dwarf_Macro *macro)
{
    Dwarf_Word at;
    if (m->parts >= DEEPEST || dwarf_macro_param1(macro, &at))
        return DWARF_CB_OK;
    m->parts++;
    ptrdiff_t more = dwarf_getmacros_off(m->dw, at, dwarfmacro_see, m, DWARF_GETMACROS_START);
    m->parts--;
    return more > 0 ? DWARF_CB_ABORT : DWARF_CB_OK; /* ABORT: the callback stopped the walk */
}

static int dwarfmacro_definition(struct dwarfmacro *m, Dwarf_Macro *macro, bool defined)
{
    Dwarf_Word line = 0;
    const char *text = NULL;
    if (dwarf_macro_param1(macro, &line) || dwarf_macro_param2(macro, NULL, &text) || !text)
        return DWARF_CB_OK;
    if (dwarfmacro_is_behind(m, line))
        return DWARF_CB_ABORT;
    if (dwarfmacro_is(m, text)) {
        m->text = defined ? text : NULL;
        m->text_line = line;
        m->text_open = EZ_MIN(m->open, (unsigned)DEEPEST);
        memcpy(m->text_file, m->file, m->text_open * sizeof m->file[0]);
    }
    return DWARF_CB_OK;
}

static int dwarfmacro_see(Dwarf_Macro *macro, void *arg)
{
    struct dwarfmacro *m = arg;
    unsigned op;
    if (dwarf_macro_opcode(macro, &op))
        return DWARF_CB_OK;
    switch (op) {
    case DW_MACRO_start_file:
        dwarfmacro_enter(m, macro);
        return DWARF_CB_OK;
    case DW_MACRO_end_file: {
        bool left = dwarfmacro_is_behind(m, UINT64_MAX);
        m->open -= m->open > 0;
        return left ? DWARF_CB_ABORT : DWARF_CB_OK;
    }
    case DW_MACRO_import:
        return dwarfmacro_part(m, macro);
    case DW_MACRO_define:
    case DW_MACRO_define_strp:
    case DW_MACRO_define_strx:
        return dwarfmacro_definition(m, macro, true);
    case DW_MACRO_undef:
    case DW_MACRO_undef_strp:
    case DW_MACRO_undef_strx:
        return dwarfmacro_definition(m, macro, false);
    default:
        return DWARF_CB_OK;
    }
}

/* Emits the definition; then 1, its file and line; then 1, and where that file is included; and so
 * on; 0 at the end. */
void dwarfmacro_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, bool whole,
                     const char *name)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    struct dwarfmacro m = { .dw = f->dw, .name = name, .length = strlen(name) };
    Dwarf_Line *line = u && !whole ? dwarf_getsrc_die(&u->die, pc) : NULL;
    if (!u)
        return;
    if (line && !dwarf_lineno(line, &m.at_line))
        m.at_file = dwarf_linesrc(line, NULL, NULL);
    dwarf_getmacros(&u->die, dwarfmacro_see, &m, DWARF_GETMACROS_START);
    if (!m.text)
        return;
    dwarf_answer_text(a, m.text);
    Dwarf_Word at = m.text_line;
    for (unsigned i = m.text_open; i-- > 0; at = m.text_file[i].line) {
        dwarf_answer_number(a, 1);
        dwarf_answer_text(a, m.text_file[i].name ? m.text_file[i].name : "");
        dwarf_answer_number(a, at);
    }
    dwarf_answer_number(a, 0);
}
