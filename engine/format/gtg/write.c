/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.c - calls libgtg.
 *
 * The levels of containers are Program > Host > Process > Thread, or Program > Process > Thread.
 * Each level has one type of states and one of events. Each pair of a name and a level has a type
 * of variables. Each combination of a name with the levels of both ends has a type of links.
 * Everything is defined when it is first used, because readers of Paje do not need definitions at
 * the beginning, and OTF has a separate file for definitions. An alias is a short text by which the
 * file refers to a container or a name. Each alias is made once and stored.
 *
 * This file works around defects of libgtg:
 *   - Paje's times have 14 digits: seconds below 100000 keep their nanoseconds.
 *   - libgtg's OTF ticks are 10 us. libgtg gets times in which its ticks are nanoseconds; otf.c
 *     corrects the resolution in the file. This is exact for 26 days.
 *   - Paje's variables are written with 7 digits. A value that needs more digits is written as a
 *     sum: one line sets the variable, and further lines add to the variable.
 *   - OTF's counters are integers. Negative values are written in two's complement, and otf.c
 *     declares such counters as signed. Fractions are rounded. Values that are too large or not
 *     finite are dropped. The notice has the numbers of rounded and of dropped values.
 *   - The value of a point event is its name, not an alias: in OTF the value is a text, and in Paje
 *     it needs no definition. (ViTE refuses a file that defines the value.)
 *
 * Tests: tests/unit/format/check_gtg.c */
#include "engine/format/gtg/gtg.h"

#include <GTG.h>
#include <GTGPaje_Basic.h>

#include <math.h>
#include <printf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replaces the C library's register_printf_type(), and returns an error. libgtg loads Fortran's
 * libquadmath, which calls this function when it is loaded, to register a type of number with
 * printf. After a registration, the C library uses a slow path for all calls of printf. Without the
 * registration, writing a trace takes only two thirds of the time. */
__attribute__((visibility("default"))) int register_printf_type(printf_va_arg_function *fn)
{
    return -1;
}

static const char *const level_name[] = { "Program", "Host", "Process", "Thread" };
static const char *const cont_type[] = { "CT_Program", "CT_Host", "CT_Process", "CT_Thread" };
static const char *const state_type[] = { "ST_Program", "ST_Host", "ST_Process", "ST_Thread" };
static const char *const event_type[] = { "ET_Program", "ET_Host", "ET_Process", "ET_Thread" };

static double write_at(const struct gtg *g, uint64_t ns)
{
    return g->type == GTG_T_OTF ? ((double)ns + 0.5) / 1e5 : (double)ns / 1e9;
}

/* Writes an alias such as "@s12" to `out`, and returns `out`. No name looks like an alias, because
 * feed_clean() changes such names. */
static char *write_make_alias(char out[12], char kind, uint64_t number)
{
    static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char rev[12];
    int n = 0, i = 0;
    do
        rev[n++] = digit[number % 36];
    while ((number /= 36));
    out[i++] = '@';
    out[i++] = kind;
    while (n)
        out[i++] = rev[--n];
    out[i] = 0;
    return out;
}

/* ---- colours ---------------------------------------------------------------------- */

static uint32_t write_hash(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h ^ h >> 15;
}

/* Returns the colour of a name, which is the same in every trace. Paje's files have only one
 * decimal for each channel, so there are only so many hues and tones that all colours stay
 * distinct. */
static gtg_color_t write_color_of(const char *name)
{
    enum { HUES = 30, TONES = 4 };
    static const struct {
        double top, low;
    } tone[TONES] = { { 250, 0 }, { 180, 0 }, { 250, 130 }, { 180, 80 } };
    static gtg_color_t made[HUES * TONES];
    unsigned k = write_hash(name) % (HUES * TONES);
    if (!made[k]) {
        double h = (k % HUES) * 6.0 / HUES, rgb[3], top = tone[k / HUES].top,
               low = tone[k / HUES].low;
        char text[16];
        for (int i = 0; i < 3; i++) {
            /* 3 = the hue is that of channel i, 0 = the opposite hue */
            double d = fabs(fmod(h - 2 * i + 9, 6) - 3);
            rgb[i] = low + (top - low) * fmin(fmax(d - 1, 0), 1);
        }
        snprintf(text, sizeof text, "C%u", k);
        made[k] = gtg_color_create(text, (uint8_t)rgb[0], (uint8_t)rgb[1], (uint8_t)rgb[2]);
    }
    return made[k];
}

/* ---- definitions -------------------------------------------------------------------- */

void gtg_begin(struct gtg *g)
{
    /* For the type VITE, libgtg 0.2-3 defines one more field than for PAJE (the file of a
     * container), but does not write that field. So PAJE is used for ViTE, too; ViTE can read
     * it. */
    setTraceType(g->type == GTG_T_OTF ? OTF : PAJE);
    if (initTrace("t", 0, GTG_FLAG_NONE) != TRACE_SUCCESS)
        gtg_fail(g, "libgtg cannot start a trace of this type");
}

