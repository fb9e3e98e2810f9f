/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2.h - what the files of the OTF2 sink share: conv_otf2_places.c opens the files of
 * locations, conv_otf2.c writes events into them as they come, and conv_otf2_defs.c writes the
 * definitions at the end; conv_otf2_values.c has what probes collected. */
#ifndef EZ_CONV_OTF2_H
#define EZ_CONV_OTF2_H

#include <otf2/otf2.h>

#include "engine/format/conv.h"
#include "engine/base/hash.h"
#include "engine/base/outdir.h"
#include "engine/base/spool.h"

enum {
    OTF2_MOST_ARGS = 16,
    OTF2_UNWOUND = 0, /* attributes of a Leave, in the order of marks_of()         */
    OTF2_MARKS = 3,
    OTF2_ATTRIBUTE0 = OTF2_UNWOUND + OTF2_MARKS, /* of events and values: in order of their use */
    OTF2_MOST_VALUES = 64,                       /* of an event */
    OTF2_MOST_TEXTS = 1 << 16,                   /* different ones of an archive */
    OTF2_EVENT_CHUNK = 256 << 10,                /* the library's least */
};

struct otf2_place { /* of a container */
    OTF2_EvtWriter *writer;
    uint64_t events;
    uint32_t location; /* EZ_NONE_IDX: nothing happened in it yet                 */
    uint32_t chunks;   /* flushed                                                 */
    bool ended, kept;  /* kept: its events are in the spool                        */
};

struct otf2_attribute {
    char *name;
    OTF2_Type type;
};
struct otf2_value {
    uint32_t attribute; /* index in otf2.attribute                                 */
    uint64_t bits;      /* of an integer or a double; the number of a string       */
};

struct otf2 {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outdir dir;
    OTF2_Archive *archive;
    OTF2_AttributeList *attributes;
    unsigned writers;         /* open writers                                             */
    struct otf2_chunk *spare; /* memory the library gave back                     */
    struct ez_spool *spool;
    EZ_VEC(struct otf2_place) place;
    EZ_VEC(uint32_t) location; /* -> container                                    */
    EZ_VEC(uint32_t)
    ref; /* by name: the number of its region, metric or communicator; EZ_NONE_IDX: unused */
    uint32_t refs[EZ_N_LINK + 1];
    EZ_VEC(uint32_t)
    process;               /* containers in the order of ranks: MPI_COMM_WORLD, once it is used */
    EZ_VEC(uint32_t) rank; /* by container: its process's place in that                 */
    uint32_t arg[OTF2_MOST_ARGS];    /* attributes of an event's arguments */
    unsigned args;                   /* so many of them are made */
    EZ_VEC(struct otf2_value) value; /* what the item that is written now carries   */
    EZ_VEC(struct otf2_attribute) attribute;
    EZ_VEC(char *) text; /* the archive's first strings                             */
    struct ez_hash attributes_by, texts_by;
    struct ez_hash unsent; /* open links that have no MpiSend                      */
    uint64_t untold_links;
    ez_err *err;   /* the first                                                     */
    bool closable; /* the archive has its callbacks: else closing it aborts */
    bool broken;   /* the error came from the library: the archive is not touched again */
};

/* Remembers an error of the library; true = the code is OTF2_SUCCESS. */
bool otf2_ok(struct otf2 *s, OTF2_ErrorCode code);
/* conv_otf2_values.c: sets s->value; puts s->value into s->attributes and answers whether there was
 * any. */
void otf2_values_of(struct otf2 *s, const struct ez_event_data *d);
uint32_t otf2_attribute(struct otf2 *s, const char *name, OTF2_Type type); /* its index */
bool otf2_put_values(struct otf2 *s);
void otf2_values_free(struct otf2 *s);
/* conv_otf2_places.c */
bool otf2_set_callbacks(struct otf2 *s);                    /* before any file is opened */
uint32_t otf2_location(struct otf2 *s, uint32_t container); /* made when first asked for */
OTF2_EvtWriter *otf2_open_writer(struct otf2 *s, struct otf2_place *p); /* NULL = s->err */
void otf2_end_place(struct otf2 *s, struct otf2_place *p);              /* its file is complete */

/* conv_otf2_comm.c: the number of a container within the communicator of a link's name. */
uint32_t otf2_peer(struct otf2 *s, uint32_t name, uint32_t container);
/* Before definitions are written: each rank has a location. */
void otf2_comm_locations(struct otf2 *s);
/* The group of all locations that communicate, by rank, and one for each communicator; *group: the next number. */
void otf2_write_communicators(struct otf2 *s, OTF2_GlobalDefWriter *g, uint32_t *group,
                              uint32_t (*string)(void *arg, const char *text), void *arg);

/* Writes all definitions; every location must have its number of events. */
void otf2_write_definitions(struct otf2 *s);

#endif
