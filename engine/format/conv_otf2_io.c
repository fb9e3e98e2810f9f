/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_io.c - the files of module io in an OTF2 archive (conv_otf2.c).
 *
 *   event "opened", "descriptor made"  IoCreateHandle; event "closed": IoDestroyHandle
 *   states "Reading" and "Writing"     IoOperationBegin and IoOperationComplete, with the bytes that
 *                                      the call moved. The trace does not have the requested bytes
 *   bytes outside of these states      an operation without duration, in the location that has the
 *                                      variable; for example what fclose() writes
 *
 * A handle is a descriptor of a process together with the file to which it refers. Opening that file
 * with that descriptor again activates the handle again, so the number of handles does not grow with
 * the number of calls. A descriptor whose opening the trace does not have, such as standard output,
 * has a handle that existed before if something is read or written; that it is closed is no sign
 * that it was open. A descriptor that is opened again refers to its former file no more, even if the
 * trace does not have that file's closing, as after dup2().
 *
 * Tests: tests/procs/otf2.sh */
#include "config.h"

#ifdef HAVE_OTF2
#include <fcntl.h>
#include <string.h>

#include "engine/format/conv_otf2.h"

enum io_class { IO_UNKNOWN, IO_NONE, IO_OPENED, IO_MADE, IO_CLOSED, IO_STATE, IO_BYTES };
#define IO_WRITES 0x80 /* bit of a class: the bytes are written, not read */

struct otf2_handle {
    uint32_t process, subject;
    int64_t fd;
    bool existed; /* active from the beginning of the trace */
    bool active;
    bool is_file; /* opened by a path */
    bool reads, writes;
};

struct otf2_operation { /* state of a thread that reads or writes */
    uint32_t thread, depth, handle;
    uint64_t bytes, number;
};

struct otf2_io {
    EZ_VEC(uint8_t) class; /* index: name */
    EZ_VEC(struct otf2_handle) handle;
    struct ez_hash by_file; /* process, subject, descriptor, existed -> handle */
    struct ez_hash by_fd;   /* process, descriptor -> handle that became active last */
    struct ez_hash last;    /* process, subject -> handle that was used last */
    EZ_VEC(struct otf2_operation) open;
    uint64_t operations;
};

static uint8_t io_class_of(const struct ez_name *n)
{
    static const struct {
        const char *text;
        enum ez_name_kind kind;
        uint8_t class;
    } known[] = { { "opened", EZ_N_EVENT, IO_OPENED },
                  { "descriptor made", EZ_N_EVENT, IO_MADE },
                  { "closed", EZ_N_EVENT, IO_CLOSED },
                  { "Reading", EZ_N_STATE, IO_STATE },
                  { "Writing", EZ_N_STATE, IO_STATE | IO_WRITES },
                  { "Bytes read", EZ_N_VAR, IO_BYTES },
                  { "Bytes written", EZ_N_VAR, IO_BYTES | IO_WRITES } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++)
        if (n->kind == known[i].kind && !n->addr && !strcmp(n->group, "io") &&
            !strcmp(n->text, known[i].text))
            return known[i].class;
    return IO_NONE;
}

static uint8_t io_class(struct otf2 *s, uint32_t name)
{
    struct otf2_io *io = s->io;
    while (io->class.n <= name)
        EZ_PUSH(&io->class, IO_UNKNOWN);
    if (io->class.at[name] == IO_UNKNOWN)
        io->class.at[name] = io_class_of(&s->m->name.at[name]);
    return io->class.at[name];
}

/* ---- handles ----------------------------------------------------------------------------- */

static uint64_t io_key(uint32_t process, uint64_t other)
{
    return ez_hash_pair(other, process);
}

static uint64_t io_file_key(uint32_t process, uint32_t subject, int64_t fd, bool existed)
{
    return ez_hash_pair(io_key(process, subject), (uint64_t)fd << 1 | existed);
}

