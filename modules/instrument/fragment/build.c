/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c - compiles fragments, each text only once (fragment.h).
 *
 * Objects are kept in the user's cache folder. The name of an object is the hash of everything that
 * determines it: the texts, the compilers with the times of their files, the options. Beside each
 * object is a file with all of these, and with the list of included files and their times. Before
 * an object is used, everything in this file is compared, so a wrong or outdated object is never
 * used. Folder and files must belong to the user, and be writable by nobody else.
 *
 * A routine whose fragment does not compile is excluded (blame.c), and the rest is compiled
 * again.
 * Tests: tests/procs/spec.sh */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "engine/base/cachedir.h"
#include "engine/base/hash.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"
#include "modules/compile.h"
#include "modules/ezt_fragment.h"
#include "modules/instrument/fragment/fragment.h"
#include "modules/tool.h"

#define BUILD_TRIES 6
#define BUILD_LINES 10
#define BUILD_FILES (1u << 20) /* maximum number of bytes of the list of included files */

struct build {
    struct ez_fragments *f;
    struct ez_fragment_texts texts;
    char *include, *cache, *key; /* key: everything that determines the object */
    char *base;                  /* path of the object, without an ending */
    char *files;                 /* a line for each included file: size, time, path */
    unsigned lines;
    bool again; /* some routine was excluded, so another compilation may succeed */
};

/* ---- compilers ---------------------------------------------------------------------------------------- */

static const char *build_compiler(enum ez_spec_lang lang)
{
    const char *set = getenv(lang == EZ_SPEC_C     ? "EZT_CC"
                             : lang == EZ_SPEC_CXX ? "EZT_CXX"
                                                   : "EZT_FC");
    return set && *set ? set : lang == EZ_SPEC_C ? "cc" : lang == EZ_SPEC_CXX ? "c++" : "gfortran";
}

/* Returns a file's size and time, or NULL if there is no file. The caller frees the text. */
static char *build_stamp(const char *file)
{
    struct stat st;
    return !stat(file, &st) && S_ISREG(st.st_mode)
               ? ez_sprintf("%lld %lld.%09ld %s", (long long)st.st_size,
                            (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, file)
               : NULL;
}

/* Returns size and time of the compiler's file; if the file is not found, the name. The caller
 * frees. */
static char *build_identity(const char *name)
{
    const char *path = getenv("PATH");
    EZ_FREE char *copy = ez_strdup(strchr(name, '/') ? "" : path ? path : "/usr/bin:/bin");
    char *rest = copy;
    for (char *dir; (dir = strsep(&rest, ":"));) {
        EZ_FREE char *file = *dir ? ez_sprintf("%s/%s", dir, name) : ez_strdup(name);
        char *stamp = build_stamp(file);
        if (stamp)
            return stamp;
    }
    return ez_strdup(name);
}

/* Code of a suspended fragment may use only its frame. So there is no red zone below the frame,
 * and -O1 keeps the fragment's parts in one function. */
static const char *const common[] = { "-O1",
                                      "-fPIC",
                                      "-mno-red-zone",
                                      "-fcf-protection=none",
                                      "-fno-stack-protector",
                                      "-fvisibility=hidden",
                                      "-fdiagnostics-color=never",
                                      "-w",
                                      NULL };
static const char *const of_c[] = { "-std=gnu17", "-Werror=implicit-function-declaration", "-x",
                                    "c", NULL };
static const char *const of_cxx[] = { "-fpermissive", "-x", "c++", NULL };
static const char *const of_fortran[] = { "-cpp", "-ffree-line-length-none", "-ffree-form",
                                          "-x",   "f95-cpp-input",           NULL };

static const char *const linking[] = { "-shared", "-Wl,-z,now", "-Wl,--as-needed", "-lm", NULL };

typedef EZ_VEC(const char *) build_words;

static void build_options(build_words *v, const char *const *option)
{
    while (*option)
        EZ_PUSH(v, *option++);
}

static void build_language(build_words *v, enum ez_spec_lang lang)
{
    EZ_PUSH(v, build_compiler(lang));
    build_options(v, common);
    build_options(v, lang == EZ_SPEC_C ? of_c : lang == EZ_SPEC_CXX ? of_cxx : of_fortran);
}

/* ---- the cache ------------------------------------------------------------------------------------------ */

static ez_err *build_shared(const char *path)
{
    return ez_err_hint(
        ez_err_new(
            EZ_E_PERM, 0,
            "%s: Other users can write to this folder, so compiled fragments are not kept there",
            path),
        "The folder must belong to you or to root, and be writable by nobody else: "
        "XDG_CACHE_HOME chooses another folder for compiled fragments");
}

/* Finds the folder, and makes it if necessary. */
static ez_err *build_cache(struct build *b)
{
    struct ez_cachedir d;
    ez_err *e = NULL;
    if (ez_cachedir_open(&d, "fragments", true))
        b->cache = ez_strdup(d.path);
    else if (!d.path)
        e = ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no folder for compiled fragments"),
                        "Set HOME or XDG_CACHE_HOME");
    else if (d.unsafe)
        e = build_shared(d.unsafe);
    else
        e = ez_err_hint(
            ez_err_new(EZ_E_SYS, d.err, "%s", d.path),
            "Compiled fragments are kept in this folder: XDG_CACHE_HOME chooses another");
    ez_cachedir_close(&d);
    return e;
}

