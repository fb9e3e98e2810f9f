/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_gtg.c - Paje, ViTE and OTF: the sinks that send the items to ezt-gtg, the only program
 * linked with libgtg. gtg/ezt_gtg.c describes why that is a program of its own, and gtg/proto.h
 * describes the protocol.
 *
 * `open` waits until ezt-gtg has found the output's folder writable, so that an impossible output
 * fails before the trace is read. If ezt-gtg ends early, the sink notices this when it sends the
 * next full buffer, and `item` returns the reason that ezt-gtg sent. ezt-gtg is always reaped. To
 * cancel, the sink closes the socket and sends SIGTERM, and ezt-gtg deletes what it wrote. While
 * the sink waits, it calls `go_on` of struct ez_model, which returns false if the user cancelled.
 *
 * These formats cannot represent how a call ended. So an event [unwound] at the same time marks a
 * call that an exception or a longjmp ended. The formats cannot represent collected values either,
 * because the value of an event is one of a list of names. So the values are dropped, and `notice`
 * says this. In the protocol an open link has a slot, a small number. (The key of a link is too
 * wide for that: it has 64 bits, and is used again later.)
 *
 * Tests: tests/unit/format/check_gtg.c */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/format/conv.h"
#include "engine/format/gtg/proto.h"
#include "engine/base/installed.h"
#include "engine/base/hash.h"
#include "engine/base/newfile.h"

extern char **environ;

enum {
    LOOK_MS = 100, /* time between two calls of `go_on` */
    /* after this time, ezt-gtg is killed; before that it can delete its output */
    LAST_WORDS_MS = 5000,
};

struct gtg_sink {
    struct ez_sink sink;
    const struct ez_model *m;
    int sock; /* -1 = closed */
    pid_t pid;
    uint32_t conts, names; /* number of containers and names that were sent so far */
    struct {
        /* index: that of the model; the number in the protocol, or EZ_NONE_IDX */
        EZ_VEC(uint32_t) at;
    } cont, name;
    struct ez_hash by_key; /* hash of name and key of an open link -> slot */
    EZ_VEC(uint32_t) free_slots;
    uint32_t slots;
    uint32_t unwound; /* number of the name [unwound] in the protocol, or EZ_NONE_IDX */
    uint64_t ns;      /* time of the last item */
    bool values;      /* an item had collected values, which were dropped */
    size_t used;
    char buf[1 << 17];
};

/* ---- the other end ------------------------------------------------------------------- */

static ez_err *gtg_start(struct gtg_sink *s, const char *type, const char *out)
{
    int sv[2];
    EZ_FREE char *program = ez_helper("ezt-gtg", "EZT_GTG");
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t attr;
    sigset_t none;
    char *argv[] = { (char *)"ezt-gtg", (char *)type, (char *)out, NULL };
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv))
        return ez_err_new(EZ_E_SYS, errno, "Cannot create a pair of sockets");
    sigemptyset(&none);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    /* ezt-gtg gets its own process group, so that Ctrl-C reaches only the shell */
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&fa);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_adddup2(&fa, sv[1], fd);
    int e = posix_spawn(&s->pid, program, &fa, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    posix_spawnattr_destroy(&attr);
    close(sv[1]);
    if (e) {
        close(sv[0]);
        return ez_err_new(EZ_E_SYS, e, "Cannot run %s", program);
    }
    s->sock = sv[0];
    return NULL;
}

/* Waits until the socket is ready for `what` (POLLIN or POLLOUT), or ezt-gtg has ended. Returns
 * false if the user cancelled. */
static bool gtg_await(struct gtg_sink *s, short what)
{
    struct pollfd p = { s->sock, what, 0 };
    while (poll(&p, 1, LOOK_MS) <= 0)
        if (s->m->go_on && !s->m->go_on(s->m->go_on_arg))
            return false;
    return true;
}

/* Reads one line from ezt-gtg, without the line feed. If ezt-gtg closed the socket, the text ends
 * there. Returns false if the user cancelled. */