/* Returns the handle of a descriptor for a file. existed: the one that existed before the trace. */
static uint32_t io_handle(struct otf2_io *io, uint32_t process, uint32_t subject, int64_t fd,
                          bool existed)
{
    uint64_t key = io_file_key(process, subject, fd, existed);
    size_t i = ez_hash_put(&io->by_file, key, io->handle.n);
    if (i == io->handle.n) {
        EZ_PUSH(&io->handle, ((struct otf2_handle){ .process = process,
                                                    .subject = subject,
                                                    .fd = fd,
                                                    .existed = existed,
                                                    .active = existed }));
        if (existed)
            ez_hash_set(&io->by_fd, io_key(process, (uint64_t)fd), (uint32_t)i);
    }
    return (uint32_t)i;
}

/* Returns the active handle of a descriptor for a file; SIZE_MAX if the file was closed. Another
 * thread may have opened another file with the same descriptor since then. uses: the descriptor is
 * used, so it was open before the trace if the trace does not have its opening. */
static size_t io_active(struct otf2 *s, const struct ez_item *it, bool uses)
{
    struct otf2_io *io = s->io;
    uint32_t process = otf2_process_of(s, it->container);
    int64_t fd = (int64_t)it->arg[0];
    size_t i;
    if (!ez_hash_get(&io->by_file, io_file_key(process, it->subject, fd, false), &i) &&
        !ez_hash_get(&io->by_file, io_file_key(process, it->subject, fd, true), &i)) {
        if (!uses || fd < 0) /* -1: a stream in memory */
            return SIZE_MAX;
        i = io_handle(io, process, it->subject, fd, true);
    }
    if (!io->handle.at[i].active)
        return SIZE_MAX;
    ez_hash_set(&io->last, io_key(process, it->subject), (uint32_t)i);
    return i;
}

/* Makes the handle active. Returns the handle that was active for its descriptor; SIZE_MAX if there
 * was none. */
static size_t io_activate(struct otf2_io *io, uint32_t handle)
{
    struct otf2_handle *h = &io->handle.at[handle];
    uint64_t key = io_key(h->process, (uint64_t)h->fd);
    size_t was;
    bool replaces =
        ez_hash_get(&io->by_fd, key, &was) && was != handle && io->handle.at[was].active;
    if (replaces)
        io->handle.at[was].active = false;
    ez_hash_set(&io->by_fd, key, handle);
    h->active = true;
    return replaces ? was : SIZE_MAX;
}

static void io_opens(struct otf2 *s, const struct ez_item *it, uint8_t class)
{
    struct otf2_io *io = s->io;
    uint32_t process = otf2_process_of(s, it->container);
    int64_t fd = (int64_t)it->arg[0];
    uint32_t i = io_handle(io, process, it->subject, fd, false);
    struct otf2_handle *h = &io->handle.at[i];
    bool was = h->active;
    size_t replaced = io_activate(io, i);
    h->is_file = class == IO_OPENED;
    ez_hash_set(&io->last, io_key(process, it->subject), i);
    if (!was) /* otherwise the trace does not have its closing */
        s->record =
            (struct otf2_record){ .kind = OTF2_R_IO_CREATE,
                                  .number =
                                      h->is_file && it->narg > 1 ? (uint32_t)it->arg[1] : O_RDWR,
                                  .id = i,
                                  .sent = replaced == SIZE_MAX ? 0 : replaced + 1 };
}

static void io_closes(struct otf2 *s, const struct ez_item *it)
{
    size_t i = io_active(s, it, false);
    if (i == SIZE_MAX)
        return;
    s->io->handle.at[i].active = false;
    s->record = (struct otf2_record){ .kind = OTF2_R_IO_DESTROY, .id = (uint32_t)i };
}

/* ---- operations -------------------------------------------------------------------------- */

static void io_uses(struct otf2_handle *h, bool writes)
{
    h->writes |= writes;
    h->reads |= !writes;
}

static void io_operation(struct otf2 *s, uint32_t kind, const struct otf2_operation *o, bool writes)
{
    s->record = (struct otf2_record){ .kind = kind,
                                      .number = writes ? OTF2_IO_OPERATION_MODE_WRITE
                                                       : OTF2_IO_OPERATION_MODE_READ,
                                      .id = o->handle,
                                      .sent = o->bytes,
                                      .received = o->number };
}

