/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resolve.c - finds the addresses of probes by the user's LOCATIONs, and finds them again when a
 * file was rebuilt.
 *
 * A resolved probe keeps its address in the file (vaddr) for later processes. The address is valid
 * in this file only. If the file was rebuilt (another object with another build-id), the location
 * is resolved again, and rules (`probe -r`) create their probes again.
 *
 * Invariant: after ez_probes_resolve() no probe has an object_path whose file, as it is loaded now,
 * differs from p->obj.
 * Tests: tests/procs/rebuilt.sh, tests/procs/modules.sh */
#include "engine/target.h"

#include "engine/dwarf/srcline.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/resolve.h"
#include "engine/probe/stap.h"

#include <string.h>

bool ez_is_ifunc(struct ez_object *obj, uint64_t vaddr)
{
    const struct ez_sym *s = ez_object_find_addr(obj, vaddr);
    return s && s->vaddr == vaddr && s->kind == EZ_SYM_IFUNC;
}

static void resolve_forget(struct ez_probe *p)
{
    free(p->object_path);
    free(p->function);
    free(p->library);
    free(p->file);
    p->object_path = p->function = p->library = p->file = NULL;
    p->obj = NULL;
    p->addr = p->vaddr = 0;
}

void ez_probe_resolved(struct ez_target *t, struct ez_probe *p, const struct ez_sym *s,
                       const struct ez_module *m, uint64_t addr)
{
    resolve_forget(p);
    p->object_path = ez_strdup(m ? m->path : t->inf.program);
    p->vaddr = addr - (m ? m->bias : 0);
    p->addr = m ? addr : 0;
    p->bias = m ? m->bias : 0;
    p->obj = m ? m->obj : t->inf.prog_obj;
    p->ifunc = p->obj && ez_is_ifunc(p->obj, p->vaddr);
    const struct ez_stap *stap = ez_stap_of(p);
    const char *inlined = ez_location_inlined(p->spec.location);
    if (inlined && ez_location_colon(inlined))
        inlined = ez_location_colon(inlined) + 1;
    p->function = stap      ? ez_sprintf("%s:%s", stap->provider, stap->name)
                  : inlined ? ez_strdup(inlined)
                            : ez_strdup(s ? ez_sym_pretty(s) : "");
    p->library = ez_strdup(ez_base_name(p->object_path));
}

bool ez_probe_line(struct ez_target *t, int number, const char **file, unsigned *line)
{
    struct ez_probe *p = ez_probe_numbered(t, number);
    if (p && !p->file && p->obj && ez_srcline_at(p->obj, p->vaddr, file, &p->line))
        p->file = ez_strdup(*file);
    if (!p || !p->file)
        return false;
    *file = p->file;
    *line = p->line;
    return true;
}

/* ---- the places that a location names ------------------------------------------------------- */

static void resolve_add_place(ez_addr addr, const struct ez_sym *s, const struct ez_module_info *m,
                              void *arg)
{
    struct ez_places *f = arg;
    (void)m;
    for (size_t i = 0; i < f->n; i++)
        if (f->at[i].addr == addr.v)
            return;
    EZ_PUSH(f, ((struct ez_place){ addr.v, s }));
}

ez_err *ez_places(struct ez_target *t, const char *location, struct ez_places *out)
{
    return ez_locate(t, location, resolve_add_place, out);
}

/* ---- what a replacement names ----------------------------------------------------------- */

static void resolve_found_variable(const struct ez_sym *s, void *arg)
{
    if (s->kind == EZ_SYM_DATA)
        *(const struct ez_sym **)arg = s;
}

static ez_err *resolve_variable(const struct ez_module *m, const char *name, uint64_t *at)
{
    const struct ez_sym *s = NULL;
    if (m && m->obj)
        ez_object_find_name(m->obj, name, resolve_found_variable, &s);
    if (s && s->size && s->size < sizeof(uint64_t))
        return ez_err_new(EZ_E_REFUSED, 0, "the variable \"%s\" is too small for an address", name);
    if (!s)
        return ez_err_new(EZ_E_REFUSED, 0, "there is no variable \"%s\" in %s", name,
                          m ? ez_base_name(m->path) : "the program");
    *at = s->vaddr + m->bias;
    return NULL;
}

