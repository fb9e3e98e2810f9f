/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2.c - an OTF2 archive: a folder with traces.otf2 in it, for Vampir, ViTE and
 * otf2-print.
 *
 *   thread    location; process: location group; program: root of the system tree
 *   state     Enter and Leave of a region of its name; its library is the region's source
 *             file, and a group of regions
 *   event     a region of role "artificial", entered and left at once: all viewers show
 *             it; the arguments are attributes of its Enter
 *   variable  metric, a double
 *   link      MpiSend and MpiRecv, for each name a communicator over all locations. A
 *             send names its receiver, so a link whose end was not known when it began
 *             cannot be written, nor one from a thread to itself; the archive's property
 *             EZTSH::LINKS_NOT_WRITTEN counts them
 *   times     nanoseconds since the first event, exact
 *
 * What happens to a process or the program as a whole gets a location when it is needed.
 * MEMORY does not grow with the trace: a chunk a location, flushed when full, and up to
 * 4 MB a location in the library's own file buffer, which nobody can make smaller.
 * A FULL DISK: libotf2 (3.0.2) frees that buffer twice when its write fails. So flush()
 * reserves the room before it lets the library write, and refuses otherwise; if a write
 * fails all the same, the archive is never touched again.
 * The library prints its errors unless it is given somebody to tell: that is the archive
 * opened last, so there should be one at a time.
 * Tests: tests/unit/engine/check_formats.c */
#include "config.h"

#include "engine/conv.h"

#ifdef HAVE_OTF2
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "engine/conv_otf2.h"
#include "engine/outfile.h"

enum { EVENT_CHUNK = 256 << 10, DEF_CHUNK = 4 << 20 }; /* 256 kB is the library's least */

/* ---- errors ----------------------------------------------------------------------- */

static OTF2_ErrorCode told_by_library(void *arg, const char *file, uint64_t line,
                                      const char *function, OTF2_ErrorCode code, const char *format,
                                      va_list ap)
{
    struct otf2 *s = arg;
    int why = errno;
    char text[256];
    if (!s || s->err || code == OTF2_WARNING || code == OTF2_DEPRECATED)
        return code;
    vsnprintf(text, sizeof text, format, ap);
    for (char *p = text; (p = strpbrk(p, "\r\n"));)
        *p = ' ';
    s->err = ez_err_new(EZ_E_SYS, 0, "cannot write %s: %s (%s)", s->dir.path,
                        why ? strerror(why) : OTF2_Error_GetDescription(code), text);
    s->broken = true;
    return code;
}

bool otf2_ok(struct otf2 *s, OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS && !s->err)
        s->err = ez_err_new(EZ_E_SYS, 0, "cannot write %s: %s", s->dir.path,
                            OTF2_Error_GetDescription(code));
    return code == OTF2_SUCCESS;
}

static ez_err *take_error(struct otf2 *s)
{
    ez_err *e = s->err;
    if (e) /* still an error for those who come later */
        s->err = ez_err_new(EZ_E_SYS, 0, "cannot write %s", s->dir.path);
    return e;
}

/* ---- memory ----------------------------------------------------------------------- */

/* One chunk of events a writer: no more when that is full, so that it is flushed.
 * Definitions have no such limit. */
static void *allocate(void *arg, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
                      uint64_t size)
{
    struct chunk {
        struct chunk *next;
        _Alignas(16) char data[];
    } *c = *buffer;
    if (c && type == OTF2_FILETYPE_EVENTS)
        return NULL;
    c = malloc(sizeof *c + size);
    if (!c)
        return NULL;
    c->next = *buffer;
    *buffer = c;
    return c->data;
}

static void free_all(void *arg, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
                     bool final)
{
    for (void *p = *buffer, *next; p; p = next) {
        next = *(void **)p;
        free(p);
    }
    *buffer = NULL;
}

static char *event_file(const struct otf2 *s, OTF2_LocationRef location)
{
    return ez_sprintf("%s/traces/%llu.evt", s->dir.tmp, (unsigned long long)location);
}

