/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_places.c - the locations of an OTF2 archive (conv_otf2.c) with their memory and their
 * files, and the numbers by which the archive refers to regions, metrics and communicators.
 *
 * A FULL DISK: libotf2 (3.0.2) frees the buffer of a file twice if a write fails. So otf2_flush()
 * reserves disk space before the library may write events, and forbids the write if there is none.
 * If a write still fails, no function of the library is called for the archive again.
 * Tests: tests/unit/format/check_otf2.c */
#include "config.h"

#ifdef HAVE_OTF2
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "engine/format/conv_otf2.h"

bool otf2_ok(struct otf2 *s, OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS && !s->err)
        s->err = ez_err_new(EZ_E_SYS, 0, "Cannot write %s: %s", s->dir.path,
                            OTF2_Error_GetDescription(code));
    return code == OTF2_SUCCESS;
}

/* ---- memory ----------------------------------------------------------------------- */

struct otf2_chunk {
    struct otf2_chunk *next;
    uint64_t size;
    _Alignas(16) char data[];
};

/* The library's callback for memory. Each writer gets one chunk for events. When the chunk is full,
 * the function returns NULL, so that the library flushes the chunk. Definitions get any number of
 * chunks. The library clears each new chunk; reusing the chunk that was freed last saves page
 * faults. */
static void *otf2_allocate(void *arg, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
                           uint64_t size)
{
    struct otf2 *s = arg;
    struct otf2_chunk *c = s->spare;
    if (*buffer && type == OTF2_FILETYPE_EVENTS)
        return NULL;
    if (c && c->size == size)
        s->spare = NULL;
    else
        c = malloc(sizeof *c + size);
    if (!c)
        return NULL;
    c->size = size;
    c->next = *buffer;
    *buffer = c;
    return c->data;
}

static void otf2_free_all(void *arg, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
                          bool final)
{
    struct otf2 *s = arg;
    for (struct otf2_chunk *c = *buffer, *next; c; c = next) {
        next = c->next;
        free(s->spare);
        s->spare = c;
    }
    *buffer = NULL;
}

static char *otf2_event_file(const struct otf2 *s, OTF2_LocationRef location)
{
    return ez_sprintf("%s/traces/%llu.evt", s->dir.tmp, (unsigned long long)location);
}

/* ---- room on the disk --------------------------------------------------------------- */

/* Reserves disk space for one more chunk of this location. Returns 0, or an errno value if there is
 * no space. If the file system does not support fallocate(), assumes that there is space. */
static int otf2_reserve(struct otf2 *s, OTF2_LocationRef location)
{
    struct otf2_place *p = &s->place.at[s->location.at[location]];
    struct rlimit most;
    off_t need = (off_t)(p->chunks + 1) * OTF2_EVENT_CHUNK;
    if (!getrlimit(RLIMIT_FSIZE, &most) && (rlim_t)need > most.rlim_cur)
        return EFBIG;
    EZ_FREE char *path = otf2_event_file(s, location);
    EZ_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, need) &&
        (errno == ENOSPC || errno == EDQUOT || errno == EIO))
        return errno;
    p->chunks++;
    return 0;
}

static OTF2_FlushType otf2_flush(void *arg, OTF2_FileType type, OTF2_LocationRef location,
                                 void *caller, bool final)
{
    struct otf2 *s = arg;
    if (s->err || s->discarded)
        return OTF2_NO_FLUSH; /* the archive will be deleted, so no more events are written */
    int why = type == OTF2_FILETYPE_EVENTS ? otf2_reserve(s, location) : 0;
    if (why)
        s->err = ez_err_new(EZ_E_SYS, why, "Cannot write %s", s->dir.path);
    return why ? OTF2_NO_FLUSH : OTF2_FLUSH;
}

/* Releases the disk space that was reserved but not used. */
static void otf2_give_back(struct otf2 *s, OTF2_LocationRef location)
{
    struct stat st;
    EZ_FREE char *path = otf2_event_file(s, location);
    if (!stat(path, &st))
        (void)!truncate(path, st.st_size);
}

/* ---- places ------------------------------------------------------------------------ */

uint32_t otf2_location(struct otf2 *s, uint32_t container)
{
    while (s->place.n <= container) {
        struct otf2_place none = { .location = EZ_NONE_IDX };
        EZ_PUSH(&s->place, none);
    }
    struct otf2_place *p = &s->place.at[container];
    if (p->location == EZ_NONE_IDX) {
        p->location = (uint32_t)s->location.n;
        EZ_PUSH(&s->location, container);
    }
    return p->location;
}

uint32_t otf2_ref(struct otf2 *s, uint32_t name)
{
    enum ez_name_kind kind = s->m->name.at[name].kind;
    while (s->ref.n <= name)
        EZ_PUSH(&s->ref, EZ_NONE_IDX);
    /* States and events are regions, which share one numbering. */
    if (s->ref.at[name] == EZ_NONE_IDX)
        s->ref.at[name] = s->refs[kind == EZ_N_EVENT ? EZ_N_STATE : kind]++;
    return s->ref.at[name];
}

OTF2_EvtWriter *otf2_open_writer(struct otf2 *s, struct otf2_place *p)
{
    p->writer = OTF2_Archive_GetEvtWriter(s->archive, p->location);
    if (p->writer)
        s->writers++;
    else
        otf2_ok(s, OTF2_ERROR_INVALID);
    return p->writer;
}

void otf2_end_place(struct otf2 *s, struct otf2_place *p)
{
    if (p->writer) {
        otf2_ok(s, OTF2_EvtWriter_GetNumberOfEvents(p->writer, &p->events));
        otf2_ok(s, OTF2_Archive_CloseEvtWriter(s->archive, p->writer));
        otf2_give_back(s, p->location);
        s->writers--;
    }
    p->writer = NULL;
    p->ended = true;
}

bool otf2_set_callbacks(struct otf2 *s)
{
    static const OTF2_FlushCallbacks flush_fns = { otf2_flush, NULL };
    static const OTF2_MemoryCallbacks memory_fns = { otf2_allocate, otf2_free_all };
    return otf2_ok(s, OTF2_Archive_SetFlushCallbacks(s->archive, &flush_fns, s)) &&
           otf2_ok(s, OTF2_Archive_SetMemoryCallbacks(s->archive, &memory_fns, s));
}

#endif
