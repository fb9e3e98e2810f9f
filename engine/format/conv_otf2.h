/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2.h - data and functions that the files of the OTF2 sink share. conv_otf2_places.c opens
 * the files of locations, conv_otf2.c writes events into these files, conv_otf2_defs.c writes the
 * definitions at the end, conv_otf2_roles.c classifies regions, conv_otf2_sync.c adds records of
 * locks, teams and collective calls, conv_otf2_io.c adds records of files, conv_otf2_comm.c writes
 * communicators, and conv_otf2_values.c handles collected values. */
#ifndef EZ_CONV_OTF2_H
#define EZ_CONV_OTF2_H

#include <otf2/otf2.h>

#include "engine/format/conv.h"
#include "engine/base/hash.h"
#include "engine/base/outdir.h"
#include "engine/base/spool.h"

enum {
    OTF2_MOST_ARGS = 6, /* maximum number of arguments of an item in the spool */
    /* first of the attributes of a Leave, in the order of the bits of otf2_marks_of() */
    OTF2_UNWOUND = 0,
    OTF2_MARKS = 3,
    OTF2_ATTRIBUTE0 = OTF2_UNWOUND + OTF2_MARKS, /* first attribute of arguments and values */
    OTF2_MOST_VALUES = 64,                       /* maximum number of values of an event */
    OTF2_MOST_TEXTS = 1 << 16,                   /* maximum number of different strings */
    OTF2_EVENT_CHUNK = 256 << 10,                /* bytes; the library's minimum */
};

#define OTF2_WORLD 1         /* number of MPI_COMM_WORLD in a trace */
#define OTF2_MACHINE "Linux" /* name of the root of the system tree */

enum otf2_record_kind {
    OTF2_R_NONE,
    OTF2_R_LOCK,
    OTF2_R_FORK,
    OTF2_R_TEAM,
    OTF2_R_COLLECTIVE,
    OTF2_R_STARTED, /* a nonblocking collective call */
    OTF2_R_DONE,    /* its completion */
    OTF2_R_CREATE,  /* a thread is created */
    OTF2_R_BEGIN,   /* the new thread begins */
    OTF2_R_END,
    OTF2_R_IO_CREATE,
    OTF2_R_IO_DESTROY,
    OTF2_R_IO_OPERATION,
    OTF2_R_IO_WHOLE /* begin and end of an operation */
};
struct
    otf2_record { /* record in addition to an Enter or a Leave (conv_otf2_sync.c, conv_otf2_io.c) */
    uint32_t kind;
    /* LOCK: number of the acquisition; COLLECTIVE, DONE: OTF2_CollectiveOp; CREATE, BEGIN, END: number
     * of the new thread in its process; IO_CREATE: flags of open(); other IO: OTF2_IoOperationMode */
    uint32_t number;
    /* LOCK: number of the lock; IO: number of the handle; otherwise number of the communicator */
    uint32_t id;
    /* COLLECTIVE, DONE: the root's rank in MPI_COMM_WORLD; EZ_NO_RANK if there is no root or its rank is
     * unknown */
    uint32_t root;
    /* COLLECTIVE, DONE: bytes; IO_CREATE: sent: 1 + number of the handle that ends, 0 = none; other IO:
     * bytes, number of the operation */
    uint64_t sent, received;
    uint64_t request; /* STARTED, DONE: number of the request */
};

struct otf2_started {          /* a nonblocking collective call that is not complete */
    uint64_t key;              /* in started_by */
    struct otf2_record record; /* of its completion */
};

struct otf2_comm {
    OTF2_Paradigm paradigm; /* MPI; OPENMP for a team; PTHREAD for all threads of a process */
    /* MPI: number of the communicator in the trace; OPENMP: container of the team's first thread;
     * PTHREAD: container of the process */
    uint64_t number;
    uint32_t threads; /* PTHREAD: number of threads created so far */
    uint32_t ref;     /* number in the archive */
};

