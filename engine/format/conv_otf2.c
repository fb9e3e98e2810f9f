/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2.c - an OTF2 archive, for Vampir, ViTE and otf2-print: a folder that contains
 * traces.otf2.
 *
 *   thread    location; process: location group, in the order of ranks
 *   host      node of the system tree, a child of the root node, which is the machine. The
 *             archive's description is the program
 *   state     Enter and Leave of a region with the state's name. conv_otf2_roles.c chooses the
 *             region's paradigm and role. The region's source file and lines are those of the
 *             function; if the trace has none, the file is the library or module. The regions of a
 *             library are a group. A Leave has attributes with the value 1: "unwound" (an exception
 *             or a longjmp left the call), "unknown end" (the exit is missing), "cut" (only a part
 *             of the call was measured)
 *   event     a region with the role "artificial", entered and left at once, which all viewers
 *             show; the arguments are attributes of its Enter, with the names of the words
 *   values    that a probe collected: attributes with the items' names (conv_otf2_values.c)
 *   lock, team of OpenMP, collective call of MPI
 *             a region, and also OTF2's record for it. A link "creation" of pthread is only OTF2's
 *             record (conv_otf2_sync.c)
 *   variable  metric, a double
 *   link      MpiSend and MpiRecv in a communicator (conv_otf2_comm.c). Links of MPI's module are
 *             in MPI_COMM_WORLD and have ranks; all other links with one name have a communicator
 *             over all locations. An MPI message has its bytes and its tag. The number of a
 *             communicator other than MPI_COMM_WORLD is an attribute, because the trace does not
 *             have the ranks in that communicator. A send names its receiver, so two kinds of
 *             links cannot be written: links whose receiver was not known at their start, and
 *             links from a thread to itself. The archive's property EZTSH::LINKS_NOT_WRITTEN is
 *             the number of these links
 *   request   MpiIsend and MpiIsendComplete, or MpiIrecvRequest and MpiIrecv; MpiRequestCancelled
 *   file      IoHandle, and records of what happens to it (conv_otf2_io.c)
 *   times     nanoseconds since the first event, exact
 *
 * A process, or the program, gets a location if it has events of its own.
 *
 * MEMORY does not grow with the trace. The library uses a descriptor and up to 4 MB for each
 * location (its file buffer, which cannot be made smaller). So the first MOST_WRITERS locations are
 * written at once. Events of locations that come while all writers are in use go to a spool, and
 * are written at the end, one location after the other.
 *
 * The library aborts if an archive is closed before all its callbacks are set. If opening fails
 * that early, the archive is not closed, which leaks a few kilobytes. The library prints its errors
 * unless an error callback is set. This callback gets the errors of all archives but belongs to the
 * archive that was opened last, so only one archive should be open at a time.
 *
 * Tests: tests/unit/format/check_formats.c */
#include "config.h"

#include "engine/format/conv.h"

#ifdef HAVE_OTF2
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/strutil.h"
#include "engine/format/conv_otf2.h"

enum { DEF_CHUNK = 4 << 20, MOST_WRITERS = 8 };

/* Replaces the C library's gethostid(), whose result libotf2 makes part of a trace's id. The
 * original queries name servers for this host's address, which takes up to 30 s if no server
 * answers, and cannot be cancelled by Ctrl-C. The dynamic linker prefers a program's function to
 * the C library's. */
__attribute__((visibility("default"))) long gethostid(void)
{
    char name[256] = "";
    if (gethostname(name, sizeof name - 1))
        return 0;
    return (int32_t)ez_hash_key(EZ_HASH_SEED, name);
}

/* ---- errors ----------------------------------------------------------------------- */

