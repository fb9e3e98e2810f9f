/* SPDX-License-Identifier: MIT */
/* m_gpu-interp.c - an interpreter: the device is a container of its own, which is busy between the
 * events 1 and 2; a link leads to it from the thread. Wrong calls of its reader do nothing. */
#include "ezt_interp.h"

#include <stdio.h>
#include <stdlib.h>

struct gpu {
    const struct ezt_reader *r;
    uint32_t busy, sent, pages, device;
    uint64_t calls, done;
};

static void *create(const struct ezt_reader *r)
{
    struct gpu *g = calloc(1, sizeof *g);
    g->r = r;
    g->busy = r->name(r, EZT_STATE, "Busy");
    g->sent = r->name(r, EZT_LINK, "Launch");
    g->pages = r->name(r, EZT_VARIABLE, "Pages");
    if (r->name(r, EZT_STATE, "") != EZT_NONE || r->name(r, (enum ezt_name_kind)9, "x") != EZT_NONE)
        abort();
    r->line(r, "too early");
    return g;
}

static void wrong(struct gpu *g, uint32_t thread)
{
    const struct ezt_reader *r = g->r;
    r->push(r, 99999, g->busy);
    r->push(r, thread, 99999);
    r->push(r, thread, g->sent);
    r->pop(r, 99999);
    r->var_set(r, thread, g->pages, 0. / 0.);
    r->point(r, thread, g->busy, NULL, 0);
    r->link_end(r, 99999, g->sent, 1);
    if (r->container(r, 99999, "x") != EZT_NONE || r->container(r, 0, "") != EZT_NONE)
        abort();
}

static int event(void *self, const struct ezt_read_event *ev)
{
    struct gpu *g = self;
    const struct ezt_reader *r = g->r;
    wrong(g, ev->thread);
    g->device = r->container(r, ev->process, "Device 0");
    if (ev->number == 1) {
        r->link_start(r, ev->thread, g->sent, ++g->calls);
        r->push(r, g->device, g->busy);
        r->link_end(r, g->device, g->sent, g->calls);
        r->var_add(r, g->device, g->pages, (double)ev->word[0]);
        return ev->n == 2 && ev->word[1] == 7 ? EZT_INSTEAD : EZT_NOT_MINE;
    }
    if (ev->number == 2) {
        r->pop(r, g->device);
        g->done++;
        return EZT_INSTEAD;
    }
    return ev->number == 3 ? EZT_ALSO : EZT_NOT_MINE;
}

static void finish(void *self)
{
    struct gpu *g = self;
    char text[64];
    snprintf(text, sizeof text, "Device 0: %lu of %lu done", (unsigned long)g->done,
             (unsigned long)g->calls);
    g->r->line(g->r, text);
}

EZT_INTERP = { EZT_INTERP_ABI, create, event, finish, free };
