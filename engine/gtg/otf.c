/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf.c - check and mend the parts of an OTF trace.
 *
 *   t.otf         "STREAM:PROCESS" lines, hexadecimal as all numbers
 *   t.0.def       the resolution becomes 1 ns; the counters get the names and the sign
 *                 that libgtg mixes up (it numbers their definitions by container, and
 *                 their values by type)
 *   t.N.events    ends with the end of its process; "S0" (sent to nobody) becomes the
 *                 receiver that was known later; with compression: deflated, flushed
 *                 and never finished, as OTF's reader wants it
 *   t.0.marker    one line for each point in time
 * Tests: tests/unit/engine/check_gtg.c */
#include "engine/gtg/gtg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* ---- definitions -------------------------------------------------------------------- */

static void write_counters(struct gtg *g, FILE *to)
{
    for (uint32_t i = 0; i < g->names; i++)
        for (int l = 0; g->name[i].kind == GTG_N_VAR && l < GTG_LEVELS; l++)
            if (g->name[i].id[l]) /* the value holds until the next one */
                fprintf(to, "DCNT%xG%xNM\"%s\"P%xU\"\"\n", g->name[i].id[l], g->name[i].id[l],
                        g->name[i].text, 0xdu | (g->name[i].negative ? 0x20u : 0));
}

static void mend_definitions(struct gtg *g)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    bool clock = false, whole = true;
    uint64_t processes = 0, functions = 0;
    FILE *from = fopen("t.0.def", "r"), *to = fopen("def", "w");
    if (!from || !to)
        gtg_incomplete(g);
    while ((n = getline(&line, &cap, from)) > 0) {
        whole = line[n - 1] == '\n';
        processes += starts(line, "DP");
        functions += starts(line, "DF") && !starts(line, "DFG");
        if (starts(line, "DCNT"))
            continue;
        if (starts(line, "DTR")) {
            clock = strcmp(line, "DTR186a0\n") == 0;
            strcpy(line, "DTR3b9aca00\n"); /* 1e9; getline's buffer has 120 bytes */
        }
        fputs(line, to);
    }
    write_counters(g, to);
    free(line);
    fclose(from);
    bool bad = fflush(to) || ferror(to);
    if (fclose(to) || bad || !whole || processes != g->conts || functions != g->values ||
        rename("def", "t.0.def"))
        gtg_incomplete(g);
    if (!clock)
        gtg_fail(g, "this libgtg has another clock for OTF");
}

static void check_markers(struct gtg *g)
{
    FILE *f = fopen("t.0.marker", "r");
    char *line = NULL;
    size_t cap = 0;
    uint64_t n = 0;
    ssize_t k;
    while (f && (k = getline(&line, &cap, f)) > 0)
        n += starts(line, "MS") && line[k - 1] == '\n';
    free(line);
    if (f)
        fclose(f);
    if (n != g->markers)
        gtg_incomplete(g);
}

/* ---- events ----------------------------------------------------------------------------- */

struct out {
    FILE *f;
    bool deflate, bad;
    z_stream z;
};

static void put(struct out *o, const char *data, size_t n, int flush)
{
    static unsigned char buf[1 << 16];
    if (!o->deflate) {
        o->bad |= fwrite(data, 1, n, o->f) != n;
        return;
    }
    o->z.next_in = (unsigned char *)(uintptr_t)data;
    o->z.avail_in = (unsigned)n;
    do {
        o->z.next_out = buf;
        o->z.avail_out = sizeof buf;
        int rc = deflate(&o->z, flush);
        size_t k = sizeof buf - o->z.avail_out;
        o->bad |= (rc != Z_OK && rc != Z_BUF_ERROR) || fwrite(buf, 1, k, o->f) != k;
    } while (!o->z.avail_out);
}

/* Sends to nobody stand in the order in which they were told. */
static void copy_events(struct gtg *g, FILE *from, struct out *to, const struct gtg_cont *c)
{
    char *line = NULL, text[32];
    size_t cap = 0;
    ssize_t n;
    uint32_t k = 0;
    while ((n = getline(&line, &cap, from)) > 0) {
        if (starts(line, "S0L") && k < c->peers) {
            int len = snprintf(text, sizeof text, "S%x", c->peer[k++] + 1);
            put(to, text, (size_t)len, Z_NO_FLUSH);
            put(to, line + 2, (size_t)n - 2, Z_NO_FLUSH);
        } else {
            put(to, line, (size_t)n, Z_NO_FLUSH);
        }
    }
    to->bad |= k != c->peers || ferror(from);
    free(line);
}

static void rewrite_events(struct gtg *g, const char *file, const struct gtg_cont *c)
{
    struct out to = { .f = fopen("events", "w"), .deflate = g->compress };
    FILE *from = fopen(file, "r");
    char target[64];
    if (!from || !to.f || (to.deflate && deflateInit(&to.z, Z_DEFAULT_COMPRESSION) != Z_OK))
        gtg_incomplete(g);
    copy_events(g, from, &to, c);
    if (to.deflate) {
        put(&to, "", 0, Z_FULL_FLUSH);
        deflateEnd(&to.z);
    }
    fclose(from);
    snprintf(target, sizeof target, "%s%s", file, to.deflate ? ".z" : "");
    if (fclose(to.f) || to.bad || unlink(file) || rename("events", target))
        gtg_incomplete(g);
}

/* The last thing in it is that process C ended. */
static bool ends_well(const char *file, const struct gtg_cont *c, uint32_t process)
{
    char tail[64], want[64];
    long n = 0,
         len = snprintf(want, sizeof want, "PE\n%" PRIx64 "\n*%" PRIx32 "\n", c->end_ns, process);
    FILE *f = fopen(file, "r");
    if (f && fseek(f, -len, SEEK_END) == 0)
        n = (long)fread(tail, 1, (size_t)len, f);
    if (f)
        fclose(f);
    return n == len && memcmp(tail, want, (size_t)len) == 0;
}

void gtg_after_otf(struct gtg *g)
{
    FILE *master = fopen("t.otf", "r");
    uint32_t stream, process, n = 0;
    char file[32];
    if (!master)
        gtg_fail(g, "libgtg wrote no trace");
    while (fscanf(master, "%" SCNx32 ":%" SCNx32, &stream, &process) == 2) {
        if (process == 0 || process > g->conts)
            gtg_incomplete(g);
        const struct gtg_cont *c = &g->cont[process - 1];
        snprintf(file, sizeof file, "t.%" PRIx32 ".events", stream);
        if (!ends_well(file, c, process))
            gtg_incomplete(g);
        if (g->compress || c->peers)
            rewrite_events(g, file, c);
        n++;
    }
    fclose(master);
    if (n != g->conts)
        gtg_incomplete(g);
    mend_definitions(g);
    check_markers(g);
}
