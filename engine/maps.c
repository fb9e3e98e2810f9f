/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maps.c - what the target has mapped, and which files these are.
 *
 * Modules come from /proc/PID/maps, not from the loader's list: that works before
 * the loader ran, in static programs, with any libc. Their files: objects.c. */
#include "engine/target.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/foreign.h"

static char *slurp(const char *path)
{
    size_t n;
    return ez_text_load(path, SIZE_MAX / 4, &n);
}

/* The leader may have ended before its threads (pthread_exit in main): it has no memory
 * then, but they have. */
static char *slurp_of_thread(pid_t pid)
{
    char path[64];
    struct dirent *d;
    char *s = NULL;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    while (dir && (!s || !*s) && (d = readdir(dir))) {
        free(s);
        snprintf(path, sizeof path, "/proc/%d/task/%d/maps", pid, atoi(d->d_name));
        s = slurp(path);
    }
    if (dir)
        closedir(dir);
    return s;
}

/* start_brk, field 47 of /proc/PID/stat: before the first brk() no mapping shows it. */
static uint64_t heap_start(pid_t pid)
{
    char path[64];
    unsigned long v = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    EZ_FREE char *s = slurp(path);
    char *p = s ? strrchr(s, ')') : NULL;
    for (int field = 2; p && field < 47; field++)
        p = strchr(p + 1, ' ');
    return p && sscanf(p, "%lu", &v) == 1 ? v : 0;
}

ez_err *ez_maps_read(pid_t pid, struct ez_maps *m)
{
    char path[64];
    memset(m, 0, sizeof *m);
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    m->text = slurp(path);
    if (m->text && !*m->text) {
        free(m->text);
        m->text = slurp_of_thread(pid);
    }
    if (!m->text)
        return ez_err_new(errno == ENOENT ? EZ_E_GONE : EZ_E_SYS, errno, "cannot read %s", path);
    for (char *line = m->text, *next; *line; line = next) {
        struct ez_map e = { 0 };
        unsigned long lo, hi, off, ino;
        int at = 0;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        else
            next = line + strlen(line);
        if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &lo, &hi, e.perm, &off, &e.dev_major,
                   &e.dev_minor, &ino, &at) < 7)
            continue;
        e.lo = lo;
        e.hi = hi;
        e.offset = off;
        e.inode = ino;
        e.name = line + at;
        EZ_PUSH(&m->map, e);
        if (!strcmp(e.name, "[heap]"))
            m->brk = e.hi;
    }
    if (!m->brk)
        m->brk = heap_start(pid);
    return NULL;
}

void ez_maps_free(struct ez_maps *m)
{
    EZ_VEC_FREE(&m->map);
    free(m->text);
    m->text = NULL;
}

#define TOP 0x7ffffffff000ull  /* of user space */
#define FAR_ALIGN (1ull << 21) /* what large pages and page tables like      */
#define FAR_OFF (1ull << 36)   /* how far from the neighbours                */
#define HEAP_ROOM (1ull << 30)

/* Room that nothing will grow into: not above the heap, not below a stack. */
static bool above_heap(const struct ez_maps *m, uint64_t lo, uint64_t hi)
{
    return m->brk && hi > m->brk && lo < m->brk + HEAP_ROOM;
}

static bool spoils_growth(const struct ez_maps *m, size_t i, uint64_t lo, uint64_t hi)
{
    const struct ez_map *after = i < m->map.n ? &m->map.at[i] : NULL;
    const uint64_t stack = 128ull << 20;
    if (above_heap(m, lo, hi))
        return true;
    return after && !strcmp(after->name, "[stack]") && hi > after->lo - stack;
}

uint64_t ez_maps_free_at(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size)
{
    uint64_t prev = 0x10000;
    for (size_t i = 0; i <= m->map.n; i++) {
        uint64_t end = i < m->map.n ? EZ_MIN(m->map.at[i].lo, TOP) : TOP;
        uint64_t at = EZ_MAX(lo, prev);
        if (at <= hi && at + size <= end &&
            !spoils_growth(m, i, at & ~(EZ_PAGE - 1), EZ_ROUND_UP(at + size, EZ_PAGE)))
            return at;
        if (i < m->map.n)
            prev = EZ_MAX(prev, m->map.at[i].hi);
    }
    return 0;
}