/* Returns the address of the function called name in the module that contains address near or, if
 * that module has no such function, in any module; 0 if no module has it. */
static uint64_t resolve_function(struct ez_target *t, uint64_t near, const char *name)
{
    const struct ez_module *m = ez_module_at(t, near);
    uint64_t at = m && m->obj ? ez_symbol_addr(t, m, name) : 0;
    return at ? at : ez_symbol_in_any(t, name);
}

ez_err *ez_replace_twin(struct ez_target *t, const struct ez_probe *p, uint64_t with)
{
    EZ_FREE char *copy = ez_strdup(p->spec.twins);
    char *rest = copy, *variable = strsep(&rest, " "), *name;
    uint64_t to, at = 0;
    EZ_TRY(resolve_variable(ez_module_at(t, with), variable, &to));
    while (!at && (name = strsep(&rest, " ")))
        at = resolve_function(t, p->addr, name);
    if (!at)
        return ez_err_new(EZ_E_REFUSED, 0,
                          "its \"...\" can be passed on only to a function that takes a va_list, "
                          "and none of these exists: %s",
                          p->spec.twins + strcspn(p->spec.twins, " ") +
                              (strchr(p->spec.twins, ' ') != NULL));
    return ez_mem_write(t, to, &at, sizeof at, "set the variable of a replacing function");
}

ez_err *ez_replace_find(struct ez_target *t, const struct ez_probe *p, struct ez_with *out)
{
    struct ez_places at = { 0 };
    *out = (struct ez_with){ 0, 0 };
    ez_err *e = ez_places(t, p->spec.with, &at);
    if (!e && at.n != 1)
        e = ez_err_new(EZ_E_REFUSED, 0, "\"%s\" names %zu functions, but only one can be called",
                       p->spec.with, at.n);
    if (!e && at.at[0].sym && at.at[0].sym->kind == EZ_SYM_IFUNC)
        e = ez_err_new(EZ_E_REFUSED, 0, "%s is an IFUNC: name the function that its resolver chose",
                       p->spec.with);
    if (!e) {
        out->func = at.at[0].addr;
        e = p->spec.orig ? resolve_variable(ez_module_at(t, out->func), p->spec.orig, &out->orig)
                         : NULL;
    }
    EZ_VEC_FREE(&at);
    return e;
}

/* ---- files that were rebuilt ----------------------------------------------------------------- */

static struct ez_module *resolve_module_by_path(struct ez_target *t, const char *path)
{
    struct ez_module *prog = ez_module_program(t);
    if (prog && prog->obj == t->inf.prog_obj && t->inf.program && !strcmp(path, t->inf.program))
        return prog; /* t->inf.program may be a symbolic link to the module's file */
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (!strcmp(t->inf.module.at[i]->path, path))
            return t->inf.module.at[i];
    return NULL;
}

static bool resolve_stands_in(const struct ez_probe *p, const struct ez_module *m)
{
    return p->addr && p->obj == m->obj && p->bias == m->bias;
}

/* Returns true if another probe of p's family for the same function is in module m, or has no
 * address. */
static bool resolve_has_other(const struct ez_target *t, const struct ez_probe *p,
                              const struct ez_module *m)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *q = t->probes.probe.at[i];
        if (q != p && q->family == p->family && q->vaddr == p->vaddr &&
            (!q->addr || resolve_stands_in(q, m)))
            return true;
    }
    return false;
}

/* Returns the key for t->probes.standing of p's family and function in the module with this load
 * bias. */
static uint64_t resolve_key(const struct ez_probe *p, uint64_t bias)
{
    return ez_hash_pair(ez_hash_pair((uint64_t)(int64_t)p->family, p->vaddr), bias);
}

static void resolve_note_standing(struct ez_target *t, const struct ez_probe *p)
{
    if (p->addr)
        ez_hash_put(&t->probes.standing, resolve_key(p, p->bias), (size_t)p->number);
}

