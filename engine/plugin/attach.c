/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attach.c - loads the plugins that the user requests into each process, and connects them to the
 * runtime.
 *
 * The user requests a plugin once per session. The engine loads the plugin into each process, when
 * the process starts or when the shell attaches. The plugin's functions are replacements
 * (engine/probe/README.md), which are pending until the plugin's file is loaded in the process, and
 * are then planted in one stop. Before that, the engine connects the plugin to the runtime: it
 * writes the plugin's struct ezt_rt, and allocates an id for the accounting of the plugin's events.
 *
 * Invariant: a replacement is planted only if its plugin is connected (`there`). Until then the
 * replacement is `unready`, because the process may have mapped the file without relocating it, or
 * may have mapped an older file of the same name.
 * Tests: tests/procs/module.sh */
#include "engine/target.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/installed.h"
#include "engine/base/now.h"
#include "engine/base/strutil.h"
#include "engine/record/fxt_out.h"
#include "engine/record/words.h"
#include "modules/ezt_probe.h"
#include "engine/inferior/image.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"
#include "engine/patch/variant.h"
#include "engine/probe/probe_list.h"

/* ---- loading into the process ---------------------------------------------------------------- */

static struct ez_module *attach_module(const struct ez_target *t, const struct ez_plugin *p)
{
    return ez_plugin_module(t, p->path);
}

static const char *attach_words(const struct ez_plugin *p, unsigned number)
{
    for (size_t i = 0; i < p->words.n; i++)
        if (p->words.at[i].number == number)
            return p->words.at[i].text;
    return NULL;
}

/* Returns the string that the module has written at its symbol in the process, or NULL if there is
 * no such symbol or string. The caller frees it. */
static char *attach_text(struct ez_target *t, const struct ez_module *m, const char *symbol)
{
    char text[1024];
    uint64_t at = symbol ? ez_symbol_addr(t, m, symbol) : 0;
    ez_err *e = at ? ez_mem_read_string(t, at, text, sizeof text) : NULL;
    bool has = at && !e && *text;
    ez_err_free(e);
    return has ? ez_str_ours(text) : NULL;
}

static void attach_read_words(struct ez_target *t, const struct ez_module *m, struct ez_plugin *p)
{
    struct ez_words parsed;
    for (size_t i = 0; i < p->words.n; i++) {
        struct ez_plugin_words *w = &p->words.at[i];
        EZ_FREE char *text = attach_text(t, m, w->from);
        if (!text || !ez_words_parse(text, &parsed))
            continue;
        free(w->text);
        w->text = ez_strdup(text);
    }
}

static void attach_notify(struct ez_target *t, const struct ez_plugin *p)
{
    const struct ez_module *m = attach_module(t, p);
    EZ_FREE char *text = m ? attach_text(t, m, p->says) : NULL;
    if (text)
        ez_post_note(t, "Module %s: %s.", p->name, text);
}

static void attach_define(struct ez_target *t, const struct ez_plugin *p, uint64_t code)
{
    ez_drain_define_module(t->tracing.drain, p->id, p->name, p->desc);
    for (size_t i = 0; i < p->event.n; i++) {
        const struct ez_plugin_event *e = &p->event.at[i];
        bool value = e->action >= EZ_A_VAR_SET && e->action <= EZ_A_VAR_SUB;
        const struct ez_event_meaning m = { .code = code + e->number,
                                            .action = e->action,
                                            .level = e->level | (value ? EZ_LEVEL_DOUBLE : 0),
                                            .name = e->text,
                                            .group = p->name,
                                            .words = attach_words(p, e->number) };
        ez_drain_define_meaning(t->tracing.drain, &m);
    }
}

/* Returns EZ_E_STATE if the file that is mapped at address `at` is older than the file that
 * ez_plugin_read() read. If a loaded file is replaced by a new one, dlopen returns the old one,
 * which /proc/PID/maps shows as "(deleted)". */
static ez_err *attach_is_file(struct ez_target *t, const struct ez_plugin *p, uint64_t at)
{
    struct ez_maps maps;
    bool same = true;
    EZ_TRY(ez_maps_read(ez_live_tid(t), &maps));
    for (size_t i = 0; i < maps.map.n; i++)
        if (at >= maps.map.at[i].lo && at < maps.map.at[i].hi)
            same = !strstr(maps.map.at[i].name, " (deleted)");
    ez_maps_free(&maps);
    return same ? NULL
                : ez_err_hint(ez_err_new(EZ_E_STATE, 0,
                                         "The process has loaded an older file of that name, %s",
                                         p->path),
                              "The old file stays loaded until the process ends; a new process "
                              "loads the new one");
}

