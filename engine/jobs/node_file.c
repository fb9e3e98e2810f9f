/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_file.c - parts of files of this host, and statistics of traces that stay where they are. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/jobs/chunk.h"
#include "engine/jobs/node.h"

/* {"do": "read", "ranks": "3", "path", "at"}: `members` has the file's size and the bytes there, from the node that has the
 * rank. */
void ez_node_read(struct ez_node *n, struct ez_asking *a)
{
    struct ez_ranks ranks = { 0 };
    struct stat st;
    ez_json_ranks(a->request, "ranks", &ranks);
    const struct ez_member *m =
        ranks.span.n ? ez_roster_find(&n->roster, ranks.span.at[0].from) : NULL;
    ez_ranks_free(&ranks);
    if (!m || m->node != n->tree.node)
        return;
    struct json_object *o = json_object_new_object();
    EZ_CLOSE int fd = open(ez_json_text(a->request, "path"), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    EZ_FREE char *bytes = ez_alloc(EZ_FILE_PART);
    ssize_t got = fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)
                      ? -1
                      : pread(fd, bytes, EZ_FILE_PART, (off_t)ez_json_int(a->request, "at", 0));
    if (got >= 0) {
        EZ_FREE char *text = ez_chunk_encode(bytes, (size_t)got);
        ez_json_put_int(o, "size", st.st_size);
        ez_json_put_int(o, "bytes", got);
        ez_json_put_text(o, "data", text);
    }
    ez_node_put_member(a, o);
}

/* ---- statistics ------------------------------------------------------------------------------------- */

static void node_put_number(struct json_object *row, const char *name, double v)
{
    json_object_object_add(row, name, json_object_new_double(v));
}

/* A row of `stats -json` as one of an aggregate: the key is the function and its library. */
static struct json_object *node_stats_row(struct json_object *from, bool self)
{
    struct json_object *row = json_object_new_object();
    EZ_FREE char *key =
        ez_sprintf("%s\t%s", ez_json_text(from, "function"), ez_json_text(from, "library"));
    double own = (double)ez_json_int(from, "self_ns", 0);
    ez_json_put_text(row, "key", key);
    ez_json_put_int(row, "hits", self ? 1 : ez_json_int(from, "calls", 0));
    node_put_number(row, "sum", self ? own : (double)ez_json_int(from, "total_ns", 0));
    node_put_number(row, "min", self ? own : (double)ez_json_int(from, "min_ns", 0));
    node_put_number(row, "max", self ? own : (double)ez_json_int(from, "max_ns", 0));
    return row;
}

/* As the object of `info aggregates`: "calls" has calls and their times, "self" each process's own time, so that the
 * least and the greatest tell of imbalance. */
static struct json_object *node_stats_sums(struct json_object *result)
{
    static const char *const kind[] = { "calls", "self" };
    struct json_object *all = json_object_new_object(), *list = json_object_new_array(),
                       *rows = ez_json_get(result, "rows");
    size_t n = json_object_is_type(rows, json_type_array) ? json_object_array_length(rows) : 0;
    for (size_t k = 0; k < EZ_ARRAY_LEN(kind); k++) {
        struct json_object *sum = json_object_new_object(), *out = json_object_new_array();
        for (size_t i = 0; i < n; i++) {
            struct json_object *row = json_object_array_get_idx(rows, i);
            if (!json_object_get_boolean(ez_json_get(row, "pause")))
                json_object_array_add(out, node_stats_row(row, k == 1));
        }
        ez_json_put_text(sum, "aggregate", kind[k]);
        ez_json_put_text(sum, "unit", "ns");
        json_object_object_add(sum, "rows", out);
        json_object_array_add(list, sum);
    }
    json_object_object_add(all, "aggregates", list);
    return all;
}

void ez_node_stats(struct ez_asking *a, uint32_t rank, struct json_object *answer)
{
    struct json_object *result = ez_json_get(answer, "result");
    if (!result)
        return;
    struct json_object *sums = node_stats_sums(result);
    ez_sums_add(&a->reply.sums, rank, sums, NULL, 0);
    json_object_put(sums);
}