uint64_t ez_maps_far(const struct ez_maps *m)
{
    uint64_t far = 0, most = 0, prev = 0x10000;
    for (size_t i = 0; i <= m->map.n; i++) {
        uint64_t end = i < m->map.n ? EZ_MIN(m->map.at[i].lo, TOP) : TOP;
        uint64_t room = end > prev ? end - prev : 0;
        if (room >= FAR_OFF + EZ_FAR_SIZE + FAR_OFF) {
            far = end - FAR_OFF - EZ_FAR_SIZE;
            most = room;
        } else if (room > most) {
            far = prev + room / 2;
            most = room;
        }
        if (i < m->map.n)
            prev = EZ_MAX(prev, m->map.at[i].hi);
    }
    return far & ~(FAR_ALIGN - 1);
}

uint64_t ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                     int64_t reach)
{
    uint64_t best = 0, best_d = ~0ull, prev = 0x10000, align = size % EZ_HUGE ? EZ_PAGE : EZ_HUGE;
    for (size_t i = 0; i <= m->map.n; i++) {
        uint64_t end = i < m->map.n ? EZ_MIN(m->map.at[i].lo, TOP) : TOP;
        for (int low = 0; low < 2 && end > prev && end - prev >= size; low++) {
            uint64_t at = low ? EZ_ROUND_UP(prev, align) : (end - size) & ~(align - 1);
            if (low && above_heap(m, at, at + size))
                at = EZ_ROUND_UP(m->brk + HEAP_ROOM, align);
            if (at < prev || at + size > end || spoils_growth(m, i, at, at + size))
                continue;
            /* below is better than above: the break of a PIE grows upwards */
            uint64_t d = at < lo ? hi - at : at + size - lo + (1ull << 28);
            if ((int64_t)(hi - EZ_MIN(at, hi)) < reach &&
                (int64_t)(at + size - EZ_MIN(lo, at)) < reach && d < best_d) {
                best = at;
                best_d = d;
            }
        }
        if (i < m->map.n && m->map.at[i].hi > prev)
            prev = m->map.at[i].hi;
    }
    return best;
}

/* ---- modules --------------------------------------------------------------------------- */

void ez_modules_clear(struct ez_target *t)
{
    t->ifunc.known = false;
    for (size_t i = 0; i < t->module.n; i++)
        ez_module_free(t->module.at[i]);
    t->module.n = 0;
    ez_gone_clear(t);
}

/* What the headers of a program or library in memory say of its layout. */
struct layout {
    uint64_t lo, span; /* address of its lowest segment's page; bytes to its end */
    struct {
        uint64_t at, offset, end; /* bytes behind lo; pages of the file              */
    } load[16];
    size_t n; /* 0 = unknown: a program for another processor               */
};

static void add_load(struct layout *l, const Elf64_Phdr *p, uint64_t lowest)
{
    const uint64_t page = p->p_offset & ~(EZ_PAGE - 1);
    l->span = EZ_MAX(l->span, EZ_ROUND_UP(p->p_vaddr + p->p_memsz, EZ_PAGE) - lowest);
    l->load[l->n].at = (p->p_vaddr & ~(EZ_PAGE - 1)) - lowest;
    l->load[l->n].offset = page;
    l->load[l->n++].end = EZ_ROUND_UP(p->p_offset + p->p_filesz, EZ_PAGE);
}

/* false = what is mapped there from its start on is no program or library. */
static bool read_layout(struct ez_target *t, const struct ez_map *m, struct layout *l)
{
    Elf64_Ehdr eh;
    Elf64_Phdr ph[64];
    uint64_t lowest = UINT64_MAX;
    *l = (struct layout){ .lo = m->lo };
    if (ez_mem_read_some(t, m->lo, &eh, sizeof eh) != sizeof eh ||
        memcmp(eh.e_ident, ELFMAG, SELFMAG))
        return false;
    size_t n = EZ_MIN((size_t)eh.e_phnum, EZ_ARRAY_LEN(ph));
    if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_phentsize != sizeof *ph)
        return true;
    n = ez_mem_read_some(t, m->lo + eh.e_phoff, ph, n * sizeof *ph) / sizeof *ph;
    for (size_t i = 0; i < n; i++)
        if (ph[i].p_type == PT_LOAD)
            lowest = EZ_MIN(lowest, ph[i].p_vaddr & ~(EZ_PAGE - 1));
    for (size_t i = 0; i < n && l->n < EZ_ARRAY_LEN(l->load); i++)
        if (ph[i].p_type == PT_LOAD)
            add_load(l, &ph[i], lowest);
    return true;
}

/* Is this mapping a piece of it? Offsets alone do not say: small files have pages that belong
 * to two segments and are mapped twice, also the first one. */