static void attach_set_there(struct ez_target *t, struct ez_plugin *p, bool there)
{
    p->there = there;
    for (size_t i = 0; i < p->number.n; i++) {
        struct ez_probe *q = ez_probe_numbered(t, p->number.at[i]);
        if (q)
            q->unready = !there;
    }
}

/* Uses the table of guards at address `at` (0: none) for all threads. Clears guards of an earlier
 * shell's time: they belong to other threads. */
static ez_err *attach_guards(struct ez_target *t, uint64_t at)
{
    static const uint64_t none;
    EZ_FREE uint64_t *guard = ez_alloc(EZT_GUARDS * sizeof *guard);
    if (!at)
        return NULL;
    EZ_TRY(ez_mem_read(t, at, guard, EZT_GUARDS * sizeof *guard));
    for (size_t i = 0; i < EZT_GUARDS; i++)
        if (guard[i])
            EZ_TRY(ez_mem_write(t, at + i * sizeof *guard, &none, sizeof none,
                                "clear the guard of a replacement"));
    t->rt.hdr->guards = at;
    return NULL;
}

/* Connects a plugin to the runtime: writes its struct ezt_rt, defines its events in the trace, and
 * makes its replacements ready to be planted. */
static ez_err *attach_connect(struct ez_target *t, struct ez_plugin *p)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    uint32_t id, abi = 0;
    EZ_TRY(ez_modules_refresh(t));
    struct ez_module *m = attach_module(t, p);
    if (m) /* checked before the symbols, because only root can read those of a deleted file */
        EZ_TRY(attach_is_file(t, p, m->lo));
    uint64_t at = m && m->obj ? ez_symbol_addr(t, m, "ezt_rt") : 0;
    if (!at || ez_mem_read_some(t, at, &abi, sizeof abi) != sizeof abi)
        return ez_err_new(EZ_E_FORMAT, 0, "%s: the module has no variable \"ezt_rt\"", p->path);
    EZ_TRY(ez_id_of_module(t, at, &id));
    struct ezt_rt rt = { .abi = EZT_ABI,
                         .counter = id * (uint32_t)sizeof(struct ez_counter),
                         .code = EZ_C_MODULE + ((uint64_t)p->id << 16),
                         .loading = (uint64_t)ez_now_ms() };
    rt.event = (__typeof__(rt.event))(uintptr_t)(t->rt.blob + h->event);
    rt.enter = (__typeof__(rt.enter))(uintptr_t)(t->rt.blob + h->enter);
    rt.again = (__typeof__(rt.again))(uintptr_t)(t->rt.blob + h->again);
    if (!t->rt.hdr->guards)
        EZ_TRY(attach_guards(t, ez_symbol_addr(t, m, "ezt_guards")));
    EZ_TRY(ez_mem_write(t, at, &rt, sizeof rt, "connect a module to the runtime"));
    attach_read_words(t, m, p);
    attach_define(t, p, rt.code);
    p->row = id;
    attach_set_there(t, p, true);
    return NULL;
}

/* Writes the functions that do nothing (ezt_rt_none) into the ezt_rt at address `at`, if it still
 * has the addresses of this runtime. A module of an older eztsh has no such functions. */
static ez_err *attach_disconnect(struct ez_target *t, uint64_t at)
{
    struct ez_module *m = ez_module_at(t, at);
    uint64_t none = m && m->obj ? ez_symbol_addr(t, m, "ezt_rt_none") : 0;
    struct ezt_rt rt, quiet;
    if (!none || !ez_symbol_addr(t, m, "ezt_guards") || ez_symbol_addr(t, m, "ezt_rt") != at ||
        ez_mem_read_some(t, at, &rt, sizeof rt) != sizeof rt ||
        (uint64_t)(uintptr_t)rt.event != t->rt.blob + t->rt.bh->event ||
        ez_mem_read_some(t, none, &quiet, sizeof quiet) != sizeof quiet)
        return NULL;
    return ez_mem_write(t, at, &quiet, sizeof quiet, "disconnect a module from the runtime");
}

