/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.c - the list of probes that `detach -keep` leaves: see keep_priv.h.
 *
 * Layout: head, probes, rules, strings (each ends with a NUL; offset 0 means "no string"). The
 * target has the only descriptor and may replace it by any file, so the reader first copies the
 * whole file and then checks every number in the copy.
 * Invariant: a list that kept_read accepted needs no further check of bounds.
 * Errors: EZ_E_FORMAT (reading), EZ_E_SYS (writing).
 * Tests: tests/procs/keep.sh, tests/unit/process/check_kept.c */
#include "engine/process/keep_priv.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define KEPT_MAGIC 0x7470656b7a65ull /* "ezkept" */
#define KEPT_VERSION 3
#define KEPT_MAX (1ull << 30) /* bytes; a million probes with long names need 512 MiB */
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

typedef EZ_VEC(char) text_pool;

static uint32_t kept_put(text_pool *p, const char *s)
{
    uint32_t at = (uint32_t)p->n;
    if (!s)
        return 0;
    for (;; s++) {
        EZ_PUSH(p, *s);
        if (!*s)
            return at;
    }
}

static struct kept_probe kept_entry(const struct ez_target *t, const struct ez_probe *p,
                                    text_pool *text)
{
    return (struct kept_probe){ .number = p->number,
                                .kind = (uint8_t)p->spec.kind,
                                .state = (uint8_t)p->state,
                                .record = p->spec.record,
                                .user_disabled = p->user_disabled,
                                .line = p->line,
                                .location = kept_put(text, p->spec.location),
                                .reason = kept_put(text, p->reason),
                                .with = kept_put(text, p->spec.with),
                                .orig = kept_put(text, p->spec.orig),
                                .object_path = kept_put(text, p->object_path),
                                .function = kept_put(text, p->function),
                                .library = kept_put(text, p->library),
                                .file = kept_put(text, p->file),
                                .ifunc = p->ifunc,
                                .family = p->family,
                                .copy = p->copy,
                                .vaddr = p->vaddr,
                                .func = p->site >= 0 ? t->patcher.site.at[p->site].func : 0,
                                .entries = p->entries,
                                .exits = p->exits,
                                .base_entry = p->base.entries,
                                .base_exit = p->base.exits };
}

static bool kept_append(int fd, const void *buf, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t put_now = write(fd, (const char *)buf + done, n - done);
        if (put_now < 0)
            return false;
        done += (size_t)put_now;
    }
    return true;
}