/* ---- room on the disk --------------------------------------------------------------- */

/* Room for one more chunk of this location, or why not. Where a file system cannot say,
 * there is. */
static int reserve(struct otf2 *s, OTF2_LocationRef location)
{
    struct otf2_place *p = &s->place.at[s->location.at[location]];
    struct rlimit most;
    off_t need = (off_t)(p->chunks + 1) * EVENT_CHUNK;
    if (!getrlimit(RLIMIT_FSIZE, &most) && (rlim_t)need > most.rlim_cur)
        return EFBIG;
    EZ_FREE char *path = event_file(s, location);
    EZ_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, need) &&
        (errno == ENOSPC || errno == EDQUOT || errno == EIO))
        return errno;
    p->chunks++;
    return 0;
}

static OTF2_FlushType flush(void *arg, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    struct otf2 *s = arg;
    if (s->err)
        return OTF2_NO_FLUSH; /* it will be deleted anyway */
    int why = type == OTF2_FILETYPE_EVENTS ? reserve(s, location) : 0;
    if (why)
        s->err = ez_err_new(EZ_E_SYS, why, "cannot write %s", s->dir.path);
    return why ? OTF2_NO_FLUSH : OTF2_FLUSH;
}

/* What was reserved and not needed is given back. */
static void give_back(struct otf2 *s, OTF2_LocationRef location)
{
    struct stat st;
    EZ_FREE char *path = event_file(s, location);
    if (!stat(path, &st))
        (void)!truncate(path, st.st_size);
}

/* ---- places ------------------------------------------------------------------------ */

static uint32_t location(struct otf2 *s, uint32_t container)
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

static OTF2_EvtWriter *writer(struct otf2 *s, uint32_t container)
{
    uint32_t where = location(s, container);
    struct otf2_place *p = &s->place.at[container];
    if (!p->writer && !p->ended)
        p->writer = OTF2_Archive_GetEvtWriter(s->archive, where);
    if (!p->writer)
        otf2_ok(s, OTF2_ERROR_INVALID);
    return p->writer;
}

static void end_place(struct otf2 *s, struct otf2_place *p)
{
    if (p->writer) {
        otf2_ok(s, OTF2_EvtWriter_GetNumberOfEvents(p->writer, &p->events));
        otf2_ok(s, OTF2_Archive_CloseEvtWriter(s->archive, p->writer));
        give_back(s, p->location);
    }
    p->writer = NULL;
    p->ended = true;
}

/* ---- what happens ------------------------------------------------------------------- */

static uint32_t ref(struct otf2 *s, uint32_t name)
{
    while (s->ref.n <= name) { /* states and events are regions: one numbering */
        enum ez_name_kind kind = s->m->name.at[s->ref.n].kind;
        EZ_PUSH(&s->ref, s->refs[kind == EZ_N_EVENT ? EZ_N_STATE : kind]++);
    }
    return s->ref.at[name];
}

static void put_event(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    unsigned n = EZ_MIN(it->narg, (unsigned)OTF2_MOST_ARGS);
    uint32_t region = ref(s, it->name);
    s->most_args = EZ_MAX(s->most_args, n);
    for (unsigned i = 0; i < n; i++)
        otf2_ok(s, OTF2_AttributeList_AddUint64(s->attributes, i, it->arg[i]));
    otf2_ok(s, OTF2_EvtWriter_Enter(w, n ? s->attributes : NULL, it->ns, region));
    otf2_ok(s, OTF2_EvtWriter_Leave(w, NULL, it->ns, region));
}

static void put_variable(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    OTF2_Type type = OTF2_TYPE_DOUBLE;
    OTF2_MetricValue v = { .floating_point = it->value };
    otf2_ok(s, OTF2_EvtWriter_Metric(w, NULL, it->ns, ref(s, it->name), 1, &type, &v));
}