static void io_begins(struct otf2 *s, const struct ez_item *it, bool writes)
{
    struct otf2_io *io = s->io;
    if (it->narg == 0 || it->subject == EZ_NONE_IDX) /* the state began before the window */
        return;
    size_t i = io_active(s, it, true);
    if (i == SIZE_MAX)
        return;
    struct otf2_operation o = { .thread = it->container,
                                .depth = it->depth,
                                .handle = (uint32_t)i,
                                .number = ++io->operations };
    io_uses(&io->handle.at[i], writes);
    EZ_PUSH(&io->open, o);
    io_operation(s, OTF2_R_IO_OPERATION, &o, writes);
}

static void io_ends(struct otf2 *s, const struct ez_item *it, bool writes)
{
    struct otf2_io *io = s->io;
    for (size_t i = io->open.n; i-- > 0;) {
        struct otf2_operation o = io->open.at[i];
        if (o.thread != it->container || o.depth != it->depth)
            continue;
        io->open.at[i] = io->open.at[--io->open.n];
        io_operation(s, OTF2_R_IO_OPERATION, &o, writes);
        return;
    }
}

static void io_moved(struct otf2 *s, const struct ez_item *it, bool writes)
{
    struct otf2_io *io = s->io;
    struct otf2_operation *inner = NULL;
    size_t i;
    if (it->set || it->delta <= 0 || it->subject == EZ_NONE_IDX)
        return;
    for (size_t k = 0; k < io->open.n; k++)
        if (io->open.at[k].thread == it->thread && (!inner || io->open.at[k].depth > inner->depth))
            inner = &io->open.at[k];
    if (inner) {
        inner->bytes += (uint64_t)it->delta;
        return;
    }
    if (!ez_hash_get(&io->last, io_key(otf2_process_of(s, it->container), it->subject), &i) ||
        !io->handle.at[i].active)
        return;
    struct otf2_operation whole = { .handle = (uint32_t)i,
                                    .bytes = (uint64_t)it->delta,
                                    .number = ++io->operations };
    io_uses(&io->handle.at[i], writes);
    io_operation(s, OTF2_R_IO_WHOLE, &whole, writes);
}

void otf2_io_record(struct otf2 *s, const struct ez_item *it)
{
    if (!s->io)
        s->io = ez_alloc(sizeof *s->io);
    uint8_t class = io_class(s, it->name);
    bool writes = class & IO_WRITES;
    switch (class & ~IO_WRITES) {
    case IO_OPENED:
    case IO_MADE:
        if (it->narg && it->subject != EZ_NONE_IDX)
            io_opens(s, it, class);
        break;
    case IO_CLOSED:
        if (it->narg && it->subject != EZ_NONE_IDX)
            io_closes(s, it);
        break;
    case IO_STATE:
        if (it->kind == EZ_I_PUSH)
            io_begins(s, it, writes);
        else if (it->kind == EZ_I_POP)
            io_ends(s, it, writes);
        break;
    case IO_BYTES:
        io_moved(s, it, writes);
        break;
    default:
        break;
    }
}

/* ---- records ----------------------------------------------------------------------------- */

static OTF2_IoAccessMode io_access(uint32_t flags)
{
    return (flags & O_ACCMODE) == O_RDONLY   ? OTF2_IO_ACCESS_MODE_READ_ONLY
           : (flags & O_ACCMODE) == O_WRONLY ? OTF2_IO_ACCESS_MODE_WRITE_ONLY
                                             : OTF2_IO_ACCESS_MODE_READ_WRITE;
}

static void io_put_create(struct otf2 *s, OTF2_EvtWriter *w, uint64_t ns, uint32_t handle,
                          uint32_t flags)
{
    OTF2_IoCreationFlag creation = (flags & O_CREAT ? OTF2_IO_CREATION_FLAG_CREATE : 0) |
                                   (flags & O_EXCL ? OTF2_IO_CREATION_FLAG_EXCLUSIVE : 0) |
                                   (flags & O_TRUNC ? OTF2_IO_CREATION_FLAG_TRUNCATE : 0);
    OTF2_IoStatusFlag status = (flags & O_APPEND ? OTF2_IO_STATUS_FLAG_APPEND : 0) |
                               (flags & O_CLOEXEC ? OTF2_IO_STATUS_FLAG_CLOSE_ON_EXEC : 0) |
                               (flags & O_NONBLOCK ? OTF2_IO_STATUS_FLAG_NON_BLOCKING : 0);
    otf2_ok(s,
            OTF2_EvtWriter_IoCreateHandle(w, NULL, ns, handle, io_access(flags), creation, status));
}