static bool fits(const struct layout *l, const struct ez_map *first, const struct ez_map *m)
{
    if (m->inode != first->inode || strcmp(m->name, first->name))
        return false;
    if (!l->n)
        return m == first || m->offset;
    for (size_t i = 0; i < l->n; i++)
        if (m->offset >= l->load[i].offset && m->offset < l->load[i].end &&
            m->lo - l->lo == l->load[i].at + (m->offset - l->load[i].offset))
            return true;
    return false;
}

/* The last mapping of what begins with map number i; i itself when no part is executable. */
static size_t module_end(const struct ez_maps *maps, size_t i, const struct layout *l, bool *exec)
{
    const struct ez_map *first = &maps->map.at[i];
    size_t last = i;
    *exec = false;
    for (size_t k = i; k < maps->map.n; k++) {
        const struct ez_map *m = &maps->map.at[k];
        if (l->n ? m->lo - l->lo >= l->span : *m->name && strcmp(m->name, first->name))
            break;
        if (!fits(l, first, m))
            continue;
        last = k;
        *exec |= m->perm[2] == 'x';
    }
    return *exec ? last : i;
}

static struct ez_module *module_known(struct ez_target *t, const char *name, uint64_t lo)
{
    for (size_t i = 0; i < t->module.n; i++)
        if (t->module.at[i]->lo == lo && !strcmp(t->module.at[i]->mapped, name))
            return t->module.at[i];
    return NULL;
}

static ez_err *module_add(struct ez_target *t, const struct ez_maps *maps, size_t first,
                          size_t last, uint64_t exec_lo)
{
    const struct ez_map *m0 = &maps->map.at[first];
    struct ez_module *m = module_known(t, m0->name, m0->lo);
    if (!m) {
        t->ifunc.known = false;
        m = ez_alloc(sizeof *m);
        m->path = ez_mapped_name(m0);
        m->mapped = ez_strdup(m0->name);
        m->lo = m0->lo;
        m->hi = m0->hi;
        m->fresh = true;
        ez_err *e = m0->name[0] == '/' ? ez_object_mapped(t, m0, &m->obj) : NULL;
        if (ez_foreign_stopped()) {
            ez_module_free(m);
            return e ? e : ez_foreign_interrupted();
        }
        if (e)
            ez_post_note(t, "%s; its functions are not known", e->msg);
        ez_err_free(e);
        if (m->obj)
            m->bias = m->lo - ez_object_vaddr_min(m->obj);
        if (m->obj)
            m = ez_module_again(t, m);
        m->is_program = exec_lo >= m0->lo && exec_lo < maps->map.at[last].hi;
        if (m->is_program && m->obj)
            ez_run_name(t, m);
        if (m->is_program && t->module.n) { /* the program first */
            EZ_PUSH(&t->module, t->module.at[0]);
            t->module.at[0] = m;
        } else {
            EZ_PUSH(&t->module, m);
        }
    }
    m->hi = maps->map.at[last].hi;
    m->seen = true;
    return NULL;
}

uint64_t ez_auxv(pid_t pid, uint64_t type)
{
    char path[64];
    Elf64_auxv_t a;
    uint64_t v = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    while (!v && fread(&a, sizeof a, 1, f) == 1 && a.a_type != AT_NULL)
        if (a.a_type == type)
            v = a.a_un.a_val;
    fclose(f);
    return v;
}

static void forget_unseen(struct ez_target *t)
{
    for (size_t i = 0; i < t->module.n;) {
        struct ez_module *m = t->module.at[i];
        if (m->seen) {
            i++;
            continue;
        }
        struct ez_event ev = { .kind = EZ_EV_LIB_UNLOADED, .text = ez_strdup(m->path) };
        ez_post(t, ev);
        t->ifunc.known = false;
        ez_module_gone(t, m);
        memmove(&t->module.at[i], &t->module.at[i + 1], (--t->module.n - i) * sizeof *t->module.at);
    }
}

ez_err *ez_modules_refresh(struct ez_target *t)
{
    struct ez_maps maps;
    ez_err *e = NULL;
    EZ_TRY(ez_maps_read(t->pid, &maps));
    ez_objects_changed(t);
    /* lies in the program's first pages: tells the program from its loader */
    uint64_t phdr = ez_auxv(ez_live_tid(t), AT_PHDR);
    for (size_t i = 0; i < t->module.n; i++)
        t->module.at[i]->seen = t->module.at[i]->fresh = false;
    for (size_t i = 0; !e && i < maps.map.n; i++) {
        const struct ez_map *m = &maps.map.at[i];
        bool vdso = !strcmp(m->name, "[vdso]"), exec;
        struct layout l;
        if ((m->name[0] != '/' || m->offset || strstr(m->name, "/memfd:")) && !vdso)
            continue;
        if (!read_layout(t, m, &l) && !module_known(t, m->name, m->lo))
            continue;
        size_t last = module_end(&maps, i, &l, &exec);
        if (exec || vdso)
            e = module_add(t, &maps, i, last, phdr);
        i = last;
    }
    if (!e)
        forget_unseen(t);
    ez_maps_free(&maps);
    return e;
}