ez_err *ez_plugins_disconnect(struct ez_target *t)
{
    for (uint32_t i = 0; t->rt.up && i < t->rt.nids; i++) {
        struct ez_row *row = &t->rt.rows[i];
        const uint64_t at = row->with;
        if (!(row->flags & EZ_ROW_MODULE) || !at)
            continue;
        EZ_TRY(attach_disconnect(t, at));
        row->with = 0; /* the next shell does not adopt the module */
    }
    return NULL;
}

static ez_err *attach_bring(struct ez_target *t, void *plugin, enum ez_deliver when)
{
    struct ez_plugin *p = plugin;
    /* the C library may have been loaded since the list was read */
    ez_err *e = ez_modules_refresh(t);
    if (!e)
        e = ez_plugin_deliver(t, p->path, p->loaded, when);
    if (!e)
        e = attach_connect(t, p);
    if (!e)
        attach_notify(t, p);
    free(p->refused);
    p->refused = e ? ez_strdup(e->msg) : NULL;
    return e;
}

static void attach_bring_all(struct ez_target *t, enum ez_deliver when)
{
    for (size_t i = 0; i < t->plugins.loaded.n && t->inf.state == EZ_STOPPED; i++) {
        struct ez_plugin *p = t->plugins.loaded.at[i];
        ez_err *e = p->there ? NULL : attach_bring(t, p, when);
        EZ_FREE char *why = e ? ez_err_text(e) : NULL;
        if (e)
            ez_post_note(t, "Module %s is not loaded: %s", p->name, why);
        ez_err_free(e);
    }
}

void ez_plugins_forked(struct ez_target *t)
{
    ez_specs_forked(t);
    for (size_t i = 0; i < t->plugins.loaded.n; i++) {
        struct ez_plugin *p = t->plugins.loaded.at[i];
        ez_err *e = attach_module(t, p) ? ez_rt_fit(t) : NULL;
        if (!e && attach_module(t, p))
            e = attach_connect(t, p);
        if (e)
            ez_post_note(t, "Module %s records nothing in the child: %s.", p->name, e->msg);
        ez_err_free(e);
    }
}

/* Loads plugins when the program starts, while the thread is in the loader's rendezvous function.
 * If the thread has left that function, it may be in the middle of malloc, so the plugins are
 * loaded on a clean thread (clean.c). */
void ez_plugins_early(struct ez_target *t)
{
    enum ez_deliver when = t->probes.loader_left ? EZ_DELIVER_RUNNING : EZ_DELIVER_EARLY;
    attach_bring_all(t, when);
    ez_specs_early(t, when);
}

static ez_err *attach_no_clash(const struct ez_target *t, const struct ez_plugin *p)
{
    for (size_t i = 0; i < t->plugins.loaded.n; i++) {
        const struct ez_plugin *q = t->plugins.loaded.at[i];
        if (!strcmp(p->name, q->name))
            return ez_err_new(EZ_E_STATE, 0, "Module %s is loaded already", p->name);
        if (p->id == q->id)
            return ez_err_new(EZ_E_STATE, 0, "Module %s has the same ID as module %s, 0x%x",
                              p->name, q->name, p->id);
    }
    return NULL;
}

/* Sets p->number for a plugin that an earlier shell loaded: the numbers of the replacements whose
 * replacing functions are in the plugin's file. */
static void attach_find_numbers(const struct ez_target *t, struct ez_plugin *p)
{
    for (size_t i = 0; i < p->replace.n; i++) {
        EZ_FREE char *with = ez_sprintf("%s:%s", ez_base_name(p->path), p->replace.at[i].with);
        for (size_t k = 0; k < t->probes.probe.n; k++)
            if (t->probes.probe.at[k]->spec.with && !strcmp(t->probes.probe.at[k]->spec.with, with))
                p->number.at[i] = t->probes.probe.at[k]->number;
    }
}

/* Adopts the plugin whose struct ezt_rt is at address `at`, and whose events an earlier shell
 * counted under this id. */
static void attach_adopt(struct ez_target *t, uint32_t id, uint64_t at)
{
    struct ez_module *m = ez_module_at(t, at);
    struct ez_plugin *p = NULL;
    if (!m || !m->obj || ez_symbol_addr(t, m, "ezt_rt") != at)
        return;
    ez_err *e = ez_plugin_read(m->path, &p);
    if (!e)
        e = attach_no_clash(t, p);
    if (e) {
        ez_post_note(t, "A module's events will have no names: %s.", e->msg);
        ez_plugin_free(p);
        ez_err_free(e);
        return;
    }
    attach_find_numbers(t, p);
    attach_read_words(t, m, p);
    attach_set_there(t, p, true);
    p->row = id;
    EZ_PUSH(&t->plugins.loaded, p);
    attach_define(t, p, EZ_C_MODULE + ((uint64_t)p->id << 16));
}