static OTF2_ErrorCode otf2_library_error(void *arg, const char *file, uint64_t line,
                                         const char *function, OTF2_ErrorCode code,
                                         const char *format, va_list ap)
{
    struct otf2 *s = arg;
    int why = errno;
    char text[256];
    if (!s || s->err || code == OTF2_WARNING || code == OTF2_DEPRECATED)
        return code;
    vsnprintf(text, sizeof text, format, ap);
    for (char *p = text; (p = strpbrk(p, "\r\n"));)
        *p = ' ';
    s->err = ez_err_new(EZ_E_SYS, 0, "Cannot write %s: %s (%s)", s->dir.path,
                        why ? strerror(why) : OTF2_Error_GetDescription(code), text);
    s->broken = true;
    return code;
}

static ez_err *otf2_pop_error(struct otf2 *s)
{
    ez_err *e = s->err;
    if (e) /* s->err stays set, so that later calls also fail */
        s->err = ez_err_new(EZ_E_SYS, 0, "Cannot write %s", s->dir.path);
    return e;
}

/* ---- places ------------------------------------------------------------------------ */

/* Returns the event writer of a container. Returns NULL on error, or if the container's events go
 * to the spool because all writers are in use. */
static OTF2_EvtWriter *otf2_writer(struct otf2 *s, uint32_t container)
{
    otf2_location(s, container);
    struct otf2_place *p = &s->place.at[container];
    if (p->writer || p->kept)
        return p->writer;
    if (s->writers < MOST_WRITERS && !p->ended)
        return otf2_open_writer(s, p);
    p->kept = true;
    return NULL;
}

/* ---- what happens ------------------------------------------------------------------- */

static void otf2_put_event(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    uint32_t region = otf2_ref(s, it->name);
    bool any = otf2_put_values(s);
    otf2_ok(s, OTF2_EvtWriter_Enter(w, any ? s->attributes : NULL, it->ns, region));
    otf2_ok(s, OTF2_EvtWriter_Leave(w, NULL, it->ns, region));
}

/* Returns how a state ended, as a set of attributes: bit i means the attribute OTF2_UNWOUND + i. */
static uint64_t otf2_marks_of(const struct ez_item *it)
{
    return (it->end == EZ_END_UNWOUND) | (it->end == EZ_END_UNKNOWN) << 1 | it->cut << 2;
}

static void otf2_put_leave(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    uint64_t marks = otf2_marks_of(it);
    for (uint32_t i = 0; i < OTF2_MARKS; i++)
        if (marks >> i & 1)
            otf2_ok(s, OTF2_AttributeList_AddUint8(s->attributes, OTF2_UNWOUND + i, 1));
    bool any = otf2_put_values(s) || marks;
    otf2_ok(s, OTF2_EvtWriter_Leave(w, any ? s->attributes : NULL, it->ns, otf2_ref(s, it->name)));
}

static void otf2_put_variable(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    OTF2_Type type = OTF2_TYPE_DOUBLE;
    OTF2_MetricValue v = { .floating_point = it->value };
    otf2_ok(s, OTF2_EvtWriter_Metric(w, NULL, it->ns, otf2_ref(s, it->name), 1, &type, &v));
}

static void otf2_put_link(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    uint32_t tag = (uint32_t)(it->key ^ it->key >> 32), other;
    uint32_t comm = otf2_link_comm(s, it->name, it->peer, &other);
    uint64_t bytes = it->narg ? it->arg[0] : 0;
    bool start = it->kind == EZ_I_LINK_START;
    OTF2_AttributeList *more = NULL;
    if (it->narg > 1)
        tag = (uint32_t)it->arg[1];
    if (it->narg > 2 && it->arg[2] != OTF2_WORLD && otf2_is_mpi(s, it->name)) {
        uint32_t number = otf2_attribute(s, "communicator", OTF2_TYPE_UINT64);
        more = s->attributes;
        otf2_ok(s, OTF2_AttributeList_AddUint64(more, OTF2_ATTRIBUTE0 + number, it->arg[2]));
    }
    if (start && s->has_request)
        otf2_ok(s, OTF2_EvtWriter_MpiIsend(w, more, it->ns, other, comm, tag, bytes, it->request));
    else if (s->has_request)
        otf2_ok(s, OTF2_EvtWriter_MpiIrecv(w, more, it->ns, other, comm, tag, bytes, it->request));
    else if (start)
        otf2_ok(s, OTF2_EvtWriter_MpiSend(w, more, it->ns, other, comm, tag, bytes));
    else
        otf2_ok(s, OTF2_EvtWriter_MpiRecv(w, more, it->ns, other, comm, tag, bytes));
}