/* A receive is written unless its send was not: `unsent` remembers those until their end comes. */
static void put_link(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    bool start = it->kind == EZ_I_LINK_START;
    uint64_t id = it->key ^ it->name * 0x9e3779b97f4a7c15u;
    bool tell = it->peer < s->m->container.n && it->peer != it->container;
    size_t was;
    if (start && !tell) {
        ez_map_put(&s->unsent, id, 0);
        s->untold_links++;
    }
    if (!start && ez_map_take(&s->unsent, id, &was))
        tell = false;
    if (!tell)
        return;
    uint32_t tag = (uint32_t)(it->key ^ it->key >> 32), other = location(s, it->peer);
    if (start)
        otf2_ok(s, OTF2_EvtWriter_MpiSend(w, NULL, it->ns, other, ref(s, it->name), tag, 0));
    else
        otf2_ok(s, OTF2_EvtWriter_MpiRecv(w, NULL, it->ns, other, ref(s, it->name), tag, 0));
}

static ez_err *otf2_item(void *arg, const struct ez_item *it)
{
    struct otf2 *s = arg;
    bool happens = it->kind > EZ_I_NAME && it->kind < EZ_I_CONTAINER_END;
    bool thread =
        it->kind == EZ_I_CONTAINER && s->m->container.at[it->container].level == EZ_L_THREAD;
    OTF2_EvtWriter *w = happens || thread ? writer(s, it->container) : NULL;
    if (s->err)
        return take_error(s);
    switch (it->kind) {
    case EZ_I_PUSH:
        otf2_ok(s, OTF2_EvtWriter_Enter(w, NULL, it->ns, ref(s, it->name)));
        break;
    case EZ_I_POP:
        otf2_ok(s, OTF2_EvtWriter_Leave(w, NULL, it->ns, ref(s, it->name)));
        break;
    case EZ_I_EVENT:
        put_event(s, w, it);
        break;
    case EZ_I_VAR:
        put_variable(s, w, it);
        break;
    case EZ_I_LINK_START:
    case EZ_I_LINK_END:
        put_link(s, w, it);
        break;
    case EZ_I_CONTAINER_END:
        if (it->container < s->place.n)
            end_place(s, &s->place.at[it->container]);
        break;
    case EZ_I_CONTAINER:
    case EZ_I_NAME:
        break;
    }
    return s->err ? take_error(s) : NULL;
}

/* ---- begin and end ------------------------------------------------------------------ */

/* What the library writes, and nothing else: NAME.otf2, NAME.def, NAME/N.evt, NAME/N.def. */
static bool is_archive(const char *name, bool folder)
{
    const char *dot = strrchr(name, '.');
    if (folder)
        return !strcmp(name, "traces");
    if (!strncmp(name, "traces/", 7))
        return dot && (!strcmp(dot, ".evt") || !strcmp(dot, ".def") || !strcmp(dot, ".snap"));
    return !strcmp(name, "traces.otf2") || !strcmp(name, "traces.def") ||
           !strcmp(name, "traces.marker");
}

static void otf2_destroy(struct ez_sink *sink);

