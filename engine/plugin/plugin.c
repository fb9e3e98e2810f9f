/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.c - reads the description in a module's file: the strings in its section ".ezt.module"
 * (modules/ezt_probe.h), each `key=value`, in any order, separated by NUL bytes.
 *
 * The file is not trusted: every offset and number is checked.
 * Tests: tests/unit/plugin/check_plugin.c */
#include "engine/plugin/plugin.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/strutil.h"
#include "engine/record/fxt_out.h"
#include "engine/record/words.h"
#include "modules/ezt_probe.h"

#define FILE_MOST (64u << 20)
#define SECTION ".ezt.module"

static ez_err *plugin_bad(const char *path, const char *why)
{
    return ez_err_new(EZ_E_FORMAT, 0, "%s: %s", path, why);
}

/* ---- the section ---------------------------------------------------------------------------- */

/* Finds the section ".ezt.module": file offsets [*at, *at + *n). Returns false if there is none. */
static bool plugin_section(const char *file, size_t size, size_t *at, size_t *n)
{
    Elf64_Ehdr e;
    Elf64_Shdr names, s;
    if (size < sizeof e)
        return false;
    memcpy(&e, file, sizeof e);
    if (memcmp(e.e_ident, ELFMAG, SELFMAG) || e.e_ident[EI_CLASS] != ELFCLASS64 ||
        e.e_shentsize != sizeof s || e.e_shoff > size || e.e_shstrndx >= e.e_shnum ||
        (size - e.e_shoff) / sizeof s < e.e_shnum)
        return false;
    memcpy(&names, file + e.e_shoff + e.e_shstrndx * sizeof s, sizeof names);
    for (unsigned i = 0; i < e.e_shnum; i++) {
        memcpy(&s, file + e.e_shoff + i * sizeof s, sizeof s);
        if (names.sh_offset > size || s.sh_name > size - names.sh_offset ||
            size - names.sh_offset - s.sh_name < sizeof SECTION ||
            memcmp(file + names.sh_offset + s.sh_name, SECTION, sizeof SECTION))
            continue;
        *at = s.sh_offset;
        *n = s.sh_size;
        return s.sh_type == SHT_PROGBITS && s.sh_offset <= size && s.sh_size <= size - s.sh_offset;
    }
    return false;
}

/* ---- the texts ------------------------------------------------------------------------------- */

/* Splits value at tabs into exactly n parts, which point into value. Returns false if the number of
 * parts is not n. */
static bool plugin_parts(char *value, char **part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        part[i] = value;
        char *tab = value ? strchr(value, '\t') : NULL;
        if (!value || (i + 1 < n) != (tab != NULL))
            return false;
        if (tab)
            *tab++ = 0;
        value = tab;
    }
    return true;
}

static bool plugin_number(const char *text, unsigned long most, unsigned *out)
{
    char *end;
    errno = 0;
    unsigned long v = strtoul(text, &end, 0);
    *out = (unsigned)v;
    return !errno && end != text && !*end && v <= most && *text != '-';
}

static int plugin_word(const char *const *words, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(words[i], word))
            return (int)i;
    return -1;
}

static bool plugin_parse_event(struct ez_plugin *p, char *value)
{
    static const char *const action[] = { "push",     "pop",     "set",     "event",
                                          "var-set",  "var-add", "var-sub", "link-start",
                                          "link-end", "hold",    "release", "sample",
                                          "call",     "return",  "unwind",  "name" };
    static const char *const level[] = { "program", "process", "thread" };
    _Static_assert(EZ_ARRAY_LEN(action) == EZ_A_COUNT, "");
    struct ez_plugin_event e;
    char *part[4];
    if (!plugin_parts(value, part, 4) || !plugin_number(part[0], EZT_EVENT_MAX, &e.number))
        return false;
    int a = plugin_word(action, EZ_ARRAY_LEN(action), part[1]);
    int l = plugin_word(level, EZ_ARRAY_LEN(level), part[2]);
    if (a < 0 || l < 0)
        return false;
    e.action = (unsigned)a;
    e.level = (unsigned)l;
    e.text = ez_strdup(part[3]);
    EZ_PUSH(&p->event, e);
    return true;
}

static bool plugin_parse_words(struct ez_plugin *p, char *value)
{
    struct ez_plugin_words w = { 0 };
    struct ez_words parsed;
    char *part[2];
    if (!plugin_parts(value, part, 2) || !plugin_number(part[0], EZT_EVENT_MAX, &w.number) ||
        !ez_words_parse(part[1], &parsed))
        return false;
    w.text = ez_strdup(part[1]);
    EZ_PUSH(&p->words, w);
    return true;
}

static bool plugin_parse_words_from(struct ez_plugin *p, char *value)
{
    struct ez_plugin_words w = { 0 };
    char *part[2];
    if (!plugin_parts(value, part, 2) || !plugin_number(part[0], EZT_EVENT_MAX, &w.number) ||
        !*part[1])
        return false;
    w.from = ez_strdup(part[1]);
    EZ_PUSH(&p->words, w);
    return true;
}

static bool plugin_parse_replace(struct ez_plugin *p, char *value)
{
    char *part[3];
    if (!plugin_parts(value, part, 3) || !*part[0] || !*part[1])
        return false;
    struct ez_plugin_replace r = { ez_strdup(part[0]), ez_strdup(part[1]),
                                   *part[2] ? ez_strdup(part[2]) : NULL, NULL };
    EZ_PUSH(&p->replace, r);
    return true;
}

