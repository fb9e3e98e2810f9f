/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_bfd.c - source lines, by libbfd's DWARF reader and sym_rows.c, in a process of its own
 * (engine/base/jail.h).
 *
 * Errors: none; a line that cannot be told is unknown. A file that ended the server is not
 *         asked about again (o->lines.lost).
 * Tests:  tests/unit/engine/check_sym.c ("lines", "damaged"), tests/procs/foreign.sh */
#include "config.h"

#include <bfd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine/base/jail.h"
#include "engine/sym/sym_priv.h"
#include "engine/sym/sym_rows.h"
#include "engine/base/strutil.h"

#define MANGLED 16384 /* bytes of a name at most */
#define ROWS (4u << 20)
/* for inlined functions: those not found in that time are not told */
#define LOOK (CLOCKS_PER_SEC)

enum {
    AT,    /* the line of each address                                         */
    BEGIN, /* the line that declares the function `text`, which begins there   */
    OF,    /* all rows of source files of the base name `text`                 */
    INTO   /* the rows of the function `text` where it is inlined             */
};

struct answer {
    uint32_t line;       /* 0 = unknown; for rows: the last row came before          */
    uint32_t len;        /* bytes of the file's name, which follows; for rows 0 = as before */
    uint32_t inlined;    /* bytes of the name of the function inlined there, which follows   */
    uint64_t vaddr, end; /* of rows                                           */
};

/* ---- the other process --------------------------------------------------------------- */

static bfd *sym_open_bfd(const char *name, int fd)
{
    bfd *b = bfd_fdopenr(name, NULL, fd);
    if (!b)
        return NULL;
    b->flags |= BFD_DECOMPRESS;
    return bfd_check_format(b, bfd_object) ? b : NULL;
}

struct sym_served { /* a file                                                        */
    bfd *b;
    bool sorted;
    struct rows_near near;
};

static asection *sym_section_at(bfd *b, uint64_t vaddr)
{
    for (asection *s = b->sections; s; s = s->next)
        if (s->flags & SEC_CODE && vaddr >= s->vma && vaddr - s->vma < s->size)
            return s;
    return NULL;
}

static bool sym_bfd_say(struct answer *a, const char *file, const char *inlined)
{
    a->len = file ? (uint32_t)strlen(file) : 0;
    a->inlined = inlined ? (uint32_t)strlen(inlined) : 0;
    return ez_jail_say(a, sizeof *a) && ez_jail_say(file, a->len) &&
           ez_jail_say(inlined, a->inlined);
}

static bool sym_answer_begin(bfd *b, uint64_t vaddr, const char *function)
{
    static asymbol *none[1];
    const char *file = NULL;
    unsigned line = 0;
    asection *s = b ? sym_section_at(b, vaddr) : NULL;
    asymbol sym = { .the_bfd = b, .name = function, .flags = BSF_FUNCTION | BSF_GLOBAL };
    struct answer a = { 0 };
    if (s) {
        sym.section = s;
        sym.value = vaddr - s->vma;
        if (bfd_find_line(b, none, &sym, &file, &line) && file)
            a.line = line;
    }
    return sym_bfd_say(&a, a.line ? file : NULL, NULL);
}

struct telling {
    const char *source;
    char last[PATH_MAX];
    bool good;
};

static void sym_tell_row(const struct row *r, void *arg)
{
    struct telling *t = arg;
    char path[PATH_MAX];
    struct answer a = { .line = r->line, .vaddr = r->vaddr, .end = r->end };
    if (!t->good || strcmp(ez_base_name(r->path[2]), t->source))
        return;
    int n = snprintf(path, sizeof path, "%s%s%s%s%s", r->path[0], *r->path[0] ? "/" : "",
                     r->path[1], *r->path[1] ? "/" : "", r->path[2]);
    if (n < 0 || (size_t)n >= sizeof path)
        return;
    bool same = !strcmp(path, t->last);
    memcpy(t->last, path, (size_t)n + 1);
    t->good = sym_bfd_say(&a, same ? NULL : path, NULL);
}

static struct rows_part sym_bfd_contents(bfd *b, const char *name)
{
    bfd_byte *data = NULL;
    asection *s = bfd_get_section_by_name(b, name);
    if (!s || !bfd_get_full_section_contents(b, s, &data) || !data)
        return (struct rows_part){ 0 };
    return (struct rows_part){ data, s->size };
}