static void otf2_put_request(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    if (it->did == EZ_REQUEST_POSTED)
        otf2_ok(s, OTF2_EvtWriter_MpiIrecvRequest(w, NULL, it->ns, it->request));
    else if (it->did == EZ_REQUEST_SENT)
        otf2_ok(s, OTF2_EvtWriter_MpiIsendComplete(w, NULL, it->ns, it->request));
    else
        otf2_ok(s, OTF2_EvtWriter_MpiRequestCancelled(w, NULL, it->ns, it->request));
}

static void otf2_put(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    switch (it->kind) {
    case EZ_I_PUSH:
        otf2_put_team(s, w, it);
        otf2_ok(s, OTF2_EvtWriter_Enter(w, otf2_put_values(s) ? s->attributes : NULL, it->ns,
                                        otf2_ref(s, it->name)));
        otf2_put_begin(s, w, it);
        otf2_io_put(s, w, it, true);
        break;
    case EZ_I_POP:
        otf2_io_put(s, w, it, false);
        otf2_put_end(s, w, it);
        otf2_put_leave(s, w, it);
        otf2_put_team(s, w, it);
        break;
    case EZ_I_EVENT:
        otf2_put_event(s, w, it);
        otf2_io_put(s, w, it, true);
        otf2_put_thread(s, w, it);
        break;
    case EZ_I_VAR:
        otf2_put_variable(s, w, it);
        otf2_io_put(s, w, it, true);
        break;
    case EZ_I_LINK_START:
    case EZ_I_LINK_END:
        if (s->record.kind != OTF2_R_NONE)
            otf2_put_thread(s, w, it);
        else
            otf2_put_link(s, w, it);
        break;
    case EZ_I_REQUEST:
        if (s->record.kind == OTF2_R_DONE)
            otf2_put_collective(s, w, it);
        else
            otf2_put_request(s, w, it);
        break;
    case EZ_I_CONTAINER:
    case EZ_I_NAME:
    case EZ_I_CONTAINER_END:
    case EZ_I_SAMPLE:
        break;
    }
}

/* Updates s->requests, which has the requests whose first record was written. Returns whether the
 * record of the item may refer to its request: it is the first one, or the first one was written. */
static bool otf2_request_is_known(struct otf2 *s, const struct ez_item *it)
{
    bool link = it->kind != EZ_I_REQUEST;
    bool begins = link ? it->kind == EZ_I_LINK_START : it->did == EZ_REQUEST_POSTED;
    uint64_t id = ez_hash_pair(it->request, otf2_process_of(s, it->container));
    size_t was;
    bool known = ez_hash_remove(&s->requests, id, &was);
    if (begins)
        ez_hash_put(&s->requests, id, 0);
    return begins || known;
}

/* Returns whether this end of a link can be written. The end of a link is only written if its start
 * was written: s->unsent has the open links whose start was not. */
static bool otf2_link_is_emitted(struct otf2 *s, const struct ez_item *it)
{
    uint64_t id = it->key ^ it->name * 0x9e3779b97f4a7c15u;
    bool known = it->peer < s->m->container.n && it->peer != it->container;
    size_t was;
    if (it->kind == EZ_I_LINK_END)
        return !ez_hash_remove(&s->unsent, id, &was) && known;
    if (!known) {
        ez_hash_put(&s->unsent, id, 0);
        s->one_sided_links++;
    }
    return known;
}

/* ---- kept for later ------------------------------------------------------------------ */

