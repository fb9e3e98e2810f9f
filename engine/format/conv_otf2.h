/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2.h - data and functions that the files of the OTF2 sink share. conv_otf2_places.c opens
 * the files of locations, conv_otf2.c writes each event into them, conv_otf2_defs.c writes the
 * definitions at the end, conv_otf2_comm.c writes communicators, and conv_otf2_values.c handles
 * collected values. */
#ifndef EZ_CONV_OTF2_H
#define EZ_CONV_OTF2_H

#include <otf2/otf2.h>

#include "engine/format/conv.h"
#include "engine/base/hash.h"
#include "engine/base/outdir.h"
#include "engine/base/spool.h"

enum {
    OTF2_MOST_ARGS = 16,
    OTF2_UNWOUND = 0, /* first attribute of a Leave; their order is that of otf2_marks_of() */
    OTF2_MARKS = 3,
    OTF2_ATTRIBUTE0 = OTF2_UNWOUND + OTF2_MARKS, /* first attribute of arguments and values */
    OTF2_MOST_VALUES = 64,                       /* maximum number of values of an event */
    OTF2_MOST_TEXTS = 1 << 16,                   /* maximum number of different strings */
    OTF2_EVENT_CHUNK = 256 << 10,                /* bytes; the library allows no smaller chunk */
};

struct otf2_place { /* state of a container */
    OTF2_EvtWriter *writer;
    uint64_t events;
    uint32_t location; /* number of its location; EZ_NONE_IDX until the container has an event */
    uint32_t chunks;   /* number of chunks for which disk space is reserved */
    bool ended, kept;  /* kept: the container's events are in the spool */
};

struct otf2_attribute {
    char *name;
    OTF2_Type type;
};
struct otf2_value {
    uint32_t attribute; /* index in otf2.attribute */
    uint64_t bits;      /* the bits of an integer or a double, or the number of a string */
};

struct otf2 {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outdir dir;
    OTF2_Archive *archive;
    OTF2_AttributeList *attributes;
    unsigned writers;         /* number of open writers */
    struct otf2_chunk *spare; /* the last chunk that the library freed; used again */
    struct ez_spool *spool;
    EZ_VEC(struct otf2_place) place;
    EZ_VEC(uint32_t) location; /* location -> container */
    EZ_VEC(uint32_t)
    ref; /* index: name; its region, metric or communicator, EZ_NONE_IDX = not used yet */
    uint32_t refs[EZ_N_LINK + 1];
    EZ_VEC(uint32_t) process;        /* processes in the order of ranks, for MPI_COMM_WORLD; empty
                            * until the first link */
    EZ_VEC(uint32_t) rank;           /* index: container of a process; rank in MPI_COMM_WORLD */
    uint32_t arg[OTF2_MOST_ARGS];    /* index in `attribute` of each argument's attribute */
    unsigned args;                   /* number of elements of `arg` that are set */
    EZ_VEC(struct otf2_value) value; /* values of the item being written */
    EZ_VEC(struct otf2_attribute) attribute;
    EZ_VEC(char *) text; /* strings that are values; their numbers are the archive's first */
    struct ez_hash attributes_by, texts_by;
    struct ez_hash unsent; /* open links whose MpiSend could not be written */
    uint64_t untold_links;
    ez_err *err;   /* the first error */
    bool closable; /* all callbacks are set; otherwise the library would abort at the close */
    bool broken;   /* the library failed, so no function is called for the archive again */
};

/* conv_otf2_values.c: otf2_values_of sets s->value. otf2_attribute returns the index of an
 * attribute, and defines the attribute if it is new. otf2_put_values puts s->value into
 * s->attributes and returns whether s->value had a value. */
void otf2_values_of(struct otf2 *s, const struct ez_event_data *d);
uint32_t otf2_attribute(struct otf2 *s, const char *name, OTF2_Type type);
bool otf2_put_values(struct otf2 *s);
void otf2_values_free(struct otf2 *s);
/* conv_otf2_places.c: otf2_ok returns whether the code is OTF2_SUCCESS; another code sets
 * s->err. */
bool otf2_ok(struct otf2 *s, OTF2_ErrorCode code);
bool otf2_set_callbacks(struct otf2 *s); /* must be called before any file is opened */
/* Returns the location of a container. The first call creates the location. */
uint32_t otf2_location(struct otf2 *s, uint32_t container);
/* Returns NULL on error, and sets s->err. */
OTF2_EvtWriter *otf2_open_writer(struct otf2 *s, struct otf2_place *p);
void otf2_end_place(struct otf2 *s, struct otf2_place *p); /* completes the location's file */

/* conv_otf2_comm.c: returns the number by which a link with that name refers to a container. */
uint32_t otf2_peer(struct otf2 *s, uint32_t name, uint32_t container);
/* Creates a location for each rank that has none. Must be called before definitions are written. */
void otf2_comm_locations(struct otf2 *s);
/* Writes the group of all locations that communicate, in the order of ranks, and a group for each
 * communicator. *group is the number of the next group. string() defines a text and returns its
 * number. */
void otf2_write_communicators(struct otf2 *s, OTF2_GlobalDefWriter *g, uint32_t *group,
                              uint32_t (*string)(void *arg, const char *text), void *arg);

/* Writes all definitions, at the end: the definition of a location has its number of events. */
void otf2_write_definitions(struct otf2 *s);

#endif