/* Defines the types of a container's level. c: the first container of that level. */
static void write_define_level(struct gtg *g, const struct gtg_cont *c)
{
    char text[32];
    uint32_t l = c->level;
    g->typed[l] = true;
    g->above[l] = g->cont[c->parent].level;
    addContType(cont_type[l], l ? cont_type[g->above[l]] : "0", level_name[l]);
    snprintf(text, sizeof text, "%s State", level_name[l]);
    addStateType(state_type[l], cont_type[l], text);
    snprintf(text, sizeof text, "%s Event", level_name[l]);
    addEventType(event_type[l], cont_type[l], text);
    g->lines += 3;
}

void gtg_container(struct gtg *g, uint32_t c, uint64_t ns, const char *text)
{
    struct gtg_cont *me = &g->cont[c];
    write_make_alias(me->alias, 'c', c);
    if (!g->typed[me->level])
        write_define_level(g, me);
    addContainer(write_at(g, ns), me->alias, cont_type[me->level],
                 c ? g->cont[me->parent].alias : "0", text, "0");
    g->lines++;
}

static const char *write_value_alias(struct gtg *g, uint32_t level, struct gtg_name *n)
{
    char *alias = n->alias[level];
    if (!alias[0]) {
        uint64_t number = (uint64_t)(n - g->name) * GTG_LEVELS + level;
        addEntityValue(write_make_alias(alias, 's', number), state_type[level], n->text,
                       write_color_of(n->text));
        g->values++;
        g->lines++;
    }
    return alias;
}

static const char *write_var_alias(struct gtg *g, uint32_t level, struct gtg_name *n)
{
    char *alias = n->alias[level];
    if (!alias[0]) {
        uint64_t number = (uint64_t)(n - g->name) * GTG_LEVELS + level;
        addVarType(write_make_alias(alias, 'v', number), n->text, cont_type[level]);
        n->id[level] = ++g->counters; /* the number that libgtg assigns to this counter */
        g->lines++;
    }
    return alias;
}

static const char *write_link_alias(struct gtg *g, uint32_t from, uint32_t to, struct gtg_name *n)
{
    uint32_t which = from * GTG_LEVELS + to;
    char *alias = n->alias[which];
    if (!alias[0]) {
        uint64_t number = (uint64_t)(n - g->name) * GTG_LEVELS * GTG_LEVELS + which;
        addLinkType(write_make_alias(alias, 'l', number), n->text, cont_type[0], cont_type[from],
                    cont_type[to]);
        g->lines++;
    }
    return alias;
}

/* ---- states and events ----------------------------------------------------------------- */

void gtg_push(struct gtg *g, uint32_t c, uint32_t name, uint64_t ns)
{
    struct gtg_cont *me = &g->cont[c];
    const char *alias = write_value_alias(g, me->level, &g->name[name]);
    pushState(write_at(g, ns), state_type[me->level], me->alias, alias);
    g->lines++;
}

void gtg_pop(struct gtg *g, uint32_t c, uint64_t ns)
{
    popState(write_at(g, ns), state_type[g->cont[c].level], g->cont[c].alias);
    g->lines++;
}

void gtg_event(struct gtg *g, uint32_t c, uint32_t name, uint64_t ns)
{
    addEvent(write_at(g, ns), event_type[g->cont[c].level], g->cont[c].alias, g->name[name].text);
    g->lines++;
    g->markers++;
}

/* ---- variables ---------------------------------------------------------------------------- */

static struct gtg_value *write_value_of(struct gtg *g, struct gtg_cont *me, uint32_t name)
{
    for (uint32_t i = 0; i < me->values; i++)
        if (me->value[i].name == name)
            return &me->value[i];
    me->value = realloc(me->value, (me->values + 1) * sizeof *me->value);
    if (!me->value)
        gtg_fail(g, "out of memory");
    me->value[me->values] = (struct gtg_value){ .name = name, .now = NAN };
    return &me->value[me->values++];
}

/* Returns the value that a reader of the Paje file gets if v is written with 7 digits. */
static double write_written(double v)
{
    char text[40];
    snprintf(text, sizeof text, "%e", v);
    return strtod(text, NULL);
}

static void write_paje_var(struct gtg *g, const char *type, struct gtg_cont *me,
                           struct gtg_value *was, double t, double v)
{
    double delta = v - was->now;
    if (write_written(v) != v && was->now + delta == v && write_written(delta) == delta) {
        addVar(t, type, me->alias, delta);
        g->lines++;
        was->now = v;
        return;
    }
    setVar(t, type, me->alias, v);
    g->lines++;
    was->now = write_written(v);
    for (int i = 0; i < 2 && was->now != v; i++) {
        delta = write_written(v - was->now);
        if (was->now + delta == was->now)
            break;
        addVar(t, type, me->alias, delta);
        g->lines++;
        was->now += delta;
    }
}