static bool attach_knows(const struct ez_target *t, const struct ez_module *m)
{
    for (size_t i = 0; i < t->plugins.loaded.n; i++)
        if (t->plugins.loaded.at[i]->there && attach_module(t, t->plugins.loaded.at[i]) == m)
            return true;
    return false;
}

/* Adopts the plugins that an earlier shell loaded. Begins with the highest id, because a plugin
 * that was unloaded and loaded again has several ids, of which the highest is valid. */
static void attach_adopt_all(struct ez_target *t)
{
    for (uint32_t i = t->rt.up ? t->rt.nids : 0; i-- > 0;) {
        const struct ez_row row = t->rt.rows[i]; /* a copy, because the target can change the row */
        if (row.flags & EZ_ROW_MODULE && row.with && !attach_knows(t, ez_module_at(t, row.with)))
            attach_adopt(t, i, row.with);
    }
}

void ez_plugins_attached(struct ez_target *t)
{
    attach_adopt_all(t);
    if (!t->plugins.loaded.n && !t->plugins.spec.n)
        return;
    attach_bring_all(t, EZ_DELIVER_RUNNING);
    ez_specs_attached(t);
    if (t->inf.state == EZ_STOPPED)
        ez_err_drop(ez_probes_pending(t, false));
}

void ez_plugins_process_ended(struct ez_target *t)
{
    ez_specs_process_ended(t);
    for (size_t i = 0; i < t->plugins.loaded.n; i++) {
        struct ez_plugin *p = t->plugins.loaded.at[i];
        if (!p->there && !p->refused)
            ez_post_note(t, "Module %s saw nothing: the process ended before it was loaded.",
                         p->name);
        attach_set_there(t, p, false);
        free(p->refused);
        p->refused = NULL;
    }
}

/* ---- requests of the user -------------------------------------------------------------------- */

static struct ez_plugin *attach_find(const struct ez_target *t, const char *name)
{
    for (size_t i = 0; i < t->plugins.loaded.n; i++)
        if (!strcmp(t->plugins.loaded.at[i]->name, name) ||
            !strcmp(t->plugins.loaded.at[i]->path, name))
            return t->plugins.loaded.at[i];
    return NULL;
}

/* Adds a pending replacement for each function that the plugin replaces. */
static void attach_want(struct ez_target *t, struct ez_plugin *p)
{
    for (size_t i = 0; i < p->replace.n; i++) {
        const struct ez_plugin_replace *r = &p->replace.at[i];
        EZ_FREE char *with = ez_sprintf("%s:%s", ez_base_name(p->path), r->with);
        const struct ez_probe_spec spec = { .kind = EZ_PROBE_REPLACE,
                                            .record = true,
                                            .location = r->location,
                                            .with = with,
                                            .orig = r->orig,
                                            .twins = r->twins };
        p->number.at[i] = ez_probe_new(t, &spec)->number;
    }
    attach_set_there(t, p, false);
}

static void attach_forget(struct ez_target *t, struct ez_plugin *p)
{
    size_t k = 0;
    for (size_t i = 0; i < t->plugins.loaded.n; i++)
        if (t->plugins.loaded.at[i] != p)
            t->plugins.loaded.at[k++] = t->plugins.loaded.at[i];
    t->plugins.loaded.n = k;
    ez_plugin_free(p);
}

static ez_err *attach_unwant(struct ez_target *t, struct ez_plugin *p)
{
    return ez_plugin_probes_delete(t, p->number.at, p->number.n);
}

ez_err *ez_plugin_load(struct ez_target *t, const char *name)
{
    EZ_FREE char *path = NULL;
    struct ez_plugin *p;
    EZ_TRY(ez_need_strategy());
    if (ez_transaction_open(t))
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Modules cannot be loaded between \"begin\" and \"commit\""),
            "Type \"commit\" or \"rollback\" first");
    EZ_TRY(ez_plugin_find(name, &path));
    EZ_TRY(ez_plugin_read(path, &p));
    ez_err *e = attach_no_clash(t, p);
    if (e) {
        ez_plugin_free(p);
        return e;
    }
    EZ_PUSH(&t->plugins.loaded, p);
    attach_want(t, p);
    if (ez_plugin_too_early(t))
        return ez_probes_watch(t);
    e = ez_plugin_now(t, attach_bring, p);
    if (!e)
        return ez_probes_watch(t);
    if (e->code == EZ_E_REFUSED)
        e = ez_err_wrap(e, "Module %s is not loaded", p->name);
    if (t->inf.state != EZ_NONE)
        ez_err_drop(attach_unwant(t, p));
    attach_forget(t, p);
    return e;
}