static bool gtg_receive(struct gtg_sink *s, char *text, size_t size)
{
    size_t n = 0;
    while (n < size - 1) {
        ssize_t k = recv(s->sock, text + n, 1, MSG_DONTWAIT);
        if (k < 0 && errno == EAGAIN) { /* tested first, because gtg_await() changes errno */
            if (!gtg_await(s, POLLIN))
                return false;
        } else if (k == 0 || (k < 0 && errno != EINTR) || (k > 0 && text[n] == '\n')) {
            break;
        } else if (k > 0) {
            n++;
        }
    }
    text[n] = 0;
    return true;
}

/* Closes the socket and reaps ezt-gtg. Returns true if ezt-gtg succeeded. */
static bool gtg_reap(struct gtg_sink *s, bool give_up)
{
    siginfo_t si = { 0 };
    if (s->sock < 0)
        return false;
    close(s->sock);
    s->sock = -1;
    EZ_CLOSE int fd = (int)syscall(SYS_pidfd_open, s->pid, 0);
    struct pollfd p = { fd, POLLIN, 0 };
    /* needed because ezt-gtg does not read the socket while it compresses the output */
    if (give_up)
        kill(s->pid, SIGTERM);
    if (fd >= 0 && poll(&p, 1, LAST_WORDS_MS) == 0)
        kill(s->pid, SIGKILL);
    while (waitid(P_PID, (id_t)s->pid, &si, WEXITED) && errno == EINTR)
        ;
    return si.si_code == CLD_EXITED && si.si_status == 0;
}

static ez_err *gtg_given_up(struct gtg_sink *s)
{
    gtg_reap(s, true);
    return ez_err_new(EZ_E_STATE, 0, "Interrupted");
}

static ez_err *gtg_died(struct gtg_sink *s)
{
    char text[512];
    shutdown(s->sock, SHUT_WR);
    if (!gtg_receive(s, text, sizeof text))
        return gtg_given_up(s);
    gtg_reap(s, false);
    return ez_err_new(EZ_E_LIMIT, 0, "ezt-gtg: %s", text[0] ? text : "ended early");
}

static ez_err *gtg_flush(struct gtg_sink *s)
{
    for (size_t at = 0; at < s->used;) {
        ssize_t n = send(s->sock, s->buf + at, s->used - at, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) {
            if (!gtg_await(s, POLLOUT))
                return gtg_given_up(s);
        } else if (n < 0 && errno != EINTR) {
            return gtg_died(s);
        }
        at += n > 0 ? (size_t)n : 0;
    }
    s->used = 0;
    return NULL;
}

/* Adds a frame to the buffer, and sends the buffer if it is full. text: the text that follows a
 * definition, or NULL. */
static ez_err *gtg_say(struct gtg_sink *s, struct gtg_frame f, const char *text)
{
    if (s->sock < 0)
        return ez_err_new(EZ_E_STATE, 0, "ezt-gtg ended unexpectedly");
    if (sizeof s->buf - s->used < sizeof f + GTG_PADDED(GTG_TEXT_MAX))
        EZ_TRY(gtg_flush(s));
    if (text) {
        f.value = strnlen(text, GTG_TEXT_MAX + 1);
        if (f.value > GTG_TEXT_MAX) /* cuts the text, but not inside a UTF-8 character */
            for (f.value = GTG_TEXT_MAX; f.value && (text[f.value] & 0xc0) == 0x80;)
                f.value--;
    }
    memcpy(s->buf + s->used, &f, sizeof f);
    s->used += sizeof f;
    if (text) {
        memset(s->buf + s->used, 0, GTG_PADDED(f.value));
        memcpy(s->buf + s->used, text, f.value);
        s->used += GTG_PADDED(f.value);
    }
    return NULL;
}

/* ---- the items ------------------------------------------------------------------------ */

static void gtg_number(struct gtg_sink *s, bool cont, uint32_t idx, uint32_t value)
{
    while ((cont ? s->cont.at.n : s->name.at.n) <= idx)
        if (cont)
            EZ_PUSH(&s->cont.at, EZ_NONE_IDX);
        else
            EZ_PUSH(&s->name.at, EZ_NONE_IDX);
    (cont ? s->cont.at.at : s->name.at.at)[idx] = value;
}

static uint32_t gtg_cont_of(const struct gtg_sink *s, uint32_t idx)
{
    return idx < s->cont.at.n ? s->cont.at.at[idx] : EZ_NONE_IDX;
}

static uint32_t gtg_name_of(const struct gtg_sink *s, uint32_t idx)
{
    return idx < s->name.at.n ? s->name.at.at[idx] : EZ_NONE_IDX;
}