void ez_probes_find_begin(struct ez_target *t)
{
    ez_hash_free(&t->probes.standing);
    for (size_t i = 0; t->probes.copied && i < t->probes.probe.n; i++)
        resolve_note_standing(t, t->probes.probe.at[i]);
}

/* Returns true if t->probes.standing has another probe of p's family for the same function in m. */
static bool resolve_is_full(const struct ez_target *t, const struct ez_probe *p,
                            const struct ez_module *m)
{
    size_t number;
    return ez_hash_get(&t->probes.standing, resolve_key(p, m->bias), &number) &&
           (int)number != p->number;
}

/* Returns the loaded module in which p is to be planted, or NULL. Of a library that is loaded
 * several times, each copy gets one probe of p's family for the function. */
static struct ez_module *resolve_module_for(struct ez_target *t, const struct ez_probe *p)
{
    struct ez_module *first = p->object_path ? resolve_module_by_path(t, p->object_path) : NULL;
    if (!first || !first->obj || !t->probes.copied)
        return first;
    for (size_t i = 0; p->addr && i < t->inf.module.n; i++)
        if (resolve_stands_in(p, t->inf.module.at[i])) /* p belongs to this copy */
            return t->inf.module.at[i];
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (m->obj == first->obj && !strcmp(m->path, first->path) && !resolve_is_full(t, p, m))
            return m;
    }
    return NULL;
}

/* Returns the object of the file that is loaded under this path, or NULL. */
static struct ez_object *resolve_object_now(struct ez_target *t, const char *path)
{
    if (t->inf.state == EZ_NONE)
        return t->inf.program && !strcmp(path, t->inf.program) ? t->inf.prog_obj : NULL;
    const struct ez_module *m = resolve_module_by_path(t, path);
    return m ? m->obj : NULL;
}

static bool resolve_same_build(const struct ez_object *a, const struct ez_object *b)
{
    const char *ida = ez_object_build_id(a), *idb = ez_object_build_id(b);
    return ida && idb && !strcmp(ida, idb);
}

/* Returns true if the probe was resolved in a file that was replaced by another build since. If the
 * loaded file is another file of the same build, sets p->obj to it and returns false. */
static bool resolve_stale(struct ez_target *t, struct ez_probe *p)
{
    struct ez_object *now =
        p->object_path && p->site < 0 ? resolve_object_now(t, p->object_path) : NULL;
    if (!now || p->obj == now)
        return false;
    bool same = !p->obj || resolve_same_build(p->obj, now);
    if (same)
        p->obj = now;
    return !same;
}

static bool resolve_made_by_rule(const struct ez_probe *p)
{
    return p->family < 0;
}

/* Drops probes of rules whose file was rebuilt. The rules are applied to the new file later. */
static void resolve_drop_ruled(struct ez_target *t)
{
    size_t k = 0;
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (resolve_stale(t, p) && resolve_made_by_rule(p))
            ez_probe_free(p);
        else
            t->probes.probe.at[k++] = p;
    }
    t->probes.probe.n = k;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Returns true if another probe than `but` has the same location and is at address at->addr. */
static bool resolve_is_duplicate(struct ez_target *t, const char *location,
                                 const struct ez_place *at, const struct ez_probe *but)
{
    const struct ez_module *m = ez_module_at(t, at->addr);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *q = t->probes.probe.at[i];
        if (q != but && q->object_path && q->obj == (m ? m->obj : t->inf.prog_obj) &&
            q->vaddr == at->addr - (m ? m->bias : 0) && (!m || !q->addr || q->bias == m->bias) &&
            !strcmp(q->spec.location, location))
            return true;
    }
    return false;
}

/* Returns how well symbol s fits replacement p: 2 for an exported function of exactly the name, 1
 * for a local one, 0 for other functions. A replacement has one prototype, but a location may name
 * several functions (`read`: libc's, a hidden one of the loader, a program's File::read). */
static int resolve_meant(const struct ez_probe *p, const struct ez_sym *s)
{
    const char *colon = strrchr(p->spec.location, ':'),
               *name = colon ? colon + 1 : p->spec.location;
    size_t n = strcspn(name, "@");
    if (!p->spec.with || !s || strlen(s->name) != n || strncmp(s->name, name, n))
        return 0;
    return s->local ? 1 : 2;
}