static void build_key(struct build *b)
{
    char *key = ez_sprintf("eztsh %s, fragments %d.1\n", PACKAGE_VERSION, EZT_FRAGMENT_ABI);
    for (size_t i = 0; i < b->texts.unit.n; i++) {
        const struct ez_fragment_unit *u = &b->texts.unit.at[i];
        build_words option = { 0 };
        EZ_FREE char *words = ez_strdup("");
        EZ_FREE char *who = build_identity(build_compiler(u->lang));
        build_language(&option, u->lang);
        for (size_t k = 0; k < b->f->noptions; k++)
            EZ_PUSH(&option, b->f->option[k]);
        build_options(&option, linking);
        for (size_t k = 0; k < option.n; k++) {
            EZ_FREE char *was = words;
            words = ez_sprintf("%s %s", was, option.at[k]);
        }
        EZ_VEC_FREE(&option);
        EZ_FREE char *was = key;
        key = ez_sprintf("%s// %s:%s\n%.*s", was, who, words, (int)u->text.n, u->text.at);
    }
    free(b->key);
    b->key = key;
    free(b->base);
    b->base =
        ez_sprintf("%s/%016llx", b->cache, (unsigned long long)ez_hash_key(EZ_HASH_SEED, b->key));
}

/* Returns true if the listed files are unchanged, and the program has the symbols ("own NAME"). */
static bool build_files_stand(const struct ez_fragments *f, char *lines)
{
    for (char *line; (line = strsep(&lines, "\n"));) {
        if (!strncmp(line, "own ", 4)) {
            if (!f->is_own || !f->is_own(line + 4, f->arg))
                return false;
            continue;
        }
        const char *path = strchr(line, ' ') ? strchr(strchr(line, ' ') + 1, ' ') : NULL;
        EZ_FREE char *now = path ? build_stamp(path + 1) : NULL;
        if (*line && (!now || strcmp(now, line)))
            return false;
    }
    return true;
}

/* Returns true if the cache has the object for exactly this text, and these files. */
static bool build_is_cached(const struct build *b)
{
    size_t n = 0, len = strlen(b->key);
    EZ_FREE char *text = ez_sprintf("%s.txt", b->base), *object = ez_sprintf("%s.so", b->base);
    if (!ez_cachedir_is_ours(text, S_IFREG) || !ez_cachedir_is_ours(object, S_IFREG))
        return false;
    EZ_FREE char *was = ez_str_load(text, len + BUILD_FILES, &n);
    return was && n >= len && !memcmp(was, b->key, len) && build_files_stand(b->f, was + len);
}

/* Reads what the compiler wrote for make: "0.o: FILE FILE \" and more lines. A blank in a name has
 * a backslash. */
static void build_note_files(struct build *b, const char *rule)
{
    size_t n;
    EZ_FREE char *text = ez_str_load(rule, BUILD_FILES, &n);
    const char *p = text ? strchr(text, ':') : NULL;
    EZ_VEC(char) name = { 0 };
    for (p = p ? p + 1 : ""; *p || name.n; p += *p != 0) {
        bool blank = !*p || strchr(" \t\n", *p) || (*p == '\\' && p[1] == '\n');
        if (!blank) {
            p += *p == '\\' && p[1] == ' ';
            EZ_PUSH(&name, *p);
        } else if (name.n) {
            EZ_PUSH(&name, 0);
            EZ_FREE char *stamp = build_stamp(name.at), *was = stamp ? b->files : NULL;
            if (stamp)
                b->files = ez_sprintf("%s%s\n", was, stamp);
            name.n = 0;
        }
    }
    EZ_VEC_FREE(&name);
}

