/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp_file.c - loads interpreters from shared objects (interp_file.h).
 *
 * A loaded interpreter refers to containers and names by number, and this file checks each number.
 * The shared object is code of the user, from the folders in which modules are searched, and runs
 * in the shell's process.
 *
 * Tests: tests/procs/interp.sh */
#include "engine/trace/interp_file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <string.h>

#include "engine/base/installed.h"
#include "engine/base/strutil.h"
#include "modules/ezt_interp.h"

#define ID_MOST 0xff /* largest module ID */
#define TEXT_MOST 255
#define CONTAINERS_MOST 100000

struct file {              /* a loaded interpreter of a module */
    struct ezt_reader api; /* must be first: the interpreter passes its address to callbacks */
    struct ez_interp_files *all;
    char *module;
    void *handle;
    const struct ezt_interp *is;
    void *self;
    bool finishing;
};

struct ez_interp_files {
    struct ez_inputs *inputs;
    struct ez_model *m;
    EZ_VEC(struct file *) file;
    struct ez_hash of; /* input << 8 | module's ID -> index of the module's name in `module` */
    EZ_VEC(char *) module;
    struct ez_hash made; /* hash of parent and name -> container that an interpreter made */
};

/* ---- functions for interpreters -------------------------------------------------------------- */

static struct file *file_of(const struct ezt_reader *r)
{
    return (struct file *)(uintptr_t)r;
}

static bool file_text_ok(const char *text)
{
    return text && *text && strlen(text) <= TEXT_MOST;
}

static bool file_is(const struct ezt_reader *r, uint32_t container, uint32_t name,
                    enum ez_name_kind kind)
{
    const struct ez_model *m = file_of(r)->all->m;
    return container < m->container.n && name < m->name.n && m->name.at[name].kind == kind &&
           !m->name.at[name].pause;
}

static uint32_t file_container(const struct ezt_reader *r, uint32_t parent, const char *name)
{
    struct ez_interp_files *f = file_of(r)->all;
    struct ez_model *m = f->m;
    if (parent >= m->container.n || !file_text_ok(name) || m->container.n >= CONTAINERS_MOST)
        return EZT_NONE;
    EZ_FREE char *plain = ez_str_plain(name, "", 0);
    for (uint64_t h = ez_hash_key(EZ_HASH_SEED + parent, plain);; h++) {
        size_t i = ez_hash_put(&f->made, h, m->container.n);
        /* programs that show traces distinguish threads by tid, so the container gets a tid that no
         * thread has */
        if (i == m->container.n)
            return ez_model_container(m, EZ_L_THREAD, parent, plain, m->container.at[parent].pid,
                                      (uint64_t)1 << 32 | i);
        if (m->container.at[i].parent == parent && !strcmp(m->container.at[i].name, plain))
            return (uint32_t)i;
    }
}

static uint32_t file_name(const struct ezt_reader *r, enum ezt_name_kind kind, const char *text)
{
    static const enum ez_name_kind ours[] = { EZ_N_STATE, EZ_N_EVENT, EZ_N_VAR, EZ_N_LINK };
    if ((unsigned)kind >= EZ_ARRAY_LEN(ours) || !file_text_ok(text))
        return EZT_NONE;
    EZ_FREE char *plain = ez_str_plain(text, "", 0);
    return ez_model_name(file_of(r)->all->m, ours[kind], plain, file_of(r)->module, 0);
}

static void file_push(const struct ezt_reader *r, uint32_t container, uint32_t state)
{
    if (file_is(r, container, state, EZ_N_STATE))
        ez_model_push(file_of(r)->all->m, container, state, EZ_ABOUT_NOTHING);
}

static void file_pop(const struct ezt_reader *r, uint32_t container)
{
    if (container < file_of(r)->all->m->container.n)
        ez_model_pop(file_of(r)->all->m, container, EZ_ABOUT_NOTHING);
}

static void file_set(const struct ezt_reader *r, uint32_t container, uint32_t state)
{
    if (file_is(r, container, state, EZ_N_STATE))
        ez_model_set(file_of(r)->all->m, container, state, EZ_ABOUT_NOTHING);
}

static void file_point(const struct ezt_reader *r, uint32_t container, uint32_t name,
                       const uint64_t *word, uint32_t n)
{
    if (file_is(r, container, name, EZ_N_EVENT) && n <= 32 && (word || !n))
        ez_model_event(file_of(r)->all->m, container, name, word, n, EZ_ABOUT_NOTHING);
}