/* Returns a 64-bit hash of name and key, which identifies an open link. */
static uint64_t gtg_mix(uint32_t name, uint64_t key)
{
    uint64_t x = key + (uint64_t)(name + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Sends the number of bytes and the tag of a message, if the item has both. */
static ez_err *gtg_message(struct gtg_sink *s, const struct ez_item *it)
{
    struct gtg_frame f = { .verb = GTG_V_MESSAGE, .ns = it->ns };
    if (it->narg < 2)
        return NULL;
    f.container = gtg_cont_of(s, it->container);
    f.more = (uint32_t)it->arg[1];
    f.value = it->arg[0];
    return gtg_say(s, f, NULL);
}

static ez_err *gtg_link_item(struct gtg_sink *s, const struct ez_item *it, struct gtg_frame *f)
{
    size_t slot;
    uint64_t h = gtg_mix(it->name, it->key);
    if (it->kind == EZ_I_LINK_START) {
        slot = s->free_slots.n ? s->free_slots.at[s->free_slots.n - 1] : s->slots;
        if (ez_hash_put(&s->by_key, h, slot) != slot)
            return ez_err_new(
                EZ_E_STATE, 0,
                "The trace begins a link between two calls while a link with the same key is open");
        if (s->free_slots.n)
            s->free_slots.n--;
        else
            s->slots++;
        f->verb = GTG_V_LINK_START;
        f->more = gtg_cont_of(s, it->peer);
    } else {
        if (!ez_hash_remove(&s->by_key, h, &slot))
            return ez_err_new(EZ_E_STATE, 0,
                              "The trace ends a link between two calls that it did not begin");
        EZ_PUSH(&s->free_slots, (uint32_t)slot);
        f->verb = GTG_V_LINK_END;
    }
    f->value = slot;
    return NULL;
}

static ez_err *gtg_define(struct gtg_sink *s, const struct ez_item *it, struct gtg_frame *f)
{
    if (it->kind == EZ_I_NAME) {
        const struct ez_name *n = &s->m->name.at[it->name];
        gtg_number(s, false, it->name, s->names);
        f->verb = GTG_V_NAME;
        f->name = s->names++;
        f->more = n->kind;
        return gtg_say(s, *f, n->text);
    }
    const struct ez_container *c = &s->m->container.at[it->container];
    gtg_number(s, true, it->container, s->conts);
    f->verb = GTG_V_CONTAINER;
    f->container = s->conts++;
    f->name = c->parent == EZ_NONE_IDX ? 0 : gtg_cont_of(s, c->parent);
    f->more = c->level;
    return gtg_say(s, *f, c->name);
}

static ez_err *gtg_mark_unwound(struct gtg_sink *s, const struct ez_item *it)
{
    struct gtg_frame f = { .ns = it->ns, .verb = GTG_V_NAME, .more = EZ_N_EVENT };
    if (s->unwound == EZ_NONE_IDX) {
        f.name = s->unwound = s->names++;
        EZ_TRY(gtg_say(s, f, "[unwound]"));
    }
    f = (struct gtg_frame){ .ns = it->ns, .verb = GTG_V_EVENT, .name = s->unwound };
    f.container = gtg_cont_of(s, it->container);
    return gtg_say(s, f, NULL);
}

static ez_err *gtg_item(void *arg, const struct ez_item *it)
{
    struct gtg_sink *s = arg;
    struct gtg_frame f = { .ns = it->ns };
    s->ns = it->ns;
    if (it->kind == EZ_I_CONTAINER || it->kind == EZ_I_NAME)
        return gtg_define(s, it, &f);
    f.container = gtg_cont_of(s, it->container);
    s->values |= it->kind <= EZ_I_EVENT && it->data;
    switch (it->kind) {
    case EZ_I_PUSH:
        f.verb = GTG_V_PUSH;
        break;
    case EZ_I_POP:
        if (it->end == EZ_END_UNWOUND)
            EZ_TRY(gtg_mark_unwound(s, it));
        f.verb = GTG_V_POP;
        break;
    case EZ_I_EVENT:
        f.verb = GTG_V_EVENT;
        break;
    case EZ_I_VAR:
        f.verb = GTG_V_VAR;
        memcpy(&f.value, &it->value, sizeof f.value);
        break;
    case EZ_I_SAMPLE:
    case EZ_I_REQUEST:
        return NULL;
    case EZ_I_CONTAINER_END:
        f.verb = GTG_V_CONTAINER_END;
        break;
    default:
        EZ_TRY(gtg_message(s, it));
        EZ_TRY(gtg_link_item(s, it, &f));
    }
    if (it->kind != EZ_I_CONTAINER_END)
        f.name = gtg_name_of(s, it->name);
    return gtg_say(s, f, NULL);
}

/* ---- begin and end -------------------------------------------------------------------- */

static void gtg_destroy(struct ez_sink *sink)
{
    struct gtg_sink *s = (struct gtg_sink *)sink;
    gtg_reap(s, true);
    EZ_VEC_FREE(&s->cont.at);
    EZ_VEC_FREE(&s->name.at);
    EZ_VEC_FREE(&s->free_slots);
    ez_hash_free(&s->by_key);
    free(s->sink.notice);
    free(s);
}

static ez_err *gtg_open_sink(const struct ez_format *format, const struct ez_model *m,
                             const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct gtg_sink *s = ez_alloc(sizeof *s);
    char type[16], text[512];
    s->sink.format = format;
    s->m = m;
    s->sock = -1;
    s->unwound = EZ_NONE_IDX;
    snprintf(type, sizeof type, "%s%s", format->name, out->gzip ? "z" : "");
    /* an OTF trace is several files, whose names begin with the path of the output */
    EZ_FREE char *place =
        strcmp(format->name, "otf") ? ez_newfile_place(out->path) : ez_strdup(out->path);
    ez_err *e = gtg_start(s, type, place);
    if (!e) {
        if (!gtg_receive(s, text, sizeof text))
            e = gtg_given_up(s);
        else if (strcmp(text, "ready"))
            e = ez_err_new(EZ_E_SYS, 0, "ezt-gtg: %s", text[0] ? text : "ended early");
    }
    if (e) {
        gtg_destroy(&s->sink);
        return e;
    }
    *sink = &s->sink;
    return NULL;
}

static ez_err *gtg_close_sink(struct ez_sink *sink)
{
    struct gtg_sink *s = (struct gtg_sink *)sink;
    char text[512];
    EZ_TRY(gtg_say(s, (struct gtg_frame){ .verb = GTG_V_END, .ns = s->ns }, NULL));
    EZ_TRY(gtg_flush(s));
    if (!gtg_receive(s, text, sizeof text))
        return gtg_given_up(s);
    bool good = gtg_reap(s, false);
    if (!good || strncmp(text, "ok ", 3))
        return ez_err_new(EZ_E_LIMIT, 0, "ezt-gtg: %s", !good && text[0] ? text : "ended early");
    if (text[3] || s->values)
        s->sink.notice =
            ez_sprintf("%s%s%s", text + 3, text[3] && s->values ? "; " : "",
                       s->values ? "what probes collected is left out: csv, chrome, otf2 "
                                   "and the report have it"
                                 : "");
    return NULL;
}

const struct ez_format ez_conv_paje = {
    .name = "paje",
    .suffix = ".trace",
    .brief = "Paje, for ViTE and pajeng",
    .gzip = true,
    .open = gtg_open_sink,
    .item = gtg_item,
    .close = gtg_close_sink,
    .destroy = gtg_destroy,
};

/* The file has Paje's format (gtg/write.c). ViTE 1.2 chooses the reader of a file by the file's
 * suffix, and reads files with the suffix below as Paje. With ".ept", the suffix of ViTE's own
 * format, ViTE 1.2 loops for ever. */
const struct ez_format ez_conv_vite = {
    .name = "vite",
    .suffix = ".vite.trace",
    .brief = "Paje as GTG writes it for ViTE",
    .open = gtg_open_sink,
    .item = gtg_item,
    .close = gtg_close_sink,
    .destroy = gtg_destroy,
};

const struct ez_format ez_conv_otf = {
    .name = "otf",
    .suffix = ".otf",
    .folder = true,
    .brief = "Open Trace Format 1, OUT.otf and parts beside it",
    .open = gtg_open_sink,
    .item = gtg_item,
    .close = gtg_close_sink,
    .destroy = gtg_destroy,
};
