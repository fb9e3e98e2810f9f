/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2.h - shared by the files of the OTF2 sink: conv_otf2_places.c opens the files of
 * locations, conv_otf2.c writes events into them as they come, conv_otf2_defs.c writes the
 * definitions at the end, and conv_otf2_values.c handles what probes collected. */
#ifndef EZ_CONV_OTF2_H
#define EZ_CONV_OTF2_H

#include <otf2/otf2.h>

#include "engine/format/conv.h"
#include "engine/base/hash.h"
#include "engine/base/outdir.h"
#include "engine/base/spool.h"

enum {
    OTF2_MOST_ARGS = 16,
    OTF2_UNWOUND = 0, /* attributes of a Leave, in the order of otf2_marks_of() */
    OTF2_MARKS = 3,
    OTF2_ATTRIBUTE0 = OTF2_UNWOUND + OTF2_MARKS, /* of events and values, in the order of their
                                                  * first use */
    OTF2_MOST_VALUES = 64,                       /* per event */
    OTF2_MOST_TEXTS = 1 << 16,                   /* different ones in an archive */
    OTF2_EVENT_CHUNK = 256 << 10,                /* minimum of the library */
};

struct otf2_place { /* state of a container */
    OTF2_EvtWriter *writer;
    uint64_t events;
    uint32_t location; /* EZ_NONE_IDX until it has an event */
    uint32_t chunks;   /* number of chunks flushed */
    bool ended, kept;  /* kept: its events are in the spool */
};

struct otf2_attribute {
    char *name;
    OTF2_Type type;
};
struct otf2_value {
    uint32_t attribute; /* index in otf2.attribute */
    uint64_t bits;      /* an integer or a double; the number of a string */
};

struct otf2 {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outdir dir;
    OTF2_Archive *archive;
    OTF2_AttributeList *attributes;
    unsigned writers;         /* number of open writers */
    struct otf2_chunk *spare; /* memory returned by the library */
    struct ez_spool *spool;
    EZ_VEC(struct otf2_place) place;
    EZ_VEC(uint32_t) location; /* location -> container */
    EZ_VEC(uint32_t)
        ref; /* by name: number of its region, metric or communicator; EZ_NONE_IDX if unused */
    uint32_t refs[EZ_N_LINK + 1];
    EZ_VEC(uint32_t) process;     /* containers in the order of ranks: MPI_COMM_WORLD; filled when
                            * needed */
    EZ_VEC(uint32_t) rank;        /* by container: rank of its process in MPI_COMM_WORLD */
    uint32_t arg[OTF2_MOST_ARGS]; /* attributes of an event's arguments */
    unsigned args;                /* number of these that exist */
    EZ_VEC(struct otf2_value) value; /* values of the item being written */
    EZ_VEC(struct otf2_attribute) attribute;
    EZ_VEC(char *) text; /* the first strings of the archive */
    struct ez_hash attributes_by, texts_by;
    struct ez_hash unsent; /* open links without an MpiSend */
    uint64_t untold_links;
    ez_err *err;   /* the first error */
    bool closable; /* the archive has its callbacks; without them closing it aborts */
    bool broken;   /* the library failed: the archive is not touched again */
};

/* conv_otf2_values.c: otf2_values_of sets s->value. otf2_put_values puts s->value into
 * s->attributes and returns whether there was any. */
void otf2_values_of(struct otf2 *s, const struct ez_event_data *d);
uint32_t otf2_attribute(struct otf2 *s, const char *name, OTF2_Type type); /* returns its index */
bool otf2_put_values(struct otf2 *s);
void otf2_values_free(struct otf2 *s);
/* conv_otf2_places.c: otf2_ok returns whether the code is OTF2_SUCCESS, and keeps an error of the
 * library. */
bool otf2_ok(struct otf2 *s, OTF2_ErrorCode code);
bool otf2_set_callbacks(struct otf2 *s);                    /* call before any file is opened */
uint32_t otf2_location(struct otf2 *s, uint32_t container); /* created by the first call */
/* NULL on error: see s->err */
OTF2_EvtWriter *otf2_open_writer(struct otf2 *s, struct otf2_place *p);
void otf2_end_place(struct otf2 *s, struct otf2_place *p); /* completes its file */

/* conv_otf2_comm.c: returns the number of a container in the communicator of a link's name. */
uint32_t otf2_peer(struct otf2 *s, uint32_t name, uint32_t container);
/* Gives each rank a location. Call before definitions are written. */
void otf2_comm_locations(struct otf2 *s);
/* Writes the group of all locations that communicate, by rank, and one for each communicator.
 * *group is the next number. */
void otf2_write_communicators(struct otf2 *s, OTF2_GlobalDefWriter *g, uint32_t *group,
                              uint32_t (*string)(void *arg, const char *text), void *arg);

/* Writes all definitions. Every location must have its number of events. */
void otf2_write_definitions(struct otf2 *s);

#endif