struct otf2_place { /* state of a container */
    OTF2_EvtWriter *writer;
    uint64_t events;
    uint32_t location; /* number of its location; EZ_NONE_IDX until the container has an event */
    uint32_t chunks;   /* number of chunks for which disk space is reserved */
    bool ended, kept;  /* kept: the container's events are in the spool */
    struct otf2_record collective; /* of the open collective call */
    struct otf2_record began;      /* BEGIN of the thread; NONE if the trace does not have it */
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
    unsigned writers; /* number of open writers */
    /* the chunk that the library freed last, kept for the next allocation; or NULL */
    struct otf2_chunk *spare;
    struct ez_spool *spool;
    EZ_VEC(struct otf2_place) place;
    EZ_VEC(uint32_t) location; /* location -> container */
    EZ_VEC(uint32_t)
    ref; /* index: name; its region, metric or communicator, EZ_NONE_IDX = not used yet */
    uint32_t refs[EZ_N_LINK + 1];
    EZ_VEC(uint32_t) process;        /* processes in the order of ranks, for MPI_COMM_WORLD; empty
                            * until the first link */
    EZ_VEC(uint32_t) rank;           /* index: container of a process; rank in MPI_COMM_WORLD */
    EZ_VEC(struct otf2_value) value; /* values of the item being written */
    EZ_VEC(struct otf2_attribute) attribute;
    /* strings that are values; their numbers in the archive are their indexes here */
    EZ_VEC(char *) text;
    struct ez_hash attributes_by, texts_by;
    struct otf2_record record; /* record of the item that is being written */
    bool has_request;          /* the link that is being written is that of a known request */
    EZ_VEC(uint8_t) sync;      /* index: name; enum sync_class */
    EZ_VEC(uint32_t) acquired; /* index: subject; how often the lock was acquired */
    struct ez_hash held;       /* container, subject -> acquisition */
    /* process, region -> container that encountered the region last; container, depth -> index in
     * `comm` of the team in which the container works */
    struct ez_hash encountered, working;
    struct ez_hash started_by; /* process and request of a nonblocking call -> index in `started` */
    EZ_VEC(struct otf2_started) started;
    struct ez_hash created; /* link of a creation -> the thread's number in its process */
    struct otf2_io *io;     /* conv_otf2_io.c; NULL until the first item */
    EZ_VEC(struct otf2_comm) comm;
    struct ez_hash comms_by, members; /* members: index in `comm`, process or location */
    struct ez_hash unsent;            /* open links whose MpiSend could not be written */
    struct ez_hash requests;          /* process, number of a request whose begin was written */
    uint64_t one_sided_links;
    ez_err *err; /* the first error */
    /* all callbacks are set, so the archive can be closed; otherwise the library would abort */
    bool closable;
    bool broken;    /* the library failed, so no function is called for the archive again */
    bool discarded; /* the archive is being closed and deleted */
};

/* conv_otf2_values.c: otf2_values_of sets s->value; otf2_words_of adds the arguments of an event to
 * s->value. otf2_attribute returns the index of an attribute, and defines the attribute if it is
 * new. otf2_put_values adds s->value to s->attributes and returns true if s->value had a value. */
void otf2_values_of(struct otf2 *s, const struct ez_event_data *d);
void otf2_words_of(struct otf2 *s, const struct ez_item *it);
uint32_t otf2_attribute(struct otf2 *s, const char *name, OTF2_Type type);
bool otf2_put_values(struct otf2 *s);
void otf2_values_free(struct otf2 *s);
/* conv_otf2_places.c: otf2_ok returns true if the code is OTF2_SUCCESS; otherwise sets s->err,
 * unless that is set, and returns false. */
bool otf2_ok(struct otf2 *s, OTF2_ErrorCode code);
bool otf2_set_callbacks(struct otf2 *s); /* call before any file is opened */
/* Returns the number of the region, metric or communicator with that name. */
uint32_t otf2_ref(struct otf2 *s, uint32_t name);
/* Returns the location of a container. The first call creates the location. */
uint32_t otf2_location(struct otf2 *s, uint32_t container);
/* Opens the event writer of a location. Returns NULL and sets s->err on error. */
OTF2_EvtWriter *otf2_open_writer(struct otf2 *s, struct otf2_place *p);
void otf2_end_place(struct otf2 *s, struct otf2_place *p); /* completes the location's file */