/* ---- compiling -------------------------------------------------------------------------------------------- */

static void build_say(struct build *b, const char *line)
{
    EZ_FREE char *words = ez_fragment_plain(line);
    EZ_FREE char *plain = ez_str_ours(words), *was = b->f->said;
    EZ_FREE char *with = ez_sprintf("%s\n", plain);
    /* Each message is printed once, even if a thousand fragments cause the message. */
    if (strstr(was, with) || b->lines >= BUILD_LINES) {
        b->f->said = ez_strdup(was);
        return;
    }
    b->lines++;
    b->f->said = ez_sprintf("%s%s", was, with);
}

/* Collects errors of the compilers and of the linker. gfortran gives the place in an earlier line:
 * "calls.spec:3:5:". */
static void build_listen(struct build *b, char *said)
{
    const char *place = "";
    for (char *line; (line = strsep(&said, "\n"));) {
        const size_t n = strlen(line);
        EZ_FREE char *whole = strncmp(line, "Error: ", 7)
                                  ? NULL
                                  : ez_sprintf("%s%s%s", place, *place ? " " : "", line);
        if (n && line[n - 1] == ':' && *line != ' ')
            place = line;
        if (strstr(line, "rror: ") || strstr(line, "undefined reference"))
            build_say(b, whole ? whole : line);
    }
}

static ez_err *build_run(struct build *b, const build_words *argv, const void *text, size_t n)
{
    bool good;
    EZ_FREE char *said = NULL;
    const struct ez_tool tool = { .what = "the compiler",
                                  .hint = "Install gcc, or name another in EZT_CC, EZT_CXX, EZT_FC",
                                  .argv = argv->at,
                                  .text = text,
                                  .n = n };
    EZ_TRY(ez_tool_run(&tool, &good, &said));
    if (good)
        return NULL;
    build_listen(b, said);
    if (!*b->f->said)
        build_say(b, said);
    return ez_err_new(EZ_E_FORMAT, 0, "The code that the specification inserts does not compile");
}

/* Returns true if the option is only for linking: an object or a library. */
static bool build_only_links(const char *option)
{
    return *option != '-' || !strncmp(option, "-l", 2) || !strncmp(option, "-L", 2) ||
           !strncmp(option, "-Wl,", 4);
}

static ez_err *build_unit(struct build *b, const struct ez_fragment_unit *u, const char *object)
{
    build_words argv = { 0 };
    EZ_FREE char *rule = ez_sprintf("%s.d", object);
    EZ_FREE char *include = ez_sprintf("-I%s", b->include);
    build_language(&argv, u->lang);
    EZ_PUSH(&argv, include);
    for (size_t i = 0; i < b->f->noptions; i++)
        if (!build_only_links(b->f->option[i]))
            EZ_PUSH(&argv, b->f->option[i]);
    EZ_PUSH(&argv, "-c");
    EZ_PUSH(&argv, "-");
    EZ_PUSH(&argv, "-o");
    EZ_PUSH(&argv, object);
    EZ_PUSH(&argv, "-MD");
    EZ_PUSH(&argv, "-MF");
    EZ_PUSH(&argv, rule);
    EZ_PUSH(&argv, NULL);
    ez_err *e = build_run(b, &argv, u->text.at, u->text.n);
    if (!e)
        build_note_files(b, rule);
    else if (e->code == EZ_E_FORMAT)
        b->again |= ez_fragment_blame(b->f, u, argv.at);
    EZ_VEC_FREE(&argv);
    unlink(rule);
    return e;
}

/* Links with the compiler of the language that needs most at run time. */
static ez_err *build_link(struct build *b, char *const *object, size_t n, const char *to)
{
    enum ez_spec_lang by = EZ_SPEC_C;
    build_words argv = { 0 };
    for (size_t i = 0; i < b->texts.unit.n; i++)
        by = EZ_MAX(by, b->texts.unit.at[i].lang);
    EZ_PUSH(&argv, build_compiler(by));
    EZ_PUSH(&argv, "-o");
    EZ_PUSH(&argv, to);
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&argv, object[i]);
    for (size_t i = 0; i < b->f->noptions; i++)
        EZ_PUSH(&argv, b->f->option[i]);
    build_options(&argv, linking);
    EZ_PUSH(&argv, NULL);
    ez_err *e = build_run(b, &argv, "", 0);
    EZ_VEC_FREE(&argv);
    return e;
}