static ez_err *otf2_open(const struct ez_format *f, const struct ez_model *m, const char *out,
                         bool gzip, struct ez_sink **sink)
{
    static const OTF2_FlushCallbacks flush_fns = { flush, NULL };
    static const OTF2_MemoryCallbacks memory_fns = { allocate, free_all };
    struct otf2 *s = ez_alloc(sizeof *s);
    s->sink.format = f;
    s->m = m;
    ez_err *e = ez_outdir_open(&s->dir, out, "an OTF2 archive", is_archive);
    if (e) {
        free(s);
        return e;
    }
    OTF2_Error_RegisterCallback(told_by_library, s);
    errno = 0;
    s->attributes = OTF2_AttributeList_New();
    s->archive = OTF2_Archive_Open(s->dir.tmp, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK,
                                   DEF_CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (s->archive && s->attributes &&
        otf2_ok(s, OTF2_Archive_SetFlushCallbacks(s->archive, &flush_fns, s)) &&
        otf2_ok(s, OTF2_Archive_SetMemoryCallbacks(s->archive, &memory_fns, s)) &&
        otf2_ok(s, OTF2_Archive_SetSerialCollectiveCallbacks(s->archive)) &&
        otf2_ok(s, OTF2_Archive_SetCreator(s->archive, "eztsh")) &&
        otf2_ok(s, OTF2_Archive_OpenEvtFiles(s->archive))) {
        *sink = &s->sink;
        return NULL;
    }
    otf2_ok(s, OTF2_ERROR_INVALID);
    e = take_error(s);
    otf2_destroy(&s->sink);
    return e;
}

/* Readers look for a file of definitions for each location, however empty. */
static void local_definitions(struct otf2 *s)
{
    otf2_ok(s, OTF2_Archive_OpenDefFiles(s->archive));
    for (size_t i = 0; i < s->location.n; i++) {
        OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(s->archive, i);
        otf2_ok(s, w ? OTF2_Archive_CloseDefWriter(s->archive, w) : OTF2_ERROR_INVALID);
    }
    otf2_ok(s, OTF2_Archive_CloseDefFiles(s->archive));
}

static void finish(struct otf2 *s)
{
    for (size_t i = 0; i < s->location.n; i++) { /* a file also for who had no event */
        struct otf2_place *p = &s->place.at[s->location.at[i]];
        if (!p->ended)
            writer(s, s->location.at[i]);
        end_place(s, p);
    }
    otf2_ok(s, OTF2_Archive_CloseEvtFiles(s->archive));
    local_definitions(s);
    otf2_write_definitions(s);
    if (s->untold_links) {
        char n[24];
        snprintf(n, sizeof n, "%llu", (unsigned long long)s->untold_links);
        otf2_ok(s, OTF2_Archive_SetProperty(s->archive, "EZTSH::LINKS_NOT_WRITTEN", n, true));
    }
}

static ez_err *otf2_close(struct ez_sink *sink)
{
    struct otf2 *s = (struct otf2 *)sink;
    errno = 0;
    if (!s->err)
        finish(s);
    if (s->err)
        return take_error(s); /* destroy knows what to do */
    otf2_ok(s, OTF2_Archive_Close(s->archive));
    s->archive = NULL;
    if (s->err)
        return take_error(s);
    return ez_outdir_commit(&s->dir);
}

static void otf2_destroy(struct ez_sink *sink)
{
    struct otf2 *s = (struct otf2 *)sink;
    if (!s)
        return;
    if (s->archive && !s->err) /* given up: nothing more is flushed */
        s->err = ez_err_new(EZ_E_STATE, 0, "given up");
    if (s->archive && !s->broken)
        otf2_ok(s, OTF2_Archive_Close(s->archive));
    if (s->attributes)
        OTF2_AttributeList_Delete(s->attributes);
    OTF2_Error_RegisterCallback(told_by_library, NULL);
    ez_outdir_close(&s->dir);
    EZ_VEC_FREE(&s->place);
    EZ_VEC_FREE(&s->location);
    EZ_VEC_FREE(&s->ref);
    ez_map_free(&s->unsent);
    ez_err_free(s->err);
    free(s);
}

#else /* the format is known, but cannot be written */

static ez_err *otf2_open(const struct ez_format *f, const struct ez_model *m, const char *out,
                         bool gzip, struct ez_sink **sink)
{
    return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "eztsh was built without OTF2"),
                       "Install libotf2-trace-dev (Debian) or otf2-devel (Fedora), then configure "
                       "and make again.");
}

static ez_err *otf2_item(void *arg, const struct ez_item *it)
{
    return NULL;
}

static ez_err *otf2_close(struct ez_sink *sink)
{
    return NULL;
}

static void otf2_destroy(struct ez_sink *sink)
{
}

#endif

const struct ez_format ez_conv_otf2 = {
    .name = "otf2",
    .suffix = ".otf2",
    .brief = "an OTF2 archive, for Vampir and ViTE",
    .open = otf2_open,
    .item = otf2_item,
    .close = otf2_close,
    .destroy = otf2_destroy,
};