void gtg_var(struct gtg *g, uint32_t c, uint32_t name, uint64_t ns, double value)
{
    struct gtg_cont *me = &g->cont[c];
    struct gtg_name *n = &g->name[name];
    if (!isfinite(value) || (g->type == GTG_T_OTF && fabs(value) >= 9e18)) {
        g->left_out++;
        return;
    }
    const char *type = write_var_alias(g, me->level, n);
    if (g->type != GTG_T_OTF) {
        write_paje_var(g, type, me, write_value_of(g, me, name), write_at(g, ns), value);
        return;
    }
    if (rint(value) != value)
        g->rounded++;
    value = rint(value);
    n->negative |= value < 0;
    setVar(write_at(g, ns), type, me->alias, value);
}

/* ---- links ---------------------------------------------------------------------------------- */

/* Moves g->message to the list m, for otf.c, and returns its index in the list. For formats other
 * than OTF, drops the message and returns GTG_NO_PEER. */
static uint32_t write_keep_message(struct gtg *g, struct gtg_messages *m)
{
    struct gtg_message message = g->message;
    g->message = (struct gtg_message){ 0 };
    if (g->type != GTG_T_OTF)
        return GTG_NO_PEER;
    m->at = gtg_grow(g, m->at, m->n, &m->cap, sizeof *m->at);
    m->at[m->n] = message;
    return m->n++;
}

void gtg_link_start(struct gtg *g, struct gtg_link *l, uint32_t peer, uint64_t ns)
{
    struct gtg_cont *src = &g->cont[l->src];
    char key[12];
    /* "@nobody" is neither a name nor an alias, so libgtg writes receiver 0. */
    const char *to = "@nobody";
    l->dst_level = peer == GTG_NO_PEER ? src->level : g->cont[peer].level;
    l->serial = g->serial++;
    l->late = write_keep_message(g, &src->sent);
    if (peer != GTG_NO_PEER) {
        /* if the receiver is unknown, l->late stays set, and otf.c later replaces the 0 */
        to = g->cont[peer].alias;
        l->late = GTG_NO_PEER;
    }
    startLink(write_at(g, ns), write_link_alias(g, src->level, l->dst_level, &g->name[l->name]),
              g->cont[0].alias, src->alias, to, g->name[l->name].text,
              write_make_alias(key, 'k', l->serial));
    g->lines++;
}

void gtg_link_end(struct gtg *g, struct gtg_link *l, uint32_t c, uint64_t ns)
{
    struct gtg_cont *src = &g->cont[l->src];
    char key[12];
    /* The link's type was chosen at the start of the link, and fixes the level of this end. If c
     * has another level, the link ends in an ancestor of c, or in the container where it
     * started. */
    if (g->cont[c].level != l->dst_level)
        g->bent++;
    while (g->cont[c].level > l->dst_level)
        c = g->cont[c].parent;
    if (g->cont[c].level < l->dst_level)
        c = l->src;
    if (l->late != GTG_NO_PEER)
        src->sent.at[l->late].receiver = c;
    write_keep_message(g, &g->cont[c].received);
    endLink(write_at(g, ns), write_link_alias(g, src->level, l->dst_level, &g->name[l->name]),
            g->cont[0].alias, src->alias, g->cont[c].alias, g->name[l->name].text,
            write_make_alias(key, 'k', l->serial));
    g->lines++;
}

/* ---- the end --------------------------------------------------------------------------------- */

void gtg_container_end(struct gtg *g, uint32_t c, uint64_t ns)
{
    struct gtg_cont *me = &g->cont[c];
    for (uint32_t i = c + 1; me->level != GTG_L_THREAD && i < g->conts; i++)
        if (g->cont[i].parent == c && !g->cont[i].ended)
            gtg_container_end(g, i, ns);
    for (; me->depth; me->depth--)
        gtg_pop(g, c, ns);
    destroyContainer(write_at(g, ns), me->alias, cont_type[me->level]);
    g->lines++;
    me->ended = true;
    me->end_ns = ns;
}

/* Ends all open states, links and containers, because viewers reject a trace without these ends. */
void gtg_end(struct gtg *g)
{
    for (uint32_t i = 0; i < g->links; i++)
        if (g->link[i].open)
            gtg_link_end(g, &g->link[i], g->link[i].src, g->last_ns);
    if (g->conts && !g->cont[0].ended)
        gtg_container_end(g, 0, g->last_ns);
    if (g->type == GTG_T_OTF)
        endTrace();
    /* viteEndTrace() does the same as endTrace(), but does not copy the whole Paje file once
     * more. */
    else
        viteEndTrace();
}