static bool plugin_parse_variadic(struct ez_plugin *p, char *value)
{
    char *part[4];
    if (!plugin_parts(value, part, 4) || !*part[0] || !*part[1] || !*part[2] || !*part[3])
        return false;
    struct ez_plugin_replace r = { ez_strdup(part[0]), ez_strdup(part[1]), NULL,
                                   ez_sprintf("%s %s", part[2], part[3]) };
    EZ_PUSH(&p->replace, r);
    return true;
}

static void plugin_set_text(char **to, const char *value)
{
    free(*to);
    *to = ez_strdup(value);
}

/* Returns true for a name that is safe in file names, messages and the trace. */
static bool plugin_name_ok(const char *name)
{
    return *name && strlen(name) < 64 && *name != '.' && *name != '-' &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")];
}

/* Parses one string `key=value`. Returns false if it is invalid. Ignores unknown keys, which a
 * later version may add. */
static bool plugin_parse_one(struct ez_plugin *p, char *text, unsigned *abi)
{
    char *value = strchr(text, '=');
    if (!value)
        return false;
    *value++ = 0;
    if (!strcmp(text, "abi"))
        return plugin_number(value, UINT32_MAX, abi);
    if (!strcmp(text, "id"))
        return plugin_number(value, EZT_ID_MAX, &p->id) && p->id >= EZT_ID_MIN;
    if (!strcmp(text, "name"))
        plugin_set_text(&p->name, value);
    else if (!strcmp(text, "desc"))
        plugin_set_text(&p->desc, value);
    else if (!strcmp(text, "says"))
        plugin_set_text(&p->says, value);
    else if (!strcmp(text, "loaded"))
        plugin_set_text(&p->loaded, value);
    else if (!strcmp(text, "event"))
        return plugin_parse_event(p, value);
    else if (!strcmp(text, "words"))
        return plugin_parse_words(p, value);
    else if (!strcmp(text, "words-from"))
        return plugin_parse_words_from(p, value);
    else if (!strcmp(text, "replace"))
        return plugin_parse_replace(p, value);
    else if (!strcmp(text, "variadic"))
        return plugin_parse_variadic(p, value);
    return true;
}

static ez_err *plugin_parse_all(struct ez_plugin *p, char *text, size_t n)
{
    unsigned abi = 0;
    if (!n || text[n - 1])
        return plugin_bad(p->path, "the description of the module is damaged");
    for (size_t at = 0, len; at < n; at += len + 1) {
        len = strlen(text + at);
        EZ_FREE char *was = ez_strdup(text + at);
        if (len && !plugin_parse_one(p, text + at, &abi))
            return ez_err_new(EZ_E_FORMAT, 0,
                              "%s: the description of the module has the invalid entry \"%s\"",
                              p->path, was);
    }
    if (abi != EZT_ABI)
        return ez_err_hint(
            ez_err_new(EZ_E_FORMAT, 0,
                       "%s is a module of version %u, but this eztsh needs version %u", p->path,
                       abi, EZT_ABI),
            "Compile the module again");
    if (!p->name || !plugin_name_ok(p->name) || !p->id)
        return plugin_bad(p->path, "the module does not state its name and ID");
    return NULL;
}

ez_err *ez_plugin_read(const char *path, struct ez_plugin **out)
{
    size_t size, at, n;
    struct stat st;
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) /* open() of a named pipe could block for ever */
        return plugin_bad(path, "not a regular file");
    errno = 0;
    EZ_FREE char *file = ez_str_load(path, FILE_MOST, &size);
    if (!file)
        return ez_err_new(EZ_E_NOTFOUND, errno, "%s: %s", path, strerror(errno));
    if (!plugin_section(file, size, &at, &n))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "%s is not a module", path),
            "\"module compile\" makes modules, and so does a C compiler with ezt_probe.h");
    struct ez_plugin *p = ez_alloc(sizeof *p);
    p->path = ez_strdup(path);
    ez_err *e = plugin_parse_all(p, file + at, n);
    if (e) {
        ez_plugin_free(p);
        return e;
    }
    if (!p->desc)
        p->desc = ez_strdup("");
    for (size_t i = 0; i < p->replace.n; i++)
        EZ_PUSH(&p->number, 0);
    *out = p;
    return NULL;
}

void ez_plugin_free(struct ez_plugin *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->replace.n; i++) {
        free(p->replace.at[i].location);
        free(p->replace.at[i].with);
        free(p->replace.at[i].orig);
        free(p->replace.at[i].twins);
    }
    for (size_t i = 0; i < p->event.n; i++)
        free(p->event.at[i].text);
    EZ_VEC_FREE(&p->replace);
    EZ_VEC_FREE(&p->event);
    for (size_t i = 0; i < p->words.n; i++) {
        free(p->words.at[i].text);
        free(p->words.at[i].from);
    }
    free(p->says);
    free(p->loaded);
    EZ_VEC_FREE(&p->words);
    EZ_VEC_FREE(&p->number);
    free(p->path);
    free(p->name);
    free(p->desc);
    free(p->refused);
    free(p);
}