enum { RECORD_WORDS = sizeof(struct otf2_record) / sizeof(uint64_t) };

struct kept { /* an item as it is stored in the spool */
    uint64_t ns;
    uint32_t name;
    uint16_t kind, n, values, record;
    /* n arguments, two words for each of the values, and `record` words with the record */
    uint64_t extra[OTF2_MOST_ARGS + 2 * OTF2_MOST_VALUES + RECORD_WORDS];
};

static size_t otf2_kept_size(const struct kept *k)
{
    return offsetof(struct kept, extra) + (k->n + 2u * k->values + k->record) * sizeof *k->extra;
}

static void otf2_keep(struct otf2 *s, const struct ez_item *it)
{
    struct kept k;
    memset(&k, 0, offsetof(struct kept, extra));
    k.ns = it->ns;
    k.name = it->name;
    k.kind = (uint16_t)it->kind;
    if (it->kind == EZ_I_VAR)
        memcpy(&k.extra[k.n++], &it->value, sizeof it->value);
    if (it->kind == EZ_I_POP)
        k.extra[k.n++] = (uint64_t)it->end << 1 | it->cut;
    if (it->kind == EZ_I_LINK_START || it->kind == EZ_I_LINK_END) {
        k.extra[k.n++] = it->key;
        k.extra[k.n++] = it->peer;
        k.extra[k.n++] = s->has_request ? it->request : 0;
        for (unsigned i = 0; i < it->narg && i < 3; i++)
            k.extra[k.n++] = it->arg[i];
    }
    if (it->kind == EZ_I_REQUEST) {
        k.extra[k.n++] = it->request;
        k.extra[k.n++] = it->did;
    }
    for (; k.values < s->value.n; k.values++) {
        k.extra[k.n + 2u * k.values] = s->value.at[k.values].attribute;
        k.extra[k.n + 2u * k.values + 1] = s->value.at[k.values].bits;
    }
    if (s->record.kind) {
        k.record = RECORD_WORDS;
        memcpy(k.extra + k.n + 2u * k.values, &s->record, sizeof s->record);
    }
    if (!s->spool)
        s->err = ez_spool_open(s->dir.tmp, s->dir.path, &s->spool);
    if (!s->err)
        s->err = ez_spool_put(s->spool, it->container, &k, otf2_kept_size(&k));
}

struct replay {
    struct otf2 *s;
    OTF2_EvtWriter *writer;
};

static ez_err *otf2_put_kept(void *arg, const char *records, size_t n)
{
    struct replay *r = arg;
    for (const char *p = records; p < records + n;) {
        struct kept k;
        memcpy(&k, p, offsetof(struct kept, extra));
        memcpy(&k, p, otf2_kept_size(&k));
        p += otf2_kept_size(&k);
        r->s->value.n = 0;
        for (const uint64_t *v = k.extra + k.n; r->s->value.n < k.values; v += 2)
            EZ_PUSH(&r->s->value, ((struct otf2_value){ (uint32_t)v[0], v[1] }));
        r->s->record.kind = OTF2_R_NONE;
        if (k.record)
            memcpy(&r->s->record, k.extra + k.n + 2u * k.values, sizeof r->s->record);
        struct ez_item it = { .kind = k.kind, .name = k.name, .ns = k.ns };
        if (k.kind == EZ_I_VAR) {
            memcpy(&it.value, k.extra, sizeof it.value);
        } else if (k.kind == EZ_I_POP) {
            it.end = (enum ez_end)(k.extra[0] >> 1);
            it.cut = k.extra[0] & 1;
        } else if (k.kind == EZ_I_REQUEST) {
            it.request = k.extra[0];
            it.did = (enum ez_request)k.extra[1];
        } else if (k.n) {
            it.key = k.extra[0];
            it.peer = (uint32_t)k.extra[1];
            it.request = k.extra[2];
            it.arg = k.extra + 3;
            it.narg = k.n - 3;
            r->s->has_request = it.request != 0;
        }
        otf2_put(r->s, r->writer, &it);
        if (r->s->err)
            break;
    }
    return NULL;
}