/* conv_otf2_comm.c: returns the number of the communicator of links with that name, and sets *peer
 * to the number by which these links refer to a container. */
uint32_t otf2_link_comm(struct otf2 *s, uint32_t name, uint32_t container, uint32_t *peer);
/* Returns true if links with that name are MPI messages between ranks. */
bool otf2_is_mpi(const struct otf2 *s, uint32_t name);
bool otf2_has_ranks(const struct otf2 *s);
/* Returns the process of a thread, or the container itself. */
uint32_t otf2_process_of(const struct otf2 *s, uint32_t container);
/* Returns the index of a communicator in s->comm; defines the communicator if it is new. */
uint32_t otf2_comm(struct otf2 *s, OTF2_Paradigm paradigm, uint64_t number);
/* Makes a process (MPI) or a location (OpenMP, pthread) a member of a communicator. */
void otf2_comm_add(struct otf2 *s, uint32_t comm, uint32_t member);
/* Returns true if the archive has communicators of that paradigm. */
bool otf2_has_comms(const struct otf2 *s, OTF2_Paradigm paradigm);
void otf2_comm_free(struct otf2 *s);
/* Creates a location for each rank that has none. Call before definitions are written. */
void otf2_comm_locations(struct otf2 *s);
/* Writes for each paradigm the group of all locations that communicate, in the order of ranks, and
 * a group for each communicator. *group is the number of the next group. string() defines a text if
 * it is new, and returns its number. */
void otf2_write_communicators(struct otf2 *s, OTF2_GlobalDefWriter *g, uint32_t *group,
                              uint32_t (*string)(void *arg, const char *text), void *arg);

/* conv_otf2_sync.c: otf2_record_of sets s->record; returns true if the item has no other
 * representation in the archive. The otf2_put_ functions write s->record if it is of their kinds:
 * otf2_put_begin after the Enter, otf2_put_end before the Leave, otf2_put_team before the Enter and
 * after the Leave, and otf2_put_thread for events and links. */
bool otf2_record_of(struct otf2 *s, const struct ez_item *it);
/* Writes the end of a collective call, or the completion of a nonblocking one. */
void otf2_put_collective(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it);
void otf2_put_begin(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it);
void otf2_put_end(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it);
void otf2_put_thread(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it);
void otf2_put_team(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it);
void otf2_sync_free(struct otf2 *s);

/* conv_otf2_io.c: otf2_io_record sets s->record if the item is about a file, and otherwise leaves
 * it. otf2_io_put writes the record; begin: the record of an operation is its begin. */
void otf2_io_record(struct otf2 *s, const struct ez_item *it);
void otf2_io_put(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it, bool begin);
/* string() and node() define a text or a host's node, and return its number. */
struct otf2_define {
    uint32_t (*string)(void *arg, const char *text);
    uint32_t (*node)(void *arg, const char *host);
    void *arg;
};
void otf2_write_io(struct otf2 *s, OTF2_GlobalDefWriter *g, const struct otf2_define *d);
void otf2_io_free(struct otf2 *s);

/* conv_otf2_roles.c */
struct otf2_kind {
    OTF2_Paradigm paradigm;
    OTF2_RegionRole role;
};
struct otf2_class { /* a paradigm for parallel programs */
    OTF2_Paradigm paradigm;
    const char *name;
    OTF2_ParadigmClass paradigm_class;
};
/* Returns the paradigm and the role of the region for a state or an event. */
struct otf2_kind otf2_kind_of(const struct ez_name *n);
/* Returns the parallel paradigms that the archive can have; the last element has no name. */
const struct otf2_class *otf2_classes(void);

/* Writes all definitions. Call this at the end, because the definition of a location contains its
 * number of events. */
void otf2_write_definitions(struct otf2 *s);

#endif
