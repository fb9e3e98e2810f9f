/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.c - from a script to a shared object (modules/compile.h).
 *
 * The object is made in a new private folder beside its destination, and renamed to its destination
 * once it is complete.
 * Tests: tests/unit/modules/check_module.c, tests/unit/modules/check_modc.sh */
#include "modules/compile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "engine/base/installed.h"
#include "engine/base/newfile.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"
#include "modules/compiler/cc.h"

/* ---- folders --------------------------------------------------------------------------------- */

char *ez_compile_include(void)
{
    const char *set = getenv("EZT_INCLUDE");
    if (set && *set)
        return ez_strdup(set);
    return ez_header_folder();
}

/* Returns the folder as an absolute path. So it begins with a slash, and the compiler cannot
 * mistake it for an option or an @file. */
static ez_err *compile_folder(const char *dir, char **out)
{
    *out = realpath(dir, NULL);
    if (!*out)
        return ez_err_new(EZ_E_NOTFOUND, errno, "%s", dir);
    return NULL;
}

static ez_err *compile_home(const char *script, char **out)
{
    const char *slash = strrchr(script, '/');
    EZ_FREE char *dir = slash ? ez_sprintf("%.*s/", (int)(slash - script), script) : ez_strdup(".");
    return compile_folder(dir, out);
}

/* ---- the object ----------------------------------------------------------------------------------- */

struct compile {
    const struct ez_compile_options *o;
    struct ez_compiled *out;
    struct ez_src t;
    struct ez_script s;
    struct ez_emit c;
    char *dir, *home, *include, *rest;
};

static ez_err *compile_run(struct compile *k, const char *object)
{
    struct ez_cc cc = { &k->c, k->include, k->home, object };
    bool good = false;
    EZ_FREE char *header = ez_sprintf("%s/ezt_probe.h", k->include);
    if (access(header, R_OK))
        return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, errno, "%s", header),
                           "EZT_INCLUDE names the folder of ezt_probe.h");
    EZ_TRY(ez_cc_run(&cc, &k->t, &good, &k->rest));
    if (good)
        return NULL;
    if (k->t.errors)
        return NULL; /* No error is returned: the caller counts the script's errors. */
    return ez_err_new(EZ_E_FORMAT, 0, "%s: the C compiler failed", k->o->script);
}

static ez_err *compile_place(const char *made, const char *path)
{
    EZ_FREE char *place = ez_newfile_place(path);
    EZ_TRY(ez_newfile_refused(place));
    if (rename(made, place))
        return ez_err_new(EZ_E_SYS, errno, "%s", path);
    return NULL;
}

static ez_err *compile_object(struct compile *k)
{
    if (k->o->only_check)
        return compile_run(k, NULL);
    EZ_FREE char *room = ez_sprintf("%s/.%s-XXXXXX", k->dir, k->s.name);
    if (!mkdtemp(room))
        return ez_err_new(EZ_E_SYS, errno, "%s: Cannot create a file", k->dir);
    EZ_FREE char *made = ez_sprintf("%s/%s.so", room, k->s.name);
    EZ_FREE char *path = ez_sprintf("%s/%s.so", k->dir, k->s.name);
    ez_err *e = compile_run(k, made);
    if (!e && !k->t.errors) {
        e = compile_place(made, path);
        if (!e)
            k->out->object = ez_strdup(path);
    }
    unlink(made);
    rmdir(room);
    return e;
}

static ez_err *compile_source(struct compile *k)
{
    struct ez_outfile *f;
    EZ_FREE char *path = ez_sprintf("%s/%s.c", k->dir, k->s.name);
    EZ_TRY(ez_outfile_open(path, false, &f));
    ez_outfile_write(f, k->c.out.at, k->c.out.n);
    ez_err *e = ez_outfile_commit(f);
    ez_outfile_destroy(f);
    if (!e)
        k->out->source = ez_strdup(path);
    return e;
}

static ez_err *compile_count(struct compile *k)
{
    unsigned n = k->t.errors;
    if (!n)
        return NULL;
    return ez_err_new(EZ_E_FORMAT, 0, "%s: %u error%s", k->o->script, n, ez_plural(n));
}

static ez_err *compile_all(struct compile *k)
{
    EZ_TRY(ez_src_load(&k->t, k->o->script));
    EZ_TRY(compile_home(k->o->script, &k->home));
    EZ_TRY(compile_folder(k->o->dir ? k->o->dir : ".", &k->dir));
    ez_script_read(&k->s, &k->t);
    EZ_TRY(compile_count(k));
    k->out->name = ez_strdup(k->s.name);
    k->out->id = k->s.id;
    k->out->functions = (unsigned)k->s.functions.n;
    k->out->events = k->s.events;
    k->include = ez_compile_include();
    ez_emit_module(&k->c, &k->s);
    if (k->o->keep_c && !k->o->only_check)
        EZ_TRY(compile_source(k));
    EZ_TRY(compile_object(k));
    return compile_count(k);
}

ez_err *ez_module_compile(const struct ez_compile_options *o, struct ez_compiled *out)
{
    struct compile k = { .o = o, .out = out };
    *out = (struct ez_compiled){ 0 };
    ez_err *e = compile_all(&k);
    EZ_FREE char *said = k.t.name ? ez_src_said(&k.t) : ez_strdup("");
    out->said = ez_sprintf("%s%s", said, k.rest ? k.rest : "");
    out->warnings = k.t.warnings;
    ez_emit_deinit(&k.c);
    ez_script_deinit(&k.s);
    ez_src_deinit(&k.t);
    free(k.dir);
    free(k.home);
    free(k.include);
    free(k.rest);
    return e;
}

void ez_compiled_free(struct ez_compiled *c)
{
    free(c->said);
    free(c->name);
    free(c->object);
    free(c->source);
    *c = (struct ez_compiled){ 0 };
}