struct ez_module *ez_module_at(struct ez_target *t, uint64_t addr)
{
    for (size_t i = 0; i < t->module.n; i++)
        if (addr >= t->module.at[i]->lo && addr < t->module.at[i]->hi)
            return t->module.at[i];
    return NULL;
}

struct ez_module *ez_module_program(const struct ez_target *t)
{
    for (size_t i = 0; i < t->module.n; i++)
        if (t->module.at[i]->is_program)
            return t->module.at[i];
    return NULL;
}

static struct ez_module_info info_of(const struct ez_module *m)
{
    return (struct ez_module_info){ m->obj, m->path, m->bias, m->lo, m->hi, m->is_program };
}

ez_err *ez_modules(struct ez_target *t, void (*fn)(const struct ez_module_info *, void *),
                   void *arg)
{
    if (t->state == EZ_NONE) {
        if (t->prog_obj) {
            ez_err_drop(ez_program_reread(t)); /* what cannot be read stays as it was */
            struct ez_module_info m = { t->prog_obj, t->program, 0, 0, 0, true };
            m.hi = ez_object_vaddr_max(t->prog_obj);
            ez_objects_changed(t);
            fn(&m, arg);
        }
        return NULL;
    }
    if (t->state == EZ_STOPPED || !t->module.n)
        EZ_TRY(ez_modules_refresh(t));
    for (size_t i = 0; i < t->module.n; i++) {
        struct ez_module_info m = info_of(t->module.at[i]);
        fn(&m, arg);
    }
    return NULL;
}

typedef const struct ez_sym *find_fn(const struct ez_object *o, uint64_t vaddr);

static const struct ez_sym *symbolize(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                      struct ez_module_info *mod, find_fn *find)
{
    uint64_t bias = 0;
    struct ez_object *obj = t->prog_obj;
    struct ez_module_info info = { obj, t->program, 0, 0, 0, true };
    if (t->state != EZ_NONE) {
        struct ez_module *m = ez_module_at(t, addr.v);
        if (!m && t->state == EZ_STOPPED && !t->rt.watching && /* libraries came unseen */
            ez_err_drop(ez_modules_refresh(t)))
            m = ez_module_at(t, addr.v);
        if (!m)
            return NULL;
        obj = m->obj;
        bias = m->bias;
        info = info_of(m);
    }
    if (mod)
        *mod = info;
    const struct ez_sym *s = obj ? find(obj, addr.v - bias) : NULL;
    if (s && offset)
        *offset = addr.v - bias - s->vaddr;
    return s;
}

const struct ez_sym *ez_symbolize(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                  struct ez_module_info *mod)
{
    return symbolize(t, addr, offset, mod, ez_object_find_addr);
}

const struct ez_sym *ez_symbolize_any(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                      struct ez_module_info *mod)
{
    const struct ez_sym *s = symbolize(t, addr, offset, mod, ez_object_find_addr);
    return s ? s : symbolize(t, addr, offset, mod, ez_object_find_data);
}

ez_err *ez_mappings(struct ez_target *t, void (*fn)(const struct ez_map *, void *), void *arg)
{
    struct ez_maps maps;
    EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_maps_read(t->pid, &maps));
    for (size_t i = 0; i < maps.map.n; i++) {
        struct ez_map m = maps.map.at[i];
        const struct ez_runtime *rt = &t->rt;
        if (rt->up && m.lo >= rt->blob && m.hi <= rt->blob + EZ_RT_SIZE)
            m.name = "[eztsh: runtime]";
        else if (rt->up && m.lo >= rt->ctls && m.hi <= rt->ctls + rt->ctls_size)
            m.name = "[eztsh: control]";
        else if (rt->up && m.lo >= rt->seg && m.hi <= rt->seg + rt->seg_size)
            m.name = "[eztsh: rings]";
        else if (ez_stub_owns(t, m.lo, m.hi))
            m.name = "[eztsh: stubs]";
        for (size_t k = 0; k < t->mine.n; k++)
            if (m.lo >= t->mine.at[k].lo && m.hi <= t->mine.at[k].hi)
                m.name = "[eztsh: mmap]";
        fn(&m, arg);
    }
    ez_maps_free(&maps);
    return NULL;
}
