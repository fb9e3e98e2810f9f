/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_file.c - reads bytes of files on this host, and converts the statistics of traces on this
 * host to sums.
 * Tests: tests/procs/job_hosts.sh, tests/procs/jobs.sh */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/jobs/chunk.h"
#include "engine/jobs/node.h"

/* Handles {"do": "read", "ranks": "3", "path", "at"}: the node that has the rank's driver adds an
 * object to the reply's `members`, with the file's size and at most EZ_FILE_PART bytes from offset
 * `at` on. The object is empty if the file is not regular or cannot be read. */
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

/* ---- statistics ------------------------------------------------------------------------------ */

/* For each statistic: the name of its aggregate, and the members of a row of `stats -json` that
 * become the hits, the sum, the minimum and the maximum of the aggregate's row. NULL: the value is
 * 1. */
static const struct node_figure {
    const char *aggregate, *hits, *sum, *least, *most;
} node_figure[] = { { "calls", "calls", NULL, NULL, NULL },
                    { "total", NULL, "total_ns", "total_ns", "total_ns" },
                    { "self", NULL, "self_ns", "self_ns", "self_ns" },
                    { "times", "timed", "sum_ns", "min_ns", "max_ns" } };

/* Returns true if a row of `stats -json` has statistic f. A row whose calls were only counted has
 * calls, but no times. */
static bool node_has(struct json_object *from, const struct node_figure *f)
{
    int64_t timed = ez_json_int(from, "timed", 0), cut = ez_json_int(from, "cut", 0);
    return f == &node_figure[0] || timed || (cut && !f->hits);
}

static int64_t node_member(struct json_object *from, const char *name)
{
    return name ? ez_json_int(from, name, 0) : 1;
}

static void node_put_number(struct json_object *row, const char *name, int64_t v)
{
    json_object_object_add(row, name, json_object_new_double((double)v));
}

/* Returns the aggregate's row for a row of `stats -json`. Its key is the function and its
 * library. */
static struct json_object *node_stats_row(struct json_object *from, const struct node_figure *f)
{
    struct json_object *row = json_object_new_object();
    EZ_FREE char *key =
        ez_sprintf("%s\t%s", ez_json_text(from, "function"), ez_json_text(from, "library"));
    ez_json_put_text(row, "key", key);
    ez_json_put_int(row, "hits", node_member(from, f->hits));
    node_put_number(row, "sum", node_member(from, f->sum));
    node_put_number(row, "min", node_member(from, f->least));
    node_put_number(row, "max", node_member(from, f->most));
    return row;
}

static struct json_object *node_stats_sum(struct json_object *rows, const struct node_figure *f)
{
    struct json_object *sum = json_object_new_object(), *out = json_object_new_array();
    size_t n = json_object_is_type(rows, json_type_array) ? json_object_array_length(rows) : 0;
    for (size_t i = 0; i < n; i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        if (!json_object_get_boolean(ez_json_get(row, "pause")) && node_has(row, f))
            json_object_array_add(out, node_stats_row(row, f));
    }
    ez_json_put_text(sum, "aggregate", f->aggregate);
    ez_json_put_text(sum, "unit", "ns");
    json_object_object_add(sum, "rows", out);
    return sum;
}

/* Converts the result of `stats -json` to an object in the format of `info aggregates -json`. */
static struct json_object *node_stats_sums(struct json_object *result)
{
    struct json_object *all = json_object_new_object(), *list = json_object_new_array();
    for (size_t i = 0; i < EZ_ARRAY_LEN(node_figure); i++)
        json_object_array_add(list, node_stats_sum(ez_json_get(result, "rows"), &node_figure[i]));
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
