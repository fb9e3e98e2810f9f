/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf.c - checks and corrects the files of an OTF trace. The files are never compressed: OTF's
 * readers (1.12.5) fail on files that OTF's own library has compressed, if they have more than a
 * few thousand events.
 *
 *   t.otf         has lines "STREAM:PROCESS" with hexadecimal numbers. Checked: one line for each
 *                 container
 *   t.0.def       Checked: the numbers of processes and functions. Corrected: the resolution
 *                 becomes 1 ns; the definitions of counters are written again, because libgtg
 *                 numbers the definitions by container, but the values by type
 *   t.N.events    Checked: ends with the end of its process. Corrected: "S0" (no receiver) becomes
 *                 the receiver, which was known later; messages get sizes and tags, which libgtg
 *                 does not write: "S" receiver "L" bytes "T" tag, and "R" sender ...
 *   t.0.marker    Checked: one line for each point event
 *
 * Tests: tests/unit/format/check_gtg.c */
#include "engine/format/gtg/gtg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool otf_starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* ---- definitions -------------------------------------------------------------------- */

static void otf_write_counters(struct gtg *g, FILE *to)
{
    for (uint32_t i = 0; i < g->names; i++)
        for (int l = 0; g->name[i].kind == GTG_N_VAR && l < GTG_LEVELS; l++)
            if (g->name[i].id[l]) /* 0xd: the counter has its value until the next value */
                fprintf(to, "DCNT%xG%xNM\"%s\"P%xU\"\"\n", g->name[i].id[l], g->name[i].id[l],
                        g->name[i].text, 0xdu | (g->name[i].negative ? 0x20u : 0));
}

static void otf_mend_definitions(struct gtg *g)
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
        processes += otf_starts(line, "DP");
        functions += otf_starts(line, "DF") && !otf_starts(line, "DFG");
        if (otf_starts(line, "DCNT"))
            continue;
        if (otf_starts(line, "DTR")) {
            clock = strcmp(line, "DTR186a0\n") == 0;
            strcpy(line, "DTR3b9aca00\n"); /* 1e9; getline's buffer has 120 bytes */
        }
        fputs(line, to);
    }
    otf_write_counters(g, to);
    free(line);
    fclose(from);
    bool bad = fflush(to) || ferror(to);
    if (fclose(to) || bad || !whole || processes != g->conts || functions != g->values ||
        rename("def", "t.0.def"))
        gtg_incomplete(g);
    if (!clock)
        gtg_fail(g, "this libgtg has another clock for OTF");
}

static void otf_check_markers(struct gtg *g)
{
    FILE *f = fopen("t.0.marker", "r");
    char *line = NULL;
    size_t cap = 0;
    uint64_t n = 0;
    ssize_t k;
    while (f && (k = getline(&line, &cap, f)) > 0)
        n += otf_starts(line, "MS") && line[k - 1] == '\n';
    free(line);
    if (f)
        fclose(f);
    if (n != g->markers)
        gtg_incomplete(g);
}

/* ---- events ----------------------------------------------------------------------------- */

/* Writes one end of a message in place of libgtg's `line`: "S" receiver "L" bytes "T" tag "C"
 * communicator, with lower-case digits. Returns false if `line` has another form. */
static bool otf_put_message(FILE *to, const char *line, const struct gtg_message *m)
{
    unsigned long peer = strtoul(line + 1, NULL, 16);
    const char *bytes = strchr(line, 'L'), *communicator = strchr(line, 'C');
    if (!bytes || !communicator)
        return false;
    fprintf(to, "%c%lx", *line, peer ? peer : m->receiver + 1ul);
    if (m->complete)
        fprintf(to, "L%" PRIx32 "T%" PRIx32 "%s", m->bytes, m->tag, communicator);
    else
        fputs(bytes, to);
    return true;
}

/* Copies a file of events, and corrects its messages, whose order is that of c->sent and
 * c->received. Returns false if the file is incomplete. */
static bool otf_copy_events(FILE *from, FILE *to, const struct gtg_cont *c)
{
    char *line = NULL;
    size_t cap = 0;
    uint32_t sent = 0, received = 0;
    bool good = true;
    while (getline(&line, &cap, from) > 0)
        if (*line == 'S' && sent < c->sent.n)
            good &= otf_put_message(to, line, &c->sent.at[sent++]);
        else if (*line == 'R' && received < c->received.n)
            good &= otf_put_message(to, line, &c->received.at[received++]);
        else
            fputs(line, to);
    free(line);
    return good && sent == c->sent.n && received == c->received.n && !ferror(from);
}

static void otf_mend_messages(struct gtg *g, const char *file, const struct gtg_cont *c)
{
    FILE *from = fopen(file, "r"), *to = fopen("events", "w");
    if (!from || !to)
        gtg_incomplete(g);
    bool good = otf_copy_events(from, to, c);
    fclose(from);
    good &= fflush(to) == 0 && !ferror(to);
    if (fclose(to) || !good || rename("events", file))
        gtg_incomplete(g);
}

/* Returns true if the last lines of the file of events are the end of container c. */
static bool otf_ends_well(const char *file, const struct gtg_cont *c, uint32_t process)
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
        if (!otf_ends_well(file, c, process))
            gtg_incomplete(g);
        if (c->sent.n || c->received.n)
            otf_mend_messages(g, file, c);
        n++;
    }
    fclose(master);
    if (n != g->conts)
        gtg_incomplete(g);
    otf_mend_definitions(g);
    otf_check_markers(g);
}