static void file_var_set(const struct ezt_reader *r, uint32_t container, uint32_t variable,
                         double value)
{
    if (file_is(r, container, variable, EZ_N_VAR) && value - value == 0)
        ez_model_var_set(file_of(r)->all->m, container, variable, value, EZ_ABOUT_NOTHING);
}

static void file_var_add(const struct ezt_reader *r, uint32_t container, uint32_t variable,
                         double by)
{
    if (file_is(r, container, variable, EZ_N_VAR) && by - by == 0)
        ez_model_var_add(file_of(r)->all->m, container, variable, by, EZ_ABOUT_NOTHING);
}

static void file_link_start(const struct ezt_reader *r, uint32_t container, uint32_t link,
                            uint64_t key)
{
    const struct ez_link l = { .name = link, .peer = EZ_NONE_IDX, .key = key };
    if (file_is(r, container, link, EZ_N_LINK))
        ez_model_link_start(file_of(r)->all->m, container, &l);
}

static void file_link_end(const struct ezt_reader *r, uint32_t container, uint32_t link,
                          uint64_t key)
{
    const struct ez_link l = { .name = link, .peer = EZ_NONE_IDX, .key = key };
    if (file_is(r, container, link, EZ_N_LINK))
        ez_model_link_end(file_of(r)->all->m, container, &l);
}

static void file_line(const struct ezt_reader *r, const char *text)
{
    if (file_of(r)->finishing && text && strlen(text) <= 4 * TEXT_MOST)
        EZ_PUSH(&file_of(r)->all->m->line, ez_str_plain(text, "", 0));
}

static const struct ezt_reader file_api = { .abi = EZT_INTERP_ABI,
                                            .size = sizeof(struct ezt_reader),
                                            .container = file_container,
                                            .name = file_name,
                                            .push = file_push,
                                            .pop = file_pop,
                                            .set = file_set,
                                            .point = file_point,
                                            .var_set = file_var_set,
                                            .var_add = file_var_add,
                                            .link_start = file_link_start,
                                            .link_end = file_link_end,
                                            .line = file_line };

/* ---- loading --------------------------------------------------------------------------------- */

static void file_free(struct file *f)
{
    if (f->self && f->is->destroy)
        f->is->destroy(f->self);
    if (f->handle)
        dlclose(f->handle);
    free(f->module);
    free(f);
}

static void file_load(struct ez_interp_files *all, const char *module, const char *path,
                      char **said)
{
    struct file *f = ez_alloc(sizeof *f);
    *f = (struct file){ .api = file_api, .all = all, .module = ez_strdup(module) };
    f->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    f->is = f->handle ? dlsym(f->handle, "ezt_interp") : NULL;
    const char *why = !f->handle                        ? dlerror()
                      : !f->is                          ? "it has no EZT_INTERP"
                      : f->is->abi != EZT_INTERP_ABI    ? "it was made for another eztsh"
                      : !f->is->create || !f->is->event ? "it has no create or event"
                                                        : NULL;
    if (!f->is || why) {
        ez_str_add_line(said, "%s: %s", path, ez_text(why));
        file_free(f);
        return;
    }
    EZ_PUSH(&all->file, f);
    f->self = f->is->create(&f->api);
}

/* Returns nonzero if `name` is MODULE-interp.so or MODULE-interp-ANYTHING.so. */
static int file_wanted(const char *name, const char *module)
{
    size_t n = strlen(module), len = strlen(name);
    if (strncmp(name, module, n) || strncmp(name + n, "-interp", 7) || len < n + 10 ||
        strcmp(name + len - 3, ".so"))
        return 0;
    return name[n + 7] == '.' ? len == n + 10 : name[n + 7] == '-';
}

/* Loads a module's interpreters from a folder, in the order of their names, so that the order is
 * always the same. (The caller searches a folder only if the earlier folders have no interpreter of
 * the module.) */
static void file_load_folder(struct ez_interp_files *all, const char *folder, const char *module,
                             char **said)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        EZ_FREE char *path = ez_sprintf("%s/%s", folder, entry[i]->d_name);
        if (file_wanted(entry[i]->d_name, module))
            file_load(all, module, path, said);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

