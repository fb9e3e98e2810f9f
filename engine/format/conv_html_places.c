/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_places.c - writes hosts, processes and threads, and the roles of names, as JSON into
 * the page of `report`. The head of report/page.js describes the JSON.
 *
 * Tests: tests/unit/trace/check_html.c, tests/trace/report.sh */
#include "engine/format/conv_html.h"
#include "engine/trace/roles.h"

static void places_put(struct ez_html *h, uint32_t container)
{
    static const char *const levels[] = { [EZ_L_PROGRAM] = "program",
                                          [EZ_L_HOST] = "host",
                                          [EZ_L_PROCESS] = "process",
                                          [EZ_L_THREAD] = "thread" };
    const struct ez_container *c = &h->m->container.at[container];
    struct ez_json *j = &h->json;
    ez_json_next_line(j, 0);
    ez_json_begin(j, NULL, '[');
    ez_json_add_text(j, NULL, c->name);
    ez_json_add_text(j, NULL, levels[c->level]);
    ez_json_add_int(j, NULL, c->parent == EZ_NONE_IDX ? -1 : (int64_t)c->parent);
    ez_json_add_int(j, NULL,
                    c->level != EZ_L_PROCESS || c->rank == EZ_NO_RANK ? -1 : (int64_t)c->rank);
    ez_json_add_uint(j, NULL, c->level == EZ_L_THREAD ? c->tid : c->pid);
    ez_json_end(j, ']');
}

/* Writes a container, the time from its first to its last event, its time in calls, and its time in
 * pauses. Writes nothing for a container that is hidden or has no events. */
static void places_put_time(struct ez_html *h, uint32_t container)
{
    const struct ez_active *a = &h->m->container.at[container].active;
    const struct ez_html_time t =
        container < h->time.n ? h->time.at[container] : (struct ez_html_time){ 0, 0 };
    if (!a->any || h->m->container.at[container].hidden)
        return;
    ez_json_add_uint(&h->json, NULL, container);
    ez_json_add_uint(&h->json, NULL, a->last_ns - a->first_ns);
    ez_json_add_uint(&h->json, NULL, t.work_ns);
    ez_json_add_uint(&h->json, NULL, t.paused_ns);
}

void ez_html_places(struct ez_html *h)
{
    struct ez_json *j = &h->json;
    ez_json_next_line(j, 0);
    ez_json_begin(j, "places", '[');
    for (uint32_t i = 0; i < h->m->container.n; i++)
        places_put(h, i);
    ez_json_end(j, ']');
    ez_json_next_line(j, 0);
    ez_json_begin(j, "each", '[');
    for (uint32_t i = 0; i < h->m->container.n; i++)
        places_put_time(h, i);
    ez_json_end(j, ']');
    ez_json_next_line(j, 0);
    ez_json_begin(j, "role_names", '[');
    for (int i = 0; i < EZ_ROLES; i++)
        ez_json_add_text(j, NULL, ez_role_name((enum ez_role)i));
    ez_json_end(j, ']');
    ez_json_next_line(j, 0);
    ez_json_begin(j, "roles", '[');
    for (size_t i = 0; i < h->m->name.n; i++)
        ez_json_add_uint(j, NULL, ez_role_of(&h->m->name.at[i]));
    ez_json_end(j, ']');
}