static ez_err *otf2_item(void *arg, const struct ez_item *it)
{
    struct otf2 *s = arg;
    bool link = it->kind == EZ_I_LINK_START || it->kind == EZ_I_LINK_END;
    if (it->kind == EZ_I_CONTAINER && s->m->container.at[it->container].level == EZ_L_THREAD)
        otf2_location(s, it->container); /* a thread without events gets a location, too */
    if (it->kind == EZ_I_CONTAINER_END && it->container < s->place.n)
        otf2_end_place(s, &s->place.at[it->container]);
    bool happens = it->kind > EZ_I_NAME && it->kind < EZ_I_CONTAINER_END;
    if (happens && otf2_record_of(s, it))
        happens = s->record.kind != OTF2_R_NONE;
    else if (happens && link)
        happens = otf2_link_is_emitted(s, it);
    if (it->kind == EZ_I_REQUEST)
        happens = otf2_record_of(s, it) ? s->record.kind != OTF2_R_NONE
                                        : otf2_is_mpi(s, it->name) && otf2_request_is_known(s, it);
    s->has_request = happens && link && it->request && otf2_request_is_known(s, it);
    if (happens) {
        OTF2_EvtWriter *w = otf2_writer(s, it->container);
        otf2_values_of(s, it->kind <= EZ_I_EVENT ? it->data : NULL);
        if (it->kind == EZ_I_EVENT)
            otf2_words_of(s, it);
        if (w)
            otf2_put(s, w, it);
        else if (!s->err)
            otf2_keep(s, it);
    }
    return s->err ? otf2_pop_error(s) : NULL;
}

/* ---- begin and end ------------------------------------------------------------------ */

/* Returns true if the library writes a file or folder with that name: traces.otf2, traces.def,
 * traces.marker, and traces/N.evt, traces/N.def, traces/N.snap. */
static bool otf2_is_archive(const char *name, bool folder)
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