static void file_load_module(struct ez_interp_files *all, const char *module, char **said)
{
    size_t n, before = all->file.n;
    char **folder = ez_module_folders(&n);
    for (size_t i = 0; i < n; i++) {
        if (all->file.n == before)
            file_load_folder(all, folder[i], module, said);
        free(folder[i]);
    }
    free(folder);
}

/* Returns true if a module's name is safe in a file name. The name comes from the trace, which may
 * be hostile. */
static bool file_module_ok(const char *name)
{
    return *name && *name != '.' && strlen(name) < 64 && !strchr(name, '/');
}

static size_t file_module(struct ez_interp_files *all, const char *name, char **said)
{
    for (size_t i = 0; i < all->module.n; i++)
        if (!strcmp(all->module.at[i], name))
            return i;
    EZ_PUSH(&all->module, ez_strdup(name));
    if (file_module_ok(name))
        file_load_module(all, name, said);
    return all->module.n - 1;
}

struct ez_interp_files *ez_interp_files_load(struct ez_inputs *all, char **said)
{
    struct ez_interp_files *f = ez_alloc(sizeof *f);
    f->inputs = all;
    f->m = ez_inputs_model(all);
    *said = NULL;
    for (uint32_t i = 0; i < ez_inputs_count(all); i++) {
        const struct ez_fxt_defs *d = ez_inputs_defs(all, i);
        for (size_t k = 0; k < d->modules.n; k++) {
            size_t module = file_module(f, d->modules.at[k].name, said);
            if (d->modules.at[k].id <= ID_MOST)
                ez_hash_put(&f->of, (uint64_t)i << 8 | d->modules.at[k].id, module);
        }
    }
    return f;
}

bool ez_interp_files_any(const struct ez_interp_files *f)
{
    return f->file.n;
}

bool ez_interp_files_has(const struct ez_interp_files *f, uint32_t input, uint64_t id)
{
    size_t module;
    if (!ez_hash_get(&f->of, (uint64_t)input << 8 | id, &module))
        return false;
    for (size_t i = 0; i < f->file.n; i++)
        if (!strcmp(f->file.at[i]->module, f->module.at[module]))
            return true;
    return false;
}

/* ---- events ---------------------------------------------------------------------------------- */

int ez_interp_files_event(struct ez_interp_files *f, const struct ez_merged *ev)
{
    size_t module;
    int most = EZT_NOT_MINE;
    uint64_t id = (ev->code - EZ_C_MODULE) >> 16;
    if (!f->file.n || ev->code < EZ_C_MODULE || id > ID_MOST ||
        !ez_hash_get(&f->of, (uint64_t)ev->input << 8 | id, &module))
        return most;
    const struct ezt_read_event e = { .ns = ev->ns,
                                      .number = (uint32_t)(ev->code & 0xffff),
                                      .n = ev->narg,
                                      .word = ev->arg,
                                      .pid = ez_inputs_defs(f->inputs, ev->input)->pid,
                                      .tid = ev->tid,
                                      .process = ez_inputs_process(f->inputs, ev->input),
                                      .thread = ez_inputs_thread(f->inputs, ev->input, ev->tid) };
    for (size_t i = 0; i < f->file.n; i++) {
        struct file *file = f->file.at[i];
        if (strcmp(file->module, f->module.at[module]))
            continue;
        int said = file->is->event(file->self, &e);
        most = said == EZT_ALSO || said == EZT_INSTEAD ? EZ_MAX(most, said) : most;
    }
    return most;
}

void ez_interp_files_finish(struct ez_interp_files *f)
{
    for (size_t i = 0; i < f->file.n; i++) {
        f->file.at[i]->finishing = true;
        if (f->file.at[i]->is->finish)
            f->file.at[i]->is->finish(f->file.at[i]->self);
        f->file.at[i]->finishing = false;
    }
}

void ez_interp_files_free(struct ez_interp_files *f)
{
    for (size_t i = 0; i < f->file.n; i++)
        file_free(f->file.at[i]);
    for (size_t i = 0; i < f->module.n; i++)
        free(f->module.at[i]);
    EZ_VEC_FREE(&f->file);
    EZ_VEC_FREE(&f->module);
    ez_hash_free(&f->of);
    ez_hash_free(&f->made);
    free(f);
}
