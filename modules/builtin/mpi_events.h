/* SPDX-License-Identifier: MIT */
/* mpi_events.h - numbers of the module's events that engine/trace/interp_mpi.c reads. That file
 * includes this one, so this file has only numbers. A process is its rank in MPI_COMM_WORLD.
 *
 * A message is sent at MPI_EV_SEND, or at an event that begins a sending call. A receive is posted
 * first, and completes later. Words of events: comm: the communicator's number (mpi_comm.h). dest,
 * source: -2 = none, so there is no message; source, tag: -1 = any. id: number of a message that a
 * request sends or receives, or of a collective operation, in its process; 0 = there is none. */
#ifndef MPI_EVENTS_H
#define MPI_EVENTS_H

#define MPI_EV_POP 91      /* a call ends */
#define MPI_EV_RANK 92     /* rank, size: of this process in MPI_COMM_WORLD */
#define MPI_EV_COMPLETE 93 /* id, source, tag: a receive is complete; the three words may repeat */
#define MPI_EV_SEND 94     /* comm, dest, tag, bytes, id: a persistent request starts */
#define MPI_EV_POST 95     /* end of a call that posted a receive without an id: source, tag */
#define MPI_EV_RECEIVED 96 /* a call ends that posted a receive without an id: source, tag */
#define MPI_EV_UNSENT 97   /* the call failed, so its message was not sent */
#define MPI_EV_SENT 98     /* id: a request has sent its message; the word may repeat */
#define MPI_EV_DONE 99     /* id: a non-blocking collective operation is complete */

/* Events at the start of calls. Each range has one number for each function. */
#define MPI_EV_SENDS 100      /* to 119, blocking: comm, dest, tag, bytes */
#define MPI_EV_ISENDS 120     /* to 139, non-blocking: comm, dest, tag, bytes, id */
#define MPI_EV_RECVS 140      /* to 149, blocking: comm, source, tag */
#define MPI_EV_IRECVS 150     /* to 159, non-blocking: comm, source, tag, id */
#define MPI_EV_SENDRECVS 160  /* to 169, blocking: comm, dest, tag, bytes, source, its tag */
#define MPI_EV_ISENDRECVS 170 /* to 179: as SENDRECVS, id of the receive, of the send */
#define MPI_EV_OTHERS 180     /* all other calls */

#endif