ez_err *kept_write(struct ez_target *t, uint64_t seg_ino, const struct ez_instant *since, int *out)
{
    EZ_VEC(struct kept_probe) probe = { 0 };
    EZ_VEC(struct kept_rule) rule = { 0 };
    text_pool text = { 0 };
    kept_put(&text, "");
    for (size_t i = 0; i < t->probes.probe.n; i++)
        EZ_PUSH(&probe, kept_entry(t, t->probes.probe.at[i], &text));
    for (size_t i = 0; i < t->probes.rule.n; i++) {
        const struct ez_rule *r = &t->probes.rule.at[i];
        struct kept_rule k = { (uint8_t)r->spec.kind,
                               r->spec.record,
                               r->matched,
                               r->spec.no_startup,
                               kept_put(&text, r->spec.location),
                               r->serial };
        EZ_PUSH(&rule, k);
    }
    struct kept_head h = { .magic = KEPT_MAGIC,
                           .version = KEPT_VERSION,
                           .seg_ino = seg_ino,
                           .nprobes = (uint32_t)probe.n,
                           .nrules = (uint32_t)rule.n,
                           .next_number = (uint32_t)t->probes.next_number,
                           .text_size = text.n,
                           .since = *since };
    h.size = sizeof h + probe.n * sizeof *probe.at + rule.n * sizeof *rule.at + text.n;
    int fd = memfd_create(EZ_KEPT_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool good = fd >= 0 && kept_append(fd, &h, sizeof h) &&
                kept_append(fd, probe.at, probe.n * sizeof *probe.at) &&
                kept_append(fd, rule.at, rule.n * sizeof *rule.at) &&
                kept_append(fd, text.at, text.n) && !fcntl(fd, F_ADD_SEALS, SEALS);
    int errnum = errno;
    EZ_VEC_FREE(&probe);
    EZ_VEC_FREE(&rule);
    EZ_VEC_FREE(&text);
    if (good) {
        *out = fd;
        return NULL;
    }
    if (fd >= 0)
        close(fd);
    return ez_err_new(EZ_E_SYS, errnum, "Cannot write the list of probes to keep");
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool kept_text_ok(const struct kept *k, uint32_t at)
{
    return at < k->head.text_size;
}

static bool kept_kind_ok(unsigned kind)
{
    return kind <= (EZ_PROBE_BOTH | EZ_PROBE_TRAP) && kind & EZ_PROBE_BOTH;
}

static bool kept_probe_kind_ok(const struct kept_probe *p)
{
    return p->with ? p->kind == EZ_PROBE_REPLACE : kept_kind_ok(p->kind) && !p->orig;
}

static bool kept_probe_ok(const struct kept *k, const struct kept_probe *p)
{
    return p->number > 0 && p->number < INT32_MAX && kept_probe_kind_ok(p) &&
           p->state <= EZ_PROBE_LOST && p->record <= 1 && p->user_disabled <= 1 && p->copy <= 1 &&
           p->family && p->family > INT32_MIN && p->location && kept_text_ok(k, p->location) &&
           kept_text_ok(k, p->reason) && kept_text_ok(k, p->with) && kept_text_ok(k, p->orig) &&
           kept_text_ok(k, p->object_path) && kept_text_ok(k, p->function) &&
           kept_text_ok(k, p->library) && kept_text_ok(k, p->file) &&
           !p->object_path == !p->function && !p->object_path == !p->library;
}

/* Returns true if all numbers and offsets of the copy k->all, which has `size` bytes, are valid. */
static bool kept_check(struct kept *k, uint64_t size)
{
    struct kept_head *h = &k->head;
    memcpy(h, k->all, sizeof *h);
    if (h->magic != KEPT_MAGIC || h->version != KEPT_VERSION || h->size != size ||
        h->text_size > size || !h->text_size || h->nprobes > size / sizeof(struct kept_probe) ||
        h->nrules > size / sizeof(struct kept_rule) || !h->next_number ||
        h->next_number > INT32_MAX ||
        sizeof *h + h->nprobes * sizeof(struct kept_probe) + h->nrules * sizeof(struct kept_rule) +
                h->text_size !=
            size)
        return false;
    k->probe = (const void *)(k->all + sizeof *h);
    k->rule = (const void *)(k->probe + h->nprobes);
    k->text = (const void *)(k->rule + h->nrules);
    if (k->text[0] || k->text[h->text_size - 1])
        return false;
    for (uint32_t i = 0; i < h->nprobes; i++)
        if (!kept_probe_ok(k, &k->probe[i]) ||
            (i && k->probe[i].number <= k->probe[i - 1].number) ||
            (uint32_t)k->probe[i].number >= h->next_number)
            return false;
    for (uint32_t i = 0; i < h->nrules; i++)
        if (!kept_kind_ok(k->rule[i].kind) || k->rule[i].record > 1 || k->rule[i].matched > 1 ||
            k->rule[i].no_startup > 1 || !k->rule[i].spec || !kept_text_ok(k, k->rule[i].spec) ||
            !k->rule[i].serial || k->rule[i].serial > INT32_MAX)
            return false;
    return true;
}

ez_err *kept_read(int fd, struct kept *k)
{
    struct stat st;
    *k = (struct kept){ 0 };
    uint64_t size = fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
    if (size >= sizeof k->head && size <= KEPT_MAX) {
        k->all = ez_alloc(size);
        if (pread(fd, k->all, size, 0) == (ssize_t)size && kept_check(k, size))
            return NULL;
    }
    kept_free(k);
    return ez_err_new(EZ_E_FORMAT, 0, "The list of the probes is damaged");
}

void kept_free(struct kept *k)
{
    free(k->all);
    *k = (struct kept){ 0 };
}

char *kept_string(const struct kept *k, uint32_t at)
{
    return at ? ez_strdup(k->text + at) : NULL;
}

/* ---- finding ------------------------------------------------------------------------------ */

int kept_find_fd(struct ez_target *t, const char *name, uint64_t ino, int *there)
{
    EZ_FREE char *want = ez_sprintf("/memfd:%s (deleted)", name);
    EZ_FREE char *folder = ez_sprintf("/proc/%d/fd", ez_live_tid(t));
    struct dirent *e;
    int found = -1;
    DIR *dir = opendir(folder);
    while (dir && found < 0 && (e = readdir(dir))) {
        char link[64];
        struct stat st;
        ssize_t n = readlinkat(dirfd(dir), e->d_name, link, sizeof link - 1);
        link[n > 0 ? n : 0] = 0;
        if (strcmp(link, want) || fstatat(dirfd(dir), e->d_name, &st, 0) ||
            (ino && st.st_ino != ino))
            continue;
        *there = atoi(e->d_name);
        found = ez_fetch_fd(t, *there);
    }
    if (dir)
        closedir(dir);
    return found;
}