/* Tells a plugin whose code an interpreter calls, not a replacement, that it is unloaded. */
static ez_err *attach_unloaded(struct ez_target *t, const struct ez_plugin *p)
{
    static const uint64_t never;
    const struct ez_module *m = p->loaded && p->there ? attach_module(t, p) : NULL;
    uint64_t at = m && m->obj ? ez_symbol_addr(t, m, "ezt_rt") : 0;
    return at ? ez_mem_write(t, at + offsetof(struct ezt_rt, loading), &never, sizeof never,
                             "unload a module")
              : NULL;
}

ez_err *ez_plugin_unload(struct ez_target *t, const char *name)
{
    struct ez_plugin *p = attach_find(t, name);
    if (!p)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No module \"%s\" is loaded", name);
    EZ_TRY(attach_unwant(t, p));
    EZ_TRY(attach_unloaded(t, p));
    attach_forget(t, p);
    return NULL;
}

void ez_plugins_free(struct ez_target *t)
{
    ez_specs_free(t);
    for (size_t i = 0; i < t->plugins.loaded.n; i++)
        ez_plugin_free(t->plugins.loaded.at[i]);
    EZ_VEC_FREE(&t->plugins.loaded);
}

/* ---- listing --------------------------------------------------------------------------------- */

static struct ez_plugin_info attach_describe(const struct ez_plugin *p)
{
    return (struct ez_plugin_info){ .name = p->name,
                                    .desc = p->desc,
                                    .path = p->path,
                                    .id = p->id,
                                    .there = p->there,
                                    .problem = p->refused,
                                    .functions = (unsigned)p->replace.n };
}

void ez_plugins(struct ez_target *t, void (*fn)(const struct ez_plugin_info *, void *), void *arg)
{
    for (size_t i = 0; i < t->plugins.loaded.n; i++) {
        const struct ez_plugin *p = t->plugins.loaded.at[i];
        struct ez_plugin_info info = attach_describe(p);
        uint64_t nested;
        info.loaded = true;
        for (size_t k = 0; k < p->number.n; k++) {
            const struct ez_probe *q = ez_probe_numbered(t, p->number.at[k]);
            info.planted += q && q->state == EZ_PROBE_ARMED;
            info.pending += q && q->state == EZ_PROBE_PENDING;
            info.refused += q && (q->state == EZ_PROBE_REFUSED || q->state == EZ_PROBE_LOST);
        }
        if (p->there && t->tracing.drain)
            ez_drain_counts(t->tracing.drain, p->row, &info.events, &nested);
        fn(&info, arg);
    }
}

/* Calls fn for each module file in a folder, sorted by name. A damaged module file has `problem`
 * set. Skips files that are not modules. */
static void attach_list_folder(struct ez_target *t, const char *folder,
                               void (*fn)(const struct ez_plugin_info *, void *), void *arg)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        struct ez_plugin *p;
        size_t len = strlen(entry[i]->d_name);
        EZ_FREE char *path = ez_sprintf("%s/%s", folder, entry[i]->d_name);
        free(entry[i]);
        if (len < 4 || strcmp(path + strlen(path) - 3, ".so"))
            continue;
        ez_err *e = ez_plugin_read(path, &p);
        struct ez_plugin_info info =
            e ? (struct ez_plugin_info){ .name = "", .desc = "", .path = path, .problem = e->msg }
              : attach_describe(p);
        info.loaded = !e && attach_find(t, p->name);
        if (!e || e->code != EZ_E_ARG)
            fn(&info, arg);
        if (!e)
            ez_plugin_free(p);
        ez_err_free(e);
    }
    if (n >= 0)
        free(entry);
}

void ez_plugins_available(struct ez_target *t, void (*fn)(const struct ez_plugin_info *, void *),
                          void *arg)
{
    size_t n;
    char **folder = ez_module_folders(&n);
    for (size_t i = 0; i < n; i++) {
        attach_list_folder(t, folder[i], fn, arg);
        free(folder[i]);
    }
    free(folder);
}