static struct rows_in sym_bfd_lines(bfd *b)
{
    return (struct rows_in){ .line = sym_bfd_contents(b, ".debug_line"),
                             .str = sym_bfd_contents(b, ".debug_str"),
                             .line_str = sym_bfd_contents(b, ".debug_line_str") };
}

static void sym_bfd_lines_free(struct rows_in *in)
{
    free((void *)(uintptr_t)in->line.data);
    free((void *)(uintptr_t)in->str.data);
    free((void *)(uintptr_t)in->line_str.data);
}

static void sym_bfd_read_rows(bfd *b, rows_fn *fn, void *arg)
{
    if (!b)
        return;
    struct rows_in in = sym_bfd_lines(b);
    symrows_read(&in, fn, arg);
    sym_bfd_lines_free(&in);
}

/* The line that libbfd does not know: it does not read all skeleton units, which refer to .debug_addr. */
static bool sym_bfd_near(struct sym_served *f, uint64_t vaddr, const char **file, unsigned *line)
{
    if (!f->sorted && bfd_get_section_by_name(f->b, ".debug_addr")) {
        struct rows_in in = sym_bfd_lines(f->b);
        in.all = true;
        symrows_sort(&in, &f->near);
        sym_bfd_lines_free(&in);
    }
    f->sorted = true;
    return symrows_near(&f->near, vaddr, file, line);
}

static bool sym_bfd_answer(struct sym_served *f, uint64_t vaddr)
{
    static asymbol *none[1]; /* libbfd decompresses sections only if it has a symbol table */
    const char *file = NULL, *function = NULL, *in, *outer;
    unsigned line = 0, call;
    asection *s = f->b ? sym_section_at(f->b, vaddr) : NULL;
    struct answer a = { 0 };
    if (!s)
        return sym_bfd_say(&a, NULL, NULL);
    if (!bfd_find_nearest_line(f->b, s, none, vaddr - s->vma, &file, &function, &line) || !file ||
        !line) {
        bool near = sym_bfd_near(f, vaddr, &file, &a.line);
        return sym_bfd_say(&a, near ? file : NULL, NULL);
    }
    a.line = line;
    return sym_bfd_say(&a, file, bfd_find_inliner_info(f->b, &in, &outer, &call) ? function : NULL);
}

static bool sym_answer_rows(bfd *b, const char *source)
{
    struct telling t = { .source = source, .good = true };
    sym_bfd_read_rows(b, sym_tell_row, &t);
    return t.good && sym_bfd_say(&(struct answer){ 0 }, NULL, NULL);
}

struct looking {
    bfd *b;
    const char *name;
    clock_t end;
    bool good;
};

static bool sym_is_named(const char *function, const char *name)
{
    EZ_FREE char *bare = strcmp(function, name) ? bfd_demangle(NULL, function, 0) : NULL;
    return !strcmp(bare ? bare : function, name);
}

/* Answers with the row if it is in the wanted function, or if the function is inlined there. */
static void sym_look_row(const struct row *r, void *arg)
{
    static asymbol *none[1];
    struct looking *l = arg;
    const char *file, *in = NULL;
    unsigned line;
    asection *s = l->good && clock() < l->end ? sym_section_at(l->b, r->vaddr) : NULL;
    bool more = s && bfd_find_nearest_line(l->b, s, none, r->vaddr - s->vma, &file, &in, &line);
    for (bool here = false; more && in && !here;
         more = bfd_find_inliner_info(l->b, &file, &in, &line))
        if ((here = sym_is_named(in, l->name)))
            l->good = sym_bfd_say(&(struct answer){ .line = 1, .vaddr = r->vaddr }, NULL, NULL);
}

static bool sym_answer_into(bfd *b, const char *name)
{
    struct looking l = { b, name, clock() + LOOK, true };
    sym_bfd_read_rows(b, sym_look_row, &l);
    return l.good && sym_bfd_say(&(struct answer){ 0 }, NULL, NULL);
}

static void sym_bfd_serve(void)
{
    struct ez_question q;
    EZ_VEC(struct sym_served) file = { 0 };
    uint64_t *vaddr;
    int fd;
    bool go_on = true;
    bfd_init();
    while (go_on && ez_jail_next(&q, &vaddr, &fd)) {
        while (file.n <= q.file)
            EZ_PUSH(&file, ((struct sym_served){ .b = NULL }));
        struct sym_served *f = &file.at[q.file];
        if (fd >= 0)
            f->b = sym_open_bfd(ez_strdup(q.name), fd);
        if (q.what == OF)
            go_on = sym_answer_rows(f->b, q.text);
        if (q.what == INTO)
            go_on = sym_answer_into(f->b, q.text);
        for (uint32_t i = 0; go_on && i < q.n; i++) {
            go_on = q.what == AT ? sym_bfd_answer(f, vaddr[i])
                                 : sym_answer_begin(f->b, vaddr[i], q.text);
            ez_jail_live_on();
        }
        free(vaddr);
    }
}