/* Chooses one of the addresses for p. Prefers the best match for a replacement, then the function
 * that p had before the file was rebuilt, then an address without another probe of the same
 * location. */
static const struct ez_place *resolve_choose(struct ez_target *t, const struct ez_probe *p,
                                             const struct ez_places *f)
{
    const struct ez_place *best = NULL;
    int most = -1;
    for (size_t i = 0; i < f->n; i++) {
        const struct ez_place *at = &f->at[i];
        bool same = p->function && at->sym && !strcmp(p->function, ez_sym_pretty(at->sym));
        int worth = 4 * resolve_meant(p, at->sym) + 2 * same +
                    !resolve_is_duplicate(t, p->spec.location, at, p);
        if (worth > most)
            best = at;
        most = EZ_MAX(most, worth);
    }
    return best;
}

static void resolve_lost(struct ez_target *t, struct ez_probe *p, const char *why)
{
    ez_probe_reason(p, why);
    if (p->object_path)
        ez_post_note(t, "Probe %d (%s) pending: %s%s", p->number, p->spec.location, p->reason,
                     ez_err_stop(p->reason));
    resolve_forget(p);
}

/* Returns EZ_E_NOTFOUND if the library with p's replacing function is not loaded yet. Until it is,
 * the library of the function to replace may be missing, too, and another function of the name
 * would be replaced. Symbols are not searched, because a user's module has dozens of
 * replacements. */
static ez_err *resolve_with(const struct ez_target *t, const struct ez_probe *p)
{
    size_t n = p->spec.with ? strcspn(p->spec.with, ":") : 0;
    EZ_FREE char *file = p->spec.with ? ez_strndup(p->spec.with, n) : NULL;
    if (t->inf.state == EZ_NONE || !file || !p->spec.with[n] || !strstr(file, ".so"))
        return NULL;
    for (size_t i = 0; i < t->inf.module.n; i++) {
        const char *path = t->inf.module.at[i]->path, *base = ez_base_name(path);
        if (!strcmp(path, file) || !strncmp(base, file, n))
            return NULL;
    }
    return ez_err_new(EZ_E_NOTFOUND, 0, "%s is not loaded", file);
}

/* Resolves p by its location. *several: true if the location names more than one address. */
static void resolve_one(struct ez_target *t, struct ez_probe *p, bool *several)
{
    struct ez_places f = { 0 };
    *several = false;
    if (p->state == EZ_PROBE_REFUSED) {
        p->state = p->user_disabled ? EZ_PROBE_DISABLED : EZ_PROBE_PENDING;
        ez_probe_reason(p, NULL);
    }
    p->again = false;
    if (p->spec.location[0] == '*') {
        if (p->object_path)
            resolve_lost(t, p, "the location is an address in a file that has changed since");
        return;
    }
    ez_err *e = resolve_with(t, p);
    if (!e)
        e = ez_places(t, p->spec.location, &f);
    const struct ez_place *at = e ? NULL : resolve_choose(t, p, &f);
    if (at) {
        ez_probe_resolved(t, p, at->sym, ez_module_at(t, at->addr), at->addr);
        /* ez_probe_find() chooses the loaded copy of the library */
        p->addr = p->copy ? 0 : p->addr;
        ez_probe_reason(p, NULL);
        *several = f.n > 1;
    } else if (e) {
        resolve_lost(t, p, e->msg);
    }
    ez_err_free(e);
    EZ_VEC_FREE(&f);
}

static bool resolve_several(const struct ez_target *t, const struct ez_module *m)
{
    for (size_t i = 0; m->obj && i < t->inf.module.n; i++)
        if (t->inf.module.at[i] != m && t->inf.module.at[i]->obj == m->obj)
            return true;
    return false;
}

