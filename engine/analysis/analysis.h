/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analysis.h - why threads and processes wait for each other.
 *
 * The analysis reads the items of a model, in the order of time, once. It uses the states and links
 * of the modules mpi, openmp and pthread, and attributes the waiting times:
 *
 *   A WAIT is a span of time in which a thread could not go on until another thread, the late one,
 *   did something: sent a message, entered a collective operation, released a lock.
 *
 *   A CAUSE is a call path of a late thread. A wait is charged to the call paths in which the late
 *   thread spent more time than the waiting thread since both last met (in a message, a collective
 *   operation or a barrier): this is the short-term cost of the path. If the late thread itself
 *   waited in this span, the causes of that wait are charged with a share: their long-term cost. A
 *   wait for a lock is charged to what the holders of the lock did meanwhile.
 *
 *   The CRITICAL PATH is the chain of activities that determines the run time: the path of the
 *   thread that ends last; at the end of a wait it continues with the path of the late thread. The
 *   times of all call paths on it add up to the run time.
 *
 * The patterns of waits are those of Scalasca ("performance properties"), the delay costs follow
 * Böhme et al., the efficiencies are POP's (doc/REFERENCES.md). There is no second reading: a wait
 * is judged when it ends, and keeps the shares of its causes for waits that depend on it. Memory
 * depends on the number of threads, call paths and open messages, not on the length of the trace.
 *
 * Tests: tests/unit/analysis/check_analysis.c, tests/trace/analyze.sh */
#ifndef EZ_ANALYSIS_H
#define EZ_ANALYSIS_H

#include "engine/trace/model.h"

enum ez_wait_kind {
    EZ_WAIT_NONE,
    EZ_WAIT_LATE_SENDER,
    EZ_WAIT_WRONG_ORDER,    /* late sender, and a message that is received later was sent earlier */
    EZ_WAIT_LATE_RECEIVER,  /* a send that waits until the receive is posted */
    EZ_WAIT_LATE_PROGRESS,  /* a send that waits until the receiver calls MPI again */
    EZ_WAIT_EARLY_REDUCE,   /* the root, until the first other member comes */
    EZ_WAIT_LATE_REDUCE,    /* the root, from the first to the last other member */
    EZ_WAIT_LATE_BROADCAST, /* a member, until the root comes */
    EZ_WAIT_NXN,            /* a member of an all-to-all operation, until the last member comes */
    EZ_WAIT_BARRIER,        /* MPI_Barrier, likewise */
    EZ_WAIT_FINALIZE,       /* in MPI_Finalize, until the last process calls it */
    EZ_WAIT_OMP_BARRIER,    /* explicit barriers, and the end of a parallel region */
    EZ_WAIT_OMP_CRITICAL,
    EZ_WAIT_OMP_LOCK,
    EZ_WAIT_OMP_IDLE, /* threads of a team between two parallel regions */
    EZ_WAIT_OMP_TASKS,
    EZ_WAIT_MUTEX, /* also read and write locks and spin locks */
    EZ_WAIT_CONDITION,
    EZ_WAIT_THREAD_BARRIER, /* pthread_barrier_wait() */
    EZ_WAIT_SEMAPHORE,
    EZ_WAIT_JOIN,
    EZ_WAITS
};
/* Returns the name for programs ("late_sender"), and the one for users ("late sender"). */
const char *ez_wait_name(enum ez_wait_kind kind);
const char *ez_wait_title(enum ez_wait_kind kind);

enum ez_time_kind {
    EZ_TIME_USEFUL,  /* outside of MPI, and not in a wait */
    EZ_TIME_WAIT,    /* in waits of all kinds */
    EZ_TIME_MPI,     /* in MPI calls, without the waits */
    EZ_TIME_RUNTIME, /* in OpenMP and in functions of threads, without the waits */
    EZ_TIME_OURS,    /* waiting for the trace, or events are lost */
    EZ_TIMES
};

/* A node of the tree of call paths. Recursion is folded: no path has a name twice. Node 0 is the
 * root: outside of all recorded functions. A parent's index is smaller than its child's. */
