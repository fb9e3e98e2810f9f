/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed.c - reads frames from the socket, checks them and calls write.c.
 *
 * Invariant: for any input, the calls of write.c are consistent: numbers are in range, kinds match,
 * times do not decrease, there is no pop without a push, and nothing happens in a container that
 * has ended. A frame that violates this ends the child with one line of error.
 *
 * Tests: tests/unit/format/check_gtg_feed.c */
#include "engine/format/gtg/gtg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_NUMBER (1u << 28) /* maximum number of containers, of names and of open links */

struct in {
    int fd;
    size_t at, end;
    char buf[1 << 18];
};

static bool feed_have(struct gtg *g, struct in *in, size_t n)
{
    if (in->end - in->at >= n)
        return true;
    memmove(in->buf, in->buf + in->at, in->end - in->at);
    in->end -= in->at;
    in->at = 0;
    while (in->end < n) {
        ssize_t k = read(in->fd, in->buf + in->end, sizeof in->buf - in->end);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            gtg_fail(g, "reading orders: %s", strerror(errno));
        if (k == 0)
            return false;
        in->end += (size_t)k;
    }
    return true;
}

static void feed_bad(struct gtg *g, const struct gtg_frame *f, const char *why)
{
    gtg_fail(g, "not an order: %s (verb %u, container %u, name %u)", why, f->verb, f->container,
             f->name);
}

/* Replaces characters in a name, because a quote or a line break would end the name in the file.
 * Also changes a name that looks like an alias of write.c ("@s12"), because it would be confused
 * with the alias. An empty name becomes "?". */
static void feed_clean(char *s)
{
    size_t n = strlen(s);
    for (char *p = s; *p; p++)
        if (*p == '"' || (unsigned char)*p < ' ' || *p == 127)
            *p = '_';
    if (n == 0)
        strcpy(s, "?");
    else if (s[0] == '@' && strspn(s + 1, "abcdefghijklmnopqrstuvwxyz0123456789") == n - 1)
        s[0] = '_';
}

static void feed_text(struct gtg *g, struct in *in, const struct gtg_frame *f,
                      char s[GTG_TEXT_MAX + 2])
{
    if (f->value > GTG_TEXT_MAX || !feed_have(g, in, GTG_PADDED(f->value)))
        feed_bad(g, f, "no proper text");
    memcpy(s, in->buf + in->at, f->value);
    s[f->value] = 0;
    in->at += GTG_PADDED(f->value);
    feed_clean(s);
}

/* Returns true if a container of this level may have this parent. The file defines a type for each
 * level, together with the level of the parents, so all containers of a level must have parents of
 * the same level. Without hosts, the program is the parent of processes. */
static bool feed_parent_fits(const struct gtg *g, uint32_t level, uint32_t parent)
{
    uint32_t above = g->cont[parent].level;
    if (g->typed[level])
        return above == g->above[level];
    return above == level - 1 || (level == GTG_L_PROCESS && above == GTG_L_PROGRAM);
}

static void feed_define_container(struct gtg *g, const struct gtg_frame *f, const char *name)
{
    bool first = g->conts == 0;
    if (f->container != g->conts || f->more >= GTG_LEVELS || g->conts >= MAX_NUMBER)
        feed_bad(g, f, "a container's number or level");
    if (first != (f->more == GTG_L_PROGRAM) || (!first && f->name >= g->conts))
        feed_bad(g, f, "a container's place");
    if (!first && (!feed_parent_fits(g, f->more, f->name) || g->cont[f->name].ended))
        feed_bad(g, f, "a container's parent");
    g->cont = gtg_grow(g, g->cont, g->conts, &g->conts_cap, sizeof *g->cont);
    g->cont[g->conts].level = f->more;
    g->cont[g->conts].parent = first ? 0 : f->name;
    gtg_container(g, g->conts++, f->ns, name);
}

static void feed_define_name(struct gtg *g, const struct gtg_frame *f, const char *name)
{
    if (f->name != g->names || f->more >= GTG_KINDS || g->names >= MAX_NUMBER)
        feed_bad(g, f, "a name's number or kind");
    g->name = gtg_grow(g, g->name, g->names, &g->names_cap, sizeof *g->name);
    g->name[g->names].kind = f->more;
    g->name[g->names].text = strdup(name);
    if (!g->name[g->names++].text)
        gtg_fail(g, "out of memory");
}