void otf2_io_put(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it, bool begin)
{
    const struct otf2_record *r = &s->record;
    const bool operation = r->kind == OTF2_R_IO_OPERATION, whole = r->kind == OTF2_R_IO_WHOLE;
    if (r->kind == OTF2_R_IO_CREATE && r->sent)
        otf2_ok(s, OTF2_EvtWriter_IoDestroyHandle(w, NULL, it->ns, (uint32_t)(r->sent - 1)));
    if (r->kind == OTF2_R_IO_CREATE)
        io_put_create(s, w, it->ns, r->id, r->number);
    if (r->kind == OTF2_R_IO_DESTROY)
        otf2_ok(s, OTF2_EvtWriter_IoDestroyHandle(w, NULL, it->ns, r->id));
    if (whole || (operation && begin))
        otf2_ok(s, OTF2_EvtWriter_IoOperationBegin(
                       w, NULL, it->ns, r->id, (OTF2_IoOperationMode)r->number,
                       OTF2_IO_OPERATION_FLAG_NONE, whole ? r->sent : OTF2_UNDEFINED_UINT64,
                       r->received));
    if (whole || (operation && !begin))
        otf2_ok(s,
                OTF2_EvtWriter_IoOperationComplete(w, NULL, it->ns, r->id, r->sent, r->received));
}

/* ---- definitions --------------------------------------------------------------------------- */

void otf2_write_io(struct otf2 *s, OTF2_GlobalDefWriter *g, const struct otf2_define *d)
{
    struct ez_hash files = { 0 }; /* node, name -> number of the file */
    const struct otf2_io *io = s->io;
    if (!io || !io->handle.n)
        return;
    otf2_ok(s, OTF2_GlobalDefWriter_WriteIoParadigm(
                   g, 0, d->string(d->arg, "POSIX"), d->string(d->arg, "POSIX I/O"),
                   OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_OS, 0, NULL, NULL, NULL));
    for (uint32_t i = 0; i < io->handle.n; i++) {
        const struct otf2_handle *h = &io->handle.at[i];
        const char *text = s->m->subject.at[h->subject].text;
        uint32_t name = d->string(d->arg, text), file = OTF2_UNDEFINED_IO_FILE;
        if (h->is_file || *text == '/') {
            uint32_t node = d->node(d->arg, s->m->container.at[h->process].host);
            size_t n = files.n;
            file = (uint32_t)ez_hash_put(&files, (uint64_t)node << 32 | name, n);
            if (file == n)
                otf2_ok(s, OTF2_GlobalDefWriter_WriteIoRegularFile(g, file, name, node));
        }
        otf2_ok(s, OTF2_GlobalDefWriter_WriteIoHandle(
                       g, i, name, file, 0,
                       h->existed ? OTF2_IO_HANDLE_FLAG_PRE_CREATED : OTF2_IO_HANDLE_FLAG_NONE,
                       OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE));
        if (h->existed)
            otf2_ok(s, OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(
                           g, i,
                           io_access(h->reads && h->writes ? O_RDWR
                                     : h->writes           ? O_WRONLY
                                                           : O_RDONLY),
                           OTF2_IO_STATUS_FLAG_NONE));
    }
    ez_hash_free(&files);
}

void otf2_io_free(struct otf2 *s)
{
    if (!s->io)
        return;
    EZ_VEC_FREE(&s->io->class);
    EZ_VEC_FREE(&s->io->handle);
    EZ_VEC_FREE(&s->io->open);
    ez_hash_free(&s->io->by_file);
    ez_hash_free(&s->io->by_fd);
    ez_hash_free(&s->io->last);
    free(s->io);
}

#endif
