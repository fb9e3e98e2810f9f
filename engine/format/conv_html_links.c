/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_links.c - all messages and all events of locks for the page of `report`
 * (conv_html_links.h). */
#include "engine/format/conv_html_links.h"

#include <string.h>

#include "engine/trace/locks.h"

void ez_html_links_init(struct ez_html_links *l, const struct ez_model *m, uint64_t most_bytes)
{
    *l = (struct ez_html_links){ .m = m, .most_bytes = most_bytes };
}

void ez_html_links_free(struct ez_html_links *l)
{
    EZ_VEC_FREE(&l->message);
    EZ_VEC_FREE(&l->lock);
    EZ_VEC_FREE(&l->locks);
    ez_hash_free(&l->open);
    ez_hash_free(&l->by_subject);
}

/* ---- messages ------------------------------------------------------------------------------- */

static void links_message(struct ez_html_links *l, const struct ez_item *it)
{
    size_t begin;
    if (it->kind == EZ_I_LINK_START && it->narg && !strcmp(l->m->name.at[it->name].group, "mpi"))
        ez_hash_put(&l->open, ez_hash_pair(it->key, it->name), it->ns);
    if (it->kind != EZ_I_LINK_END ||
        !ez_hash_remove(&l->open, ez_hash_pair(it->key, it->name), &begin) || !it->narg)
        return;
    l->messages++;
    l->many_messages |= l->message.n > l->most_bytes;
    if (l->many_messages)
        return;
    const uint64_t figures[] = { it->ns - l->message_ns, it->ns - begin, it->peer,
                                 it->container,          it->arg[0],     it->name };
    for (size_t i = 0; i < EZ_ARRAY_LEN(figures); i++)
        ez_chunks_put(&l->message, figures[i]);
    l->message_ns = it->ns;
}

/* ---- locks ---------------------------------------------------------------------------------- */

static uint32_t links_lock_of(struct ez_html_links *l, const struct ez_item *it)
{
    const struct ez_container *c = &l->m->container.at[it->container];
    struct ez_html_lock_name k = { it->subject,
                                   c->level == EZ_L_THREAD ? c->parent : it->container };
    size_t i = ez_hash_put(&l->by_subject, (uint64_t)k.process << 32 | k.subject, l->locks.n);
    if (i == l->locks.n)
        EZ_PUSH(&l->locks, k);
    return (uint32_t)i;
}

static enum ez_html_lock links_what(const struct ez_html_links *l, const struct ez_item *it)
{
    const bool held = !strcmp(l->m->name.at[it->name].text, EZ_LOCK_HELD);
    if (it->kind == EZ_I_EVENT)
        return EZ_HTML_BUSY;
    if (it->kind == EZ_I_PUSH)
        return held ? EZ_HTML_TAKE : EZ_HTML_WAIT;
    return held ? EZ_HTML_RELEASE : it->late ? EZ_HTML_LATE : EZ_HTML_WAITED;
}

static void links_lock(struct ez_html_links *l, const struct ez_item *it)
{
    if ((it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT) ||
        !ez_lock_is(l->m, it->subject))
        return;
    const enum ez_html_lock what = links_what(l, it);
    l->lock_events++;
    l->many_locks |= l->lock.n > l->most_bytes;
    if (l->many_locks)
        return;
    const uint64_t figures[] = { it->ns - l->lock_ns, what, links_lock_of(l, it), it->container };
    for (size_t i = 0; i < EZ_ARRAY_LEN(figures); i++)
        ez_chunks_put(&l->lock, figures[i]);
    l->lock_ns = it->ns;
    if (what == EZ_HTML_TAKE)
        ez_chunks_put(&l->lock, (uint32_t)(ez_lock_function(l->m, it) + 1)); /* 0 = no function */
    if (what == EZ_HTML_WAIT)
        ez_chunks_put(&l->lock, it->name);
    if (what == EZ_HTML_WAITED || what == EZ_HTML_LATE) {
        ez_chunks_put(&l->lock, it->ns - it->start_ns);
        ez_chunks_put(&l->lock, !it->cut && it->end == EZ_END_UNKNOWN);
    }
}

void ez_html_links_item(struct ez_html_links *l, const struct ez_item *it)
{
    links_message(l, it);
    links_lock(l, it);
}

/* ---- the page ------------------------------------------------------------------------------- */

void ez_html_links_json(const struct ez_html_links *l, struct ez_json *j)
{
    ez_json_next_line(j, 0);
    ez_json_add_uint(j, "messages", l->messages);
    ez_json_add_uint(j, "lock_events", l->lock_events);
    ez_json_add_bool(j, "many_messages", l->many_messages);
    ez_json_add_bool(j, "many_locks", l->many_locks);
    ez_json_begin(j, "locks", '[');
    for (size_t i = 0; i < l->locks.n && !l->many_locks; i++) {
        ez_json_begin(j, NULL, '[');
        ez_json_add_text(j, NULL, l->m->subject.at[l->locks.at[i].subject].text);
        ez_json_add_uint(j, NULL, l->locks.at[i].process);
        ez_json_end(j, ']');
    }
    ez_json_end(j, ']');
}

static ez_err *links_write(const char *id, uint64_t n, const ez_chunks_bytes *of,
                           struct ez_outfile *f)
{
    ez_chunks_bytes b = { NULL, 0, 0 };
    ez_chunks_put(&b, n);
    EZ_APPEND(&b, of->at, of->n);
    EZ_FREE char *text = ez_chunks_element(id, &b);
    EZ_VEC_FREE(&b);
    if (!text)
        return ez_err_new(EZ_E_LIMIT, 0, "Cannot initialize zlib");
    ez_outfile_puts(f, text);
    return NULL;
}

ez_err *ez_html_links_write(const struct ez_html_links *l, struct ez_outfile *f)
{
    if (l->messages && !l->many_messages)
        EZ_TRY(links_write("all-messages", l->messages, &l->message, f));
    if (l->lock_events && !l->many_locks)
        EZ_TRY(links_write("all-locks", l->lock_events, &l->lock, f));
    return NULL;
}