/* ---- here ---------------------------------------------------------------------------------- */

static struct ez_jail server = { .serve = sym_bfd_serve };

/* The file that has the lines: the object's own, or the debug file. */
static const struct elf_file *sym_with_lines(struct ez_object *o)
{
    bool own = elf_named(&o->elf, ".debug_line") || elf_named(&o->elf, ".zdebug_line");
    if (!own && !o->debug.file)
        symdebug_open(o);
    return !own && o->debug.file ? &o->debug : &o->elf;
}

static bool sym_bfd_ask(struct ez_object *o, uint32_t what, const char *text, const uint64_t *vaddr,
                        size_t n)
{
    const struct elf_file *f = sym_with_lines(o);
    /* libbfd may look only for what dwz took out of a debug file */
    const char *name = f == &o->debug ? ez_foreign_path(f->file) : "/nonexistent/program";
    return ez_jail_ask(&server, &o->lines, f->file, name, what, text, vaddr, n);
}

/* Keeps one copy of each name. */
static const char *sym_keep_name(struct ez_object *o, const char *name)
{
    for (size_t i = o->files.n; i--;)
        if (!strcmp(o->files.at[i], name))
            return o->files.at[i];
    const char *copy = sym_keep(o, ez_strdup(name));
    EZ_PUSH(&o->files, copy);
    return copy;
}

static bool sym_heard_name(struct ez_object *o, size_t len, const char **out)
{
    char name[MANGLED];
    *out = NULL;
    if (len >= sizeof name || !ez_jail_hear(&server, name, len))
        return false;
    name[len] = 0;
    if (len)
        *out = sym_keep_name(o, name);
    return true;
}

static bool sym_heard_answer(struct ez_object *o, struct answer *a, struct line_entry *e)
{
    if (!ez_jail_hear(&server, a, sizeof *a) || !sym_heard_name(o, a->len, &e->file) ||
        !sym_heard_name(o, a->inlined, &e->inlined))
        return false;
    e->line = a->line;
    return true;
}

bool symbfd_lines(struct ez_object *o, const uint64_t *vaddr, size_t n, struct line_entry *out)
{
    struct answer a;
    if (o->lines.lost || !o->elf.is64)
        return false;
    bool good = sym_bfd_ask(o, AT, "", vaddr, n);
    for (size_t i = 0; i < n && good; i++) {
        out[i] = (struct line_entry){ .vaddr = vaddr[i] };
        good = sym_heard_answer(o, &a, &out[i]);
    }
    return ez_jail_done(&server, &o->lines, good);
}

bool symbfd_begin(struct ez_object *o, const struct ez_sym *s, struct line_entry *out)
{
    struct answer a;
    if (o->lines.lost || !o->elf.is64)
        return false;
    *out = (struct line_entry){ .vaddr = s->vaddr };
    return ez_jail_done(&server, &o->lines,
                        sym_bfd_ask(o, BEGIN, s->name, &s->vaddr, 1) &&
                            sym_heard_answer(o, &a, out)) &&
           out->line;
}

static bool sym_bfd_rows(struct ez_object *o, uint32_t what, const char *text,
                         struct line_rows *out)
{
    struct answer a;
    const char *file = NULL;
    if (o->lines.lost || !o->elf.is64)
        return false;
    bool good = sym_bfd_ask(o, what, text, NULL, 0);
    while (good) {
        struct line_entry e = { 0 };
        good = sym_heard_answer(o, &a, &e) && out->n < ROWS;
        if (!good || !a.line)
            break;
        file = e.file ? e.file : file;
        e.file = file;
        e.vaddr = a.vaddr;
        e.end = a.end;
        if (file || what == INTO)
            EZ_PUSH(out, e);
    }
    return ez_jail_done(&server, &o->lines, good);
}

bool symbfd_rows(struct ez_object *o, const char *source, struct line_rows *out)
{
    return sym_bfd_rows(o, OF, source, out);
}

bool symbfd_inlined(struct ez_object *o, const char *name, struct line_rows *out)
{
    return sym_bfd_rows(o, INTO, name, out);
}