static ez_err *build_units(struct build *b, const char *folder, char **object, const char *to)
{
    ez_err *e = NULL;
    for (size_t i = 0; i < b->texts.unit.n; i++) {
        object[i] = ez_sprintf("%s/%zu.o", folder, i);
        ez_err *one = build_unit(b, &b->texts.unit.at[i], object[i]);
        e = ez_err_first(e, one); /* The loop continues, to report the errors of all units. */
    }
    if (!e)
        e = build_link(b, object, b->texts.unit.n, to);
    if (!e)
        ez_fragment_weaken(b->f, to);
    for (size_t i = 0; i < b->f->mangled.n; i++) {
        EZ_FREE char *was = b->files;
        b->files = ez_sprintf("%sown %s\n", was, b->f->mangled.at[i]);
        free(b->f->mangled.at[i]);
    }
    b->f->mangled.n = 0;
    return e;
}

/* Makes the object in a new private folder, and then renames first the text and then the object
 * into the cache. */
static ez_err *build_object(struct build *b)
{
    EZ_FREE char *folder = ez_sprintf("%s/new.XXXXXX", b->cache);
    EZ_FREE char **object = ez_alloc((b->texts.unit.n + 1) * sizeof *object);
    struct ez_outfile *key = NULL;
    if (!mkdtemp(folder))
        return ez_err_new(EZ_E_SYS, errno, "%s", b->cache);
    unlink(b->f->object); /* Removes an object that belongs to another text. */
    EZ_FREE char *made = ez_sprintf("%s/made.so", folder), *text = ez_sprintf("%s.txt", b->base);
    ez_err *e = build_units(b, folder, object, made);
    if (!e)
        e = ez_outfile_open(text, false, &key);
    if (!e) {
        ez_outfile_write(key, b->key, strlen(b->key));
        ez_outfile_puts(key, b->files);
        e = ez_outfile_commit(key);
        ez_outfile_destroy(key);
    }
    if (!e && (chmod(made, 0755) || rename(made, b->f->object)))
        e = ez_err_new(EZ_E_SYS, errno, "%s", b->f->object);
    for (size_t i = 0; i < b->texts.unit.n && object[i]; i++) {
        unlink(object[i]);
        free(object[i]);
    }
    unlink(made);
    rmdir(folder);
    return e;
}

static ez_err *build_once(struct build *b)
{
    ez_fragment_texts_free(&b->texts);
    ez_fragment_write(b->f, &b->texts);
    for (size_t i = 0; i < b->f->spec->clauses.n; i++) /* the expansion of keywords may have found
                                                        * errors in clauses */
        if (b->f->spec->clauses.at[i].t->errors)
            return ez_err_new(EZ_E_FORMAT, 0, "The specification has errors");
    build_key(b);
    free(b->files);
    b->files = ez_strdup("");
    free(b->f->object);
    b->f->object = ez_sprintf("%s.so", b->base);
    b->f->cached = build_is_cached(b);
    return b->f->cached ? NULL : build_object(b);
}

ez_err *ez_fragments_make(struct ez_fragments *f)
{
    struct build b = { .f = f, .include = ez_compile_include(), .again = true };
    f->said = ez_strdup("");
    ez_fragment_match(f);
    ez_err *e = f->rows ? build_cache(&b) : NULL;
    for (unsigned i = 0; !e && f->rows && b.again; i++) {
        b.again = false;
        e = build_once(&b);
        if (e && b.again && i < BUILD_TRIES) { /* Compiles again, without the excluded routines. */
            ez_err_free(e);
            e = NULL;
        } else {
            b.again = false;
        }
    }
    ez_fragment_texts_free(&b.texts);
    free(b.include);
    free(b.cache);
    free(b.key);
    free(b.files);
    free(b.base);
    return e;
}

void ez_fragments_free(struct ez_fragments *f)
{
    for (size_t i = 0; i < f->clause.n; i++) {
        EZ_VEC_FREE(&f->clause.at[i].routine);
        EZ_VEC_FREE(&f->clause.at[i].inside);
        free(f->clause.at[i].note);
    }
    EZ_VEC_FREE(&f->clause);
    for (size_t i = 0; i < f->n; i++)
        ez_fragment_places_free(&f->routine[i]), ez_fragment_outer_free(&f->routine[i]);
    for (size_t i = 0; i < f->kept.n; i++)
        free(f->kept.at[i]);
    EZ_VEC_FREE(&f->kept);
    EZ_VEC_FREE(&f->mangled);
    ez_hash_free(&f->own);
    free(f->object);
    free(f->said);
}
