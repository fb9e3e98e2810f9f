/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter_list.c - lists of threads, processes or ranks (filter_list.h). */
#include "engine/trace/filter_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct filter_list_item {
    char *text;        /* the element as the user typed it */
    bool is_range;     /* from and to are valid */
    uint64_t from, to; /* range of numbers, ends included */
    bool found;
};

/* Parses "N" or "N-M". Returns false if the text is neither. */
static bool list_range(const char *text, uint64_t *from, uint64_t *to)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    *from = *to = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        *to = strtoull(end + 1, &end, 10);
    return !*end;
}

static ez_err *list_add(struct filter_list *list, const char *text, size_t n, bool names)
{
    struct filter_list_item *item = &list->at[list->n];
    *item = (struct filter_list_item){ .text = ez_strndup(text, n) };
    list->n++;
    item->is_range = list_range(item->text, &item->from, &item->to);
    if (item->is_range && item->from > item->to)
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is an empty range of %s numbers", item->text,
                          list->what);
    if (!n || (!item->is_range && !names))
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is no %s", item->text, list->what),
                           "A list is for example 0,4-7");
    return NULL;
}

ez_err *filter_list_parse(struct filter_list *list, const char *text, const char *what, bool names)
{
    size_t commas = 0;
    list->what = what;
    for (const char *p = text; p && *p; p++)
        commas += *p == ',';
    list->at = text ? ez_alloc((commas + 1) * sizeof *list->at) : NULL;
    while (text) {
        size_t n = strcspn(text, ",");
        EZ_TRY(list_add(list, text, n, names));
        text = text[n] ? text + n + 1 : NULL;
    }
    return NULL;
}

/* Returns true if a container's name is "TEXT" or "TEXT NUMBER", or ends with " TEXT NUMBER".
 * number: the container's tid or pid. */
static bool list_is_name(const char *text, uint64_t number, const char *name)
{
    EZ_FREE char *tail = ez_sprintf("%s %" PRIu64, text, number);
    size_t n = strlen(name), m = strlen(tail);
    if (!strcmp(name, text) || !strcmp(name, tail))
        return true;
    return n > m && name[n - m - 1] == ' ' && !strcmp(name + n - m, tail);
}

bool filter_list_has(struct filter_list *list, uint64_t number, const char *name)
{
    bool has = false;
    for (size_t i = 0; i < list->n; i++) {
        struct filter_list_item *item = &list->at[i];
        bool hit = item->is_range ? number >= item->from && number <= item->to
                                  : name && list_is_name(item->text, number, name);
        item->found |= hit;
        has |= hit;
    }
    return has;
}

ez_err *filter_list_missing(const struct filter_list *list, bool part)
{
    for (size_t i = 0; i < list->n; i++)
        if (!list->at[i].found)
            return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "The %s has no %s \"%s\"",
                                          part ? "period" : "trace", list->what, list->at[i].text),
                               "\"stats -by thread\" and \"stats -by process\" list them");
    return NULL;
}

void filter_list_join(struct filter_list *list, const struct filter_list *other)
{
    for (size_t i = 0; i < list->n; i++)
        list->at[i].found |= other->at[i].found;
}

void filter_list_free(struct filter_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i].text);
    free(list->at);
}