void ez_probe_look_copy(struct ez_target *t, struct ez_probe *p)
{
    const struct ez_module *m = p->addr ? ez_module_at(t, p->addr) : NULL;
    const int own = p->family;
    if (!m || !resolve_several(t, m))
        return;
    for (size_t i = 0; t->probes.probe.at[i] != p; i++) {
        const struct ez_probe *q = t->probes.probe.at[i];
        if (!q->addr || q->obj != m->obj || q->vaddr != p->vaddr || q->bias == p->bias ||
            strcmp(q->spec.location, p->spec.location) != 0)
            continue;
        p->family = q->family;
        if (!resolve_has_other(t, p, m)) {
            ez_probe_copy_of(t, p, q->family);
            return;
        }
    }
    p->family = own;
}

/* Adds a probe with p's request at addr. It is marked as a copy of p if it is on the same function
 * in another loaded copy of the file. */
static void resolve_add_like(struct ez_target *t, const struct ez_probe *p,
                             const struct ez_sym *sym, uint64_t addr)
{
    struct ez_probe *q = ez_probe_new(t, &p->spec);
    q->held = p->held;
    q->user_disabled = p->user_disabled;
    q->state = p->user_disabled ? EZ_PROBE_DISABLED : EZ_PROBE_PENDING;
    ez_probe_resolved(t, q, sym, ez_module_at(t, addr), addr);
    if (q->obj && q->obj == p->obj && q->vaddr == p->vaddr)
        ez_probe_copy_of(t, q, p->family);
}

/* Adds a probe at each address that p's location names and that has no probe of the same
 * location. */
static void resolve_add_others(struct ez_target *t, const struct ez_probe *p)
{
    struct ez_places f = { 0 };
    ez_err_drop(ez_places(t, p->spec.location, &f));
    for (size_t i = 0; i < f.n; i++)
        if (!resolve_is_duplicate(t, p->spec.location, &f.at[i], NULL))
            resolve_add_like(t, p, f.at[i].sym, f.at[i].addr);
    EZ_VEC_FREE(&f);
}

static void resolve_copy_to(struct ez_target *t, const struct ez_module *m)
{
    /* the probes that this loop adds are not copied again */
    const size_t n = t->probes.probe.n;
    for (size_t i = 0; i < n; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        bool stands = p->state == EZ_PROBE_ARMED && p->obj == m->obj && p->addr && !p->spec.with &&
                      !p->spec.fragment.spec;
        if (!stands || p->spec.location[0] == '*' || resolve_made_by_rule(p) ||
            strcmp(p->object_path, m->path) != 0 || resolve_stands_in(p, m) ||
            resolve_has_other(t, p, m))
            continue;
        resolve_add_like(t, p, ez_object_find_addr(m->obj, p->vaddr), p->vaddr + m->bias);
    }
}

void ez_probes_copies(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (!m->copied && resolve_several(t, m))
            resolve_copy_to(t, m);
        /* set once, so that probes that the user deletes in this copy of the library are not
         * created again */
        m->copied = true;
    }
}

void ez_probes_resolve(struct ez_target *t, bool held)
{
    EZ_VEC(struct ez_probe *) several = { 0 };
    resolve_drop_ruled(t);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        bool waits = !p->object_path && p->state == EZ_PROBE_PENDING && !p->user_disabled &&
                     p->held == held,
             more;
        if (!waits && !resolve_stale(t, p))
            continue;
        resolve_one(t, p, &more);
        /* a replacement is for one function only, because it has one prototype */
        if (more && !p->spec.with)
            EZ_PUSH(&several, p);
    }
    for (size_t i = 0; i < several.n; i++)
        resolve_add_others(t, several.at[i]);
    EZ_VEC_FREE(&several);
}

bool ez_probe_find(struct ez_target *t, struct ez_probe *p)
{
    const struct ez_module *m = resolve_module_for(t, p);
    struct ez_with with;
    if (m) {
        p->addr = p->vaddr + m->bias;
        p->bias = m->bias;
        if (t->probes.copied)
            resolve_note_standing(t, p);
    }
    if (p->unready || (p->spec.fragment.spec && !p->spec.fragment.at))
        return false;
    return m && (!p->spec.with || ez_err_drop(ez_replace_find(t, p, &with)));
}