struct ez_path_node {
    uint32_t parent;
    uint32_t name;    /* EZ_NONE_IDX for the root, and for the node of a subject */
    uint32_t subject; /* of a parallel region: its code; else EZ_NONE_IDX */
};

struct ez_thread_row { /* a thread */
    uint32_t container, process;
    bool mpi; /* the thread calls MPI */
    uint64_t time[EZ_TIMES];
    /* parts of time[EZ_TIME_USEFUL] in which the thread was preempted, and slept */
    uint64_t preempted_ns, slept_ns;
    /* parts of time[EZ_TIME_MPI] in which the thread was preempted */
    uint64_t mpi_preempted_ns;
    uint64_t outside_ns; /* time outside of MPI calls */
    uint64_t absent_ns;  /* before the thread's first event and after its last one */
};

struct ez_wait_row { /* the waits of one kind in one call path of a thread */
    enum ez_wait_kind kind;
    uint32_t path, thread; /* thread: index in ez_analysis.thread */
    uint64_t count, ns;
    uint64_t longest_ns, longest_start_ns;
    uint32_t longest_cause; /* thread that was late at the longest wait */
    uint64_t operation;     /* the last one counted; for the analysis alone */
};

struct ez_victim { /* waits that a cause is charged with */
    uint32_t thread;
    uint32_t call; /* name of the call that waits, EZ_NONE_IDX if none */
    double ns;
};

struct ez_cause_row {         /* a call path of a thread */
    uint32_t path, thread;    /* thread: EZ_NONE_IDX for causes that are not known one by one */
    uint64_t own_ns;          /* time that the thread spent there, waits excluded */
    uint64_t mean_ns, max_ns; /* of own_ns, over all threads that are compared (peers) */
    double short_ns, long_ns;
    int64_t critical_ns;      /* time on the critical path */
    struct ez_victim *victim; /* sorted by falling ns */
    size_t victims;
};

struct ez_collective_row {
    uint32_t name;
    uint64_t calls, bytes, ns, wait_ns;
};

struct ez_efficiency { /* factors between 0 and 1; NAN if they do not apply */
    double parallel;
    double mpi, load_balance, communication, serialisation, transfer;
    double openmp; /* of the threads, in the time outside of MPI */
    double ran;    /* part of the useful time in which the thread was not preempted */
};

struct ez_analysis {
    uint64_t from_ns, to_ns; /* span that is analysed: between MPI_Init and MPI_Finalize, if any */
    uint64_t area_ns;        /* span times number of threads */
    struct ez_thread_row *thread;
    size_t threads;
    size_t processes, mpi_processes;
    struct ez_path_node *node;
    size_t nodes;
    struct ez_wait_row *wait; /* sorted by falling ns */
    size_t waits;
    struct ez_cause_row *cause; /* all call paths of all threads; sorted by falling cost */
    size_t causes;
    struct ez_collective_row *collective; /* sorted by falling ns */
    size_t collectives;
    struct ez_efficiency eff;
    uint64_t ideal_ns;     /* run time if messages took no time */
    double unknown_ns;     /* waits whose cause is not known */
    uint64_t backwards;    /* messages that were received before they were sent */
    uint64_t backwards_ns; /* largest such difference */
    uint64_t missing;      /* ranks of the jobs that have no thread here */
    uint64_t unpaired;     /* messages of which only the start is in the trace */
    bool lost;             /* events are missing, so waits may be missing */
    bool modules;          /* the trace has names of module mpi, openmp or pthread */
};

struct ez_analysis *ez_analysis_create(const struct ez_model *m);
/* Adds an item. The function is an ez_item_fn, and analysis a struct ez_analysis. */
ez_err *ez_analysis_item(void *analysis, const struct ez_item *it);
/* Fills in the tables. Call once, after the last item. */
void ez_analysis_finish(struct ez_analysis *a);
void ez_analysis_free(struct ez_analysis *a);

/* Returns the path as text, "main/solve/MPI_Recv". The caller frees the text. */
char *ez_analysis_path(const struct ez_analysis *a, uint32_t node);

#endif