static ez_err *otf2_open(const struct ez_format *f, const struct ez_model *m,
                         const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct otf2 *s = ez_alloc(sizeof *s);
    s->sink.format = f;
    s->m = m;
    ez_err *e = ez_outdir_open(&s->dir, out->path, "an OTF2 archive", otf2_is_archive);
    if (e) {
        free(s);
        return e;
    }
    OTF2_Error_RegisterCallback(otf2_library_error, s);
    errno = 0;
    s->attributes = OTF2_AttributeList_New();
    s->archive = OTF2_Archive_Open(s->dir.tmp, "traces", OTF2_FILEMODE_WRITE, OTF2_EVENT_CHUNK,
                                   DEF_CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    s->closable = s->archive && otf2_set_callbacks(s) &&
                  otf2_ok(s, OTF2_Archive_SetSerialCollectiveCallbacks(s->archive));
    if (s->closable && s->attributes && otf2_ok(s, OTF2_Archive_SetCreator(s->archive, "eztsh")) &&
        otf2_ok(s, OTF2_Archive_OpenEvtFiles(s->archive))) {
        *sink = &s->sink;
        return NULL;
    }
    otf2_ok(s, OTF2_ERROR_INVALID);
    e = otf2_pop_error(s);
    otf2_destroy(&s->sink);
    return e;
}

/* Writes a file of definitions for each location. The file is empty, but readers require it. */
static void otf2_local_definitions(struct otf2 *s)
{
    otf2_ok(s, OTF2_Archive_OpenDefFiles(s->archive));
    for (size_t i = 0; i < s->location.n; i++) {
        OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(s->archive, i);
        otf2_ok(s, w ? OTF2_Archive_CloseDefWriter(s->archive, w) : OTF2_ERROR_INVALID);
    }
    otf2_ok(s, OTF2_Archive_CloseDefFiles(s->archive));
}

/* Writes the spooled events of a location into its file. Writes a file without events if there are
 * none. */
static void otf2_write_kept(struct otf2 *s, uint32_t container)
{
    struct otf2_place *p = &s->place.at[container];
    struct replay r = { s, otf2_open_writer(s, p) };
    if (r.writer && p->kept && s->spool && !s->err)
        s->err = ez_spool_each(s->spool, container, otf2_put_kept, &r);
    if (!s->err)
        otf2_end_place(s, p);
}

static void otf2_finish(struct otf2 *s)
{
    otf2_comm_locations(s);
    if (!s->location.n) /* readers refuse an archive without a location */
        otf2_location(s, 0);
    for (size_t i = 0; i < s->location.n; i++) {
        struct otf2_place *p = &s->place.at[s->location.at[i]];
        if (p->writer)
            otf2_end_place(s, p);
    }
    for (size_t i = 0; i < s->location.n && !s->err; i++)
        if (!s->place.at[s->location.at[i]].events)
            otf2_write_kept(s, s->location.at[i]);
    if (s->err)
        return;
    otf2_ok(s, OTF2_Archive_CloseEvtFiles(s->archive));
    otf2_local_definitions(s);
    otf2_write_definitions(s);
    otf2_ok(s, OTF2_Archive_SetMachineName(s->archive, OTF2_MACHINE));
    EZ_FREE char *program =
        ez_str_plain(s->m->container.n ? s->m->container.at[0].name : "", "", 0);
    otf2_ok(s, OTF2_Archive_SetDescription(s->archive, program));
    if (s->one_sided_links) {
        char n[24];
        snprintf(n, sizeof n, "%llu", (unsigned long long)s->one_sided_links);
        otf2_ok(s, OTF2_Archive_SetProperty(s->archive, "EZTSH::LINKS_NOT_WRITTEN", n, true));
    }
}

static ez_err *otf2_close(struct ez_sink *sink)
{
    struct otf2 *s = (struct otf2 *)sink;
    errno = 0;
    if (!s->err)
        otf2_finish(s);
    if (s->err)
        return otf2_pop_error(s); /* otf2_destroy() closes and deletes the archive */
    otf2_ok(s, OTF2_Archive_Close(s->archive));
    s->archive = NULL;
    if (s->err)
        return otf2_pop_error(s);
    return ez_outdir_commit(&s->dir);
}

static void otf2_destroy(struct ez_sink *sink)
{
    struct otf2 *s = (struct otf2 *)sink;
    if (!s)
        return;
    s->discarded = true;
    if (s->closable && s->archive && !s->broken)
        otf2_ok(s, OTF2_Archive_Close(s->archive));
    if (s->attributes)
        OTF2_AttributeList_Delete(s->attributes);
    OTF2_Error_RegisterCallback(otf2_library_error, NULL);
    free(s->spare);
    otf2_values_free(s);
    ez_spool_close(s->spool);
    ez_outdir_close(&s->dir);
    EZ_VEC_FREE(&s->place);
    EZ_VEC_FREE(&s->location);
    EZ_VEC_FREE(&s->ref);
    otf2_comm_free(s);
    otf2_sync_free(s);
    otf2_io_free(s);
    ez_hash_free(&s->unsent);
    ez_hash_free(&s->requests);
    ez_err_free(s->err);
    free(s);
}

#else /* built without libotf2: the format is listed, but `open` returns an error */

static ez_err *otf2_open(const struct ez_format *f, const struct ez_model *m,
                         const struct ez_conv_out *out, struct ez_sink **sink)
{
    return ez_conv_not_built("OTF2", "libotf2-trace-dev", "otf2-devel");
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
    .folder = true,
    .brief = "Open Trace Format 2, a folder, for Vampir and ViTE",
    .collected = true,
    .open = otf2_open,
    .item = otf2_item,
    .close = otf2_close,
    .destroy = otf2_destroy,
};