static void feed_need_name(struct gtg *g, const struct gtg_frame *f, enum gtg_kind kind)
{
    if (f->name >= g->names || g->name[f->name].kind != kind)
        feed_bad(g, f, "no such name");
}

static void feed_link_start(struct gtg *g, const struct gtg_frame *f)
{
    feed_need_name(g, f, GTG_N_LINK);
    if (f->value > g->links || f->value >= MAX_NUMBER ||
        (f->more != GTG_NO_PEER && f->more >= g->conts))
        feed_bad(g, f, "a link's slot or peer");
    if (f->value == g->links) {
        g->link = gtg_grow(g, g->link, g->links, &g->links_cap, sizeof *g->link);
        g->link[g->links++] = (struct gtg_link){ 0 };
    }
    struct gtg_link *l = &g->link[f->value];
    if (l->open)
        feed_bad(g, f, "the link is open");
    *l = (struct gtg_link){ .open = true, .name = f->name, .src = f->container };
    gtg_link_start(g, l, f->more, f->ns);
}

static void feed_link_end(struct gtg *g, const struct gtg_frame *f)
{
    if (f->value >= g->links || !g->link[f->value].open)
        feed_bad(g, f, "the link is not open");
    g->link[f->value].open = false;
    gtg_link_end(g, &g->link[f->value], f->container, f->ns);
}

static void feed_happen(struct gtg *g, const struct gtg_frame *f)
{
    double value;
    if (f->container >= g->conts || g->cont[f->container].ended)
        feed_bad(g, f, "no such container");
    switch (f->verb) {
    case GTG_V_PUSH:
        feed_need_name(g, f, GTG_N_STATE);
        g->cont[f->container].depth++;
        gtg_push(g, f->container, f->name, f->ns);
        break;
    case GTG_V_POP:
        if (!g->cont[f->container].depth)
            feed_bad(g, f, "no state is open");
        g->cont[f->container].depth--;
        gtg_pop(g, f->container, f->ns);
        break;
    case GTG_V_EVENT:
        feed_need_name(g, f, GTG_N_EVENT);
        gtg_event(g, f->container, f->name, f->ns);
        break;
    case GTG_V_VAR:
        feed_need_name(g, f, GTG_N_VAR);
        memcpy(&value, &f->value, sizeof value);
        gtg_var(g, f->container, f->name, f->ns, value);
        break;
    case GTG_V_MESSAGE: /* OTF stores a message's size in 32 bits */
        g->message = (struct gtg_message){ .tag = f->more,
                                           .bytes = (uint32_t)(f->value < UINT32_MAX ? f->value
                                                                                     : UINT32_MAX),
                                           .complete = true };
        break;
    case GTG_V_LINK_START:
        feed_link_start(g, f);
        break;
    case GTG_V_LINK_END:
        feed_link_end(g, f);
        break;
    case GTG_V_CONTAINER_END:
        gtg_container_end(g, f->container, f->ns);
        break;
    default:
        feed_bad(g, f, "no such verb");
    }
}

void gtg_feed(struct gtg *g, int fd)
{
    static struct in in;
    char name[GTG_TEXT_MAX + 2];
    struct gtg_frame f;
    in.fd = fd;
    for (;;) {
        if (!feed_have(g, &in, sizeof f))
            gtg_fail(g, "the orders ended early");
        memcpy(&f, in.buf + in.at, sizeof f);
        in.at += sizeof f;
        if (f.ns < g->last_ns)
            feed_bad(g, &f, "time goes backwards");
        g->last_ns = f.ns;
        if (f.verb == GTG_V_END)
            return;
        if (f.verb == GTG_V_CONTAINER || f.verb == GTG_V_NAME) {
            feed_text(g, &in, &f, name);
            if (f.verb == GTG_V_NAME)
                feed_define_name(g, &f, name);
            else
                feed_define_container(g, &f, name);
        } else {
            feed_happen(g, &f);
        }
    }
}
