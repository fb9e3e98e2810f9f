/* SPDX-License-Identifier: MIT */
/* mpi_others.h - collectives, one-sided communication and files: their states and bytes. For
 * mpi_probes.h.
 *
 * The bytes of a collective are those that this process sends; in a broadcast and a scatter, those
 * that this process sends or receives. Arguments that MPI ignores (MPI_IN_PLACE, arguments that
 * only the root uses) count as 0. */
#ifndef MPI_OTHERS_H
#define MPI_OTHERS_H

#include "mpi_call.h"

#define MPI_N(a) ((int64_t)(int)(a))
#define MPI_W(a) ((int64_t)(a)) /* MPI_Count, in functions whose names end in _c */

static inline uint64_t mpi_given(mpi_word buffer, int64_t count, mpi_word type)
{
    return buffer == mpi_lib.in_place ? 0 : mpi_size(count, type);
}

/* Returns the bytes of an operation with a root; 0 in the root's group of an intercommunicator,
 * where the argument root is negative. */
static inline uint64_t mpi_rooted(mpi_word buffer, int64_t count, mpi_word type, mpi_word root)
{
    return (int)root < 0 ? 0 : mpi_given(buffer, count, type);
}

/* Returns the bytes that this process sends to all members together. */
static inline uint64_t mpi_each(mpi_word buffer, int64_t count, mpi_word type, mpi_word comm)
{
    const struct mpi_comm *c = mpi_in(comm);
    return c ? mpi_given(buffer, count, type) * (uint64_t)c->peers : 0;
}

static inline uint64_t mpi_sum(mpi_word buffer, mpi_word counts, mpi_word type, mpi_word comm)
{
    const struct mpi_comm *c = mpi_in(comm);
    int64_t n = 0;
    for (int i = 0; c && buffer != mpi_lib.in_place && i < c->peers; i++)
        n += ((const int *)counts)[i];
    return n ? mpi_size(n, type) : 0;
}

/* ---- collectives; names with I are non-blocking ---------------------------------------------- */

MPI_COLLECTIVE(Barrier, 300, 1, a1, 0)
MPI_ICOLLECTIVE(Ibarrier, 301, 2, a1, 0)
MPI_ROOTED(Bcast, 302, 5, a5, a4, mpi_rooted(a1, MPI_N(a2), a3, a4))
MPI_IROOTED(Ibcast, 303, 6, a5, a4, mpi_rooted(a1, MPI_N(a2), a3, a4))
MPI_ROOTED(Bcast_c, 304, 5, a5, a4, mpi_rooted(a1, MPI_W(a2), a3, a4))
MPI_IROOTED(Ibcast_c, 305, 6, a5, a4, mpi_rooted(a1, MPI_W(a2), a3, a4))
MPI_ROOTED(Gather, 306, 8, a8, a7, mpi_rooted(a1, MPI_N(a2), a3, a7))
MPI_IROOTED(Igather, 307, 9, a8, a7, mpi_rooted(a1, MPI_N(a2), a3, a7))
MPI_ROOTED(Gather_c, 308, 8, a8, a7, mpi_rooted(a1, MPI_W(a2), a3, a7))
MPI_IROOTED(Igather_c, 309, 9, a8, a7, mpi_rooted(a1, MPI_W(a2), a3, a7))
MPI_ROOTED(Gatherv, 310, 9, a9, a8, mpi_rooted(a1, MPI_N(a2), a3, a8))
MPI_IROOTED(Igatherv, 311, 10, a9, a8, mpi_rooted(a1, MPI_N(a2), a3, a8))
MPI_ROOTED(Gatherv_c, 312, 9, a9, a8, mpi_rooted(a1, MPI_W(a2), a3, a8))
MPI_IROOTED(Igatherv_c, 313, 10, a9, a8, mpi_rooted(a1, MPI_W(a2), a3, a8))
MPI_ROOTED(Scatter, 314, 8, a8, a7, mpi_rooted(a4, MPI_N(a5), a6, a7))
MPI_IROOTED(Iscatter, 315, 9, a8, a7, mpi_rooted(a4, MPI_N(a5), a6, a7))
MPI_ROOTED(Scatter_c, 316, 8, a8, a7, mpi_rooted(a4, MPI_W(a5), a6, a7))
MPI_IROOTED(Iscatter_c, 317, 9, a8, a7, mpi_rooted(a4, MPI_W(a5), a6, a7))
MPI_ROOTED(Scatterv, 318, 9, a9, a8, mpi_rooted(a5, MPI_N(a6), a7, a8))
MPI_IROOTED(Iscatterv, 319, 10, a9, a8, mpi_rooted(a5, MPI_N(a6), a7, a8))
MPI_ROOTED(Scatterv_c, 320, 9, a9, a8, mpi_rooted(a5, MPI_W(a6), a7, a8))
MPI_IROOTED(Iscatterv_c, 321, 10, a9, a8, mpi_rooted(a5, MPI_W(a6), a7, a8))
MPI_COLLECTIVE(Allgather, 322, 7, a7, mpi_given(a1, MPI_N(a2), a3))
MPI_ICOLLECTIVE(Iallgather, 323, 8, a7, mpi_given(a1, MPI_N(a2), a3))
MPI_COLLECTIVE(Allgather_c, 324, 7, a7, mpi_given(a1, MPI_W(a2), a3))
MPI_ICOLLECTIVE(Iallgather_c, 325, 8, a7, mpi_given(a1, MPI_W(a2), a3))
MPI_COLLECTIVE(Allgatherv, 326, 8, a8, mpi_given(a1, MPI_N(a2), a3))
MPI_ICOLLECTIVE(Iallgatherv, 327, 9, a8, mpi_given(a1, MPI_N(a2), a3))
MPI_COLLECTIVE(Allgatherv_c, 328, 8, a8, mpi_given(a1, MPI_W(a2), a3))
MPI_ICOLLECTIVE(Iallgatherv_c, 329, 9, a8, mpi_given(a1, MPI_W(a2), a3))
MPI_COLLECTIVE(Alltoall, 330, 7, a7, mpi_each(a1, MPI_N(a2), a3, a7))
MPI_ICOLLECTIVE(Ialltoall, 331, 8, a7, mpi_each(a1, MPI_N(a2), a3, a7))
MPI_COLLECTIVE(Alltoall_c, 332, 7, a7, mpi_each(a1, MPI_W(a2), a3, a7))
MPI_ICOLLECTIVE(Ialltoall_c, 333, 8, a7, mpi_each(a1, MPI_W(a2), a3, a7))
MPI_COLLECTIVE(Alltoallv, 334, 9, a9, mpi_sum(a1, a2, a4, a9))
MPI_ICOLLECTIVE(Ialltoallv, 335, 10, a9, mpi_sum(a1, a2, a4, a9))
MPI_COLLECTIVE(Alltoallv_c, 336, 9, a9, 0)
MPI_ICOLLECTIVE(Ialltoallv_c, 337, 10, a9, 0)
MPI_COLLECTIVE(Alltoallw, 338, 9, a9, 0)
MPI_ICOLLECTIVE(Ialltoallw, 339, 10, a9, 0)
MPI_COLLECTIVE(Alltoallw_c, 340, 9, a9, 0)
MPI_ICOLLECTIVE(Ialltoallw_c, 341, 10, a9, 0)
MPI_ROOTED(Reduce, 342, 7, a7, a6, mpi_rooted(a1, MPI_N(a3), a4, a6))
MPI_IROOTED(Ireduce, 343, 8, a7, a6, mpi_rooted(a1, MPI_N(a3), a4, a6))
MPI_ROOTED(Reduce_c, 344, 7, a7, a6, mpi_rooted(a1, MPI_W(a3), a4, a6))
MPI_IROOTED(Ireduce_c, 345, 8, a7, a6, mpi_rooted(a1, MPI_W(a3), a4, a6))
MPI_COLLECTIVE(Allreduce, 346, 6, a6, mpi_given(a1, MPI_N(a3), a4))
MPI_ICOLLECTIVE(Iallreduce, 347, 7, a6, mpi_given(a1, MPI_N(a3), a4))
MPI_COLLECTIVE(Allreduce_c, 348, 6, a6, mpi_given(a1, MPI_W(a3), a4))
MPI_ICOLLECTIVE(Iallreduce_c, 349, 7, a6, mpi_given(a1, MPI_W(a3), a4))
MPI_COLLECTIVE(Reduce_scatter, 350, 6, a6, mpi_sum(a1, a3, a4, a6))
MPI_ICOLLECTIVE(Ireduce_scatter, 351, 7, a6, mpi_sum(a1, a3, a4, a6))
MPI_COLLECTIVE(Reduce_scatter_c, 352, 6, a6, 0)
MPI_ICOLLECTIVE(Ireduce_scatter_c, 353, 7, a6, 0)
MPI_COLLECTIVE(Reduce_scatter_block, 354, 6, a6, mpi_each(a1, MPI_N(a3), a4, a6))
MPI_ICOLLECTIVE(Ireduce_scatter_block, 355, 7, a6, mpi_each(a1, MPI_N(a3), a4, a6))
MPI_COLLECTIVE(Reduce_scatter_block_c, 356, 6, a6, mpi_each(a1, MPI_W(a3), a4, a6))
MPI_ICOLLECTIVE(Ireduce_scatter_block_c, 357, 7, a6, mpi_each(a1, MPI_W(a3), a4, a6))
MPI_COLLECTIVE(Scan, 358, 6, a6, mpi_given(a1, MPI_N(a3), a4))
MPI_ICOLLECTIVE(Iscan, 359, 7, a6, mpi_given(a1, MPI_N(a3), a4))
MPI_COLLECTIVE(Scan_c, 360, 6, a6, mpi_given(a1, MPI_W(a3), a4))
MPI_ICOLLECTIVE(Iscan_c, 361, 7, a6, mpi_given(a1, MPI_W(a3), a4))
MPI_COLLECTIVE(Exscan, 362, 6, a6, mpi_given(a1, MPI_N(a3), a4))
MPI_ICOLLECTIVE(Iexscan, 363, 7, a6, mpi_given(a1, MPI_N(a3), a4))
MPI_COLLECTIVE(Exscan_c, 364, 6, a6, mpi_given(a1, MPI_W(a3), a4))
MPI_ICOLLECTIVE(Iexscan_c, 365, 7, a6, mpi_given(a1, MPI_W(a3), a4))
MPI_COLLECTIVE(Neighbor_allgather, 366, 7, a7, mpi_given(a1, MPI_N(a2), a3))
MPI_ICOLLECTIVE(Ineighbor_allgather, 367, 8, a7, mpi_given(a1, MPI_N(a2), a3))
MPI_COLLECTIVE(Neighbor_allgather_c, 368, 7, a7, mpi_given(a1, MPI_W(a2), a3))
MPI_ICOLLECTIVE(Ineighbor_allgather_c, 369, 8, a7, mpi_given(a1, MPI_W(a2), a3))
MPI_COLLECTIVE(Neighbor_allgatherv, 370, 8, a8, mpi_given(a1, MPI_N(a2), a3))
MPI_ICOLLECTIVE(Ineighbor_allgatherv, 371, 9, a8, mpi_given(a1, MPI_N(a2), a3))
MPI_COLLECTIVE(Neighbor_allgatherv_c, 372, 8, a8, mpi_given(a1, MPI_W(a2), a3))
MPI_ICOLLECTIVE(Ineighbor_allgatherv_c, 373, 9, a8, mpi_given(a1, MPI_W(a2), a3))
MPI_COLLECTIVE(Neighbor_alltoall, 374, 7, a7, 0)
MPI_ICOLLECTIVE(Ineighbor_alltoall, 375, 8, a7, 0)
MPI_COLLECTIVE(Neighbor_alltoall_c, 376, 7, a7, 0)
MPI_ICOLLECTIVE(Ineighbor_alltoall_c, 377, 8, a7, 0)
MPI_COLLECTIVE(Neighbor_alltoallv, 378, 9, a9, 0)
MPI_ICOLLECTIVE(Ineighbor_alltoallv, 379, 10, a9, 0)
MPI_COLLECTIVE(Neighbor_alltoallv_c, 380, 9, a9, 0)
MPI_ICOLLECTIVE(Ineighbor_alltoallv_c, 381, 10, a9, 0)
MPI_COLLECTIVE(Neighbor_alltoallw, 382, 9, a9, 0)
MPI_ICOLLECTIVE(Ineighbor_alltoallw, 383, 10, a9, 0)
MPI_COLLECTIVE(Neighbor_alltoallw_c, 384, 9, a9, 0)
MPI_ICOLLECTIVE(Ineighbor_alltoallw_c, 385, 10, a9, 0)

/* ---- one-sided: the target is a rank of the window ------------------------------------------- */

#define MPI_ONE_SIDED(f, number, n, target, bytes)                                                 \
    EZT_WORDS(number, "target:int bytes:uint")                                                     \
    MPI_BEGIN(f, number, n)                                                                        \
    ezt_event2(number, (uint64_t)(int)(target), bytes);                                            \
    return orig_##f(MPI_A##n);                                                                     \
    MPI_END

MPI_ONE_SIDED(Put, 420, 8, a4, mpi_size(MPI_N(a2), a3))
MPI_ONE_SIDED(Put_c, 421, 8, a4, mpi_size(MPI_W(a2), a3))
MPI_ONE_SIDED(Get, 422, 8, a4, mpi_size(MPI_N(a2), a3))
MPI_ONE_SIDED(Get_c, 423, 8, a4, mpi_size(MPI_W(a2), a3))
MPI_ONE_SIDED(Accumulate, 424, 9, a4, mpi_size(MPI_N(a2), a3))
MPI_ONE_SIDED(Accumulate_c, 425, 9, a4, mpi_size(MPI_W(a2), a3))
MPI_ONE_SIDED(Get_accumulate, 426, 12, a7, mpi_size(MPI_N(a5), a6))
MPI_ONE_SIDED(Get_accumulate_c, 427, 12, a7, mpi_size(MPI_W(a5), a6))
MPI_ONE_SIDED(Fetch_and_op, 428, 7, a4, mpi_size(1, a3))
MPI_ONE_SIDED(Compare_and_swap, 429, 7, a5, mpi_size(1, a4))
MPI_ONE_SIDED(Rput, 430, 9, a4, mpi_size(MPI_N(a2), a3))
MPI_ONE_SIDED(Rput_c, 431, 9, a4, mpi_size(MPI_W(a2), a3))
MPI_ONE_SIDED(Rget, 432, 9, a4, mpi_size(MPI_N(a2), a3))
MPI_ONE_SIDED(Rget_c, 433, 9, a4, mpi_size(MPI_W(a2), a3))
MPI_ONE_SIDED(Raccumulate, 434, 10, a4, mpi_size(MPI_N(a2), a3))
MPI_ONE_SIDED(Raccumulate_c, 435, 10, a4, mpi_size(MPI_W(a2), a3))
MPI_ONE_SIDED(Rget_accumulate, 436, 13, a7, mpi_size(MPI_N(a5), a6))
MPI_ONE_SIDED(Rget_accumulate_c, 437, 13, a7, mpi_size(MPI_W(a5), a6))

/* Replaces MPI_f, which makes a window on a communicator. */
#define MPI_MAKES_WINDOW(f, number, n, on, made)                                                   \
    EZT_WORDS(number, "comm:hex")                                                                  \
    MPI_BEGIN(f, number, n)                                                                        \
    const struct mpi_comm *c = mpi_in(on);                                                         \
    ezt_event1(number, mpi_comm_id(c));                                                            \
    int r = orig_##f(MPI_A##n);                                                                    \
    if (!r && mpi_ready())                                                                         \
        mpi_win_learn(mpi_handle_at(made, 0), c);                                                  \
    return r;                                                                                      \
    MPI_END

MPI_MAKES_WINDOW(Win_create, 450, 6, a5, a6)
MPI_MAKES_WINDOW(Win_allocate, 451, 6, a4, a6)
MPI_MAKES_WINDOW(Win_allocate_shared, 452, 6, a4, a6)
MPI_MAKES_WINDOW(Win_create_dynamic, 453, 3, a2, a3)
MPI_STATE(Win_attach, 454, 3)
MPI_STATE(Win_detach, 455, 2)

EZT_WORDS(456, "window:hex")
MPI_BEGIN(Win_free, 456, 1)
uint64_t handle = mpi_ready() ? mpi_handle_at(a1, 0) : 0;
ezt_event1(456, mpi_win_id(handle));
mpi_comm_forget(handle);
return orig_Win_free(MPI_A1);
MPI_END

EZT_WORDS(457, "window:hex")
MPI_BEGIN(Win_fence, 457, 2)
ezt_event1(457, mpi_ready() ? mpi_win_id(mpi_handle(a2)) : 0);
return orig_Win_fence(MPI_A2);
MPI_END

MPI_STATE(Win_start, 458, 3)
MPI_STATE(Win_complete, 459, 1)
MPI_STATE(Win_post, 460, 3)
MPI_STATE(Win_wait, 461, 1)
MPI_STATE(Win_test, 462, 2)
MPI_STATE(Win_lock, 463, 4)
MPI_STATE(Win_lock_all, 464, 2)
MPI_STATE(Win_unlock, 465, 2)
MPI_STATE(Win_unlock_all, 466, 1)
MPI_STATE(Win_flush, 467, 2)
MPI_STATE(Win_flush_all, 468, 1)
MPI_STATE(Win_flush_local, 469, 2)
MPI_STATE(Win_flush_local_all, 470, 1)
MPI_STATE(Win_sync, 471, 1)

/* ---- probes, processes ------------------------------------------------------------------------------ */

MPI_STATE(Probe, 480, 4)
MPI_STATE(Iprobe, 481, 5)
MPI_STATE(Request_get_status, 482, 3)
MPI_STATE(Comm_spawn, 483, 8)
MPI_STATE(Comm_spawn_multiple, 484, 9)
MPI_STATE(Comm_accept, 485, 5)
MPI_STATE(Comm_connect, 486, 5)
MPI_STATE(Comm_join, 487, 2)

/* ---- files ------------------------------------------------------------------------------------------- */

MPI_STATE(File_open, 500, 5)
MPI_STATE(File_close, 501, 1)
MPI_STATE(File_delete, 502, 2)
MPI_STATE(File_set_size, 503, 2)
MPI_STATE(File_preallocate, 504, 2)
MPI_STATE(File_set_view, 505, 6)
MPI_STATE(File_seek, 506, 3)
MPI_STATE(File_seek_shared, 507, 3)
MPI_STATE(File_sync, 508, 1)
MPI_STATE(File_read, 509, 5)
MPI_STATE(File_read_all, 510, 5)
MPI_STATE(File_read_at, 511, 6)
MPI_STATE(File_read_at_all, 512, 6)
MPI_STATE(File_read_shared, 513, 5)
MPI_STATE(File_read_ordered, 514, 5)
MPI_STATE(File_read_all_begin, 515, 4)
MPI_STATE(File_read_all_end, 516, 3)
MPI_STATE(File_read_at_all_begin, 517, 5)
MPI_STATE(File_read_at_all_end, 518, 3)
MPI_STATE(File_read_ordered_begin, 519, 4)
MPI_STATE(File_read_ordered_end, 520, 3)
MPI_STATE(File_iread, 521, 5)
MPI_STATE(File_iread_all, 522, 5)
MPI_STATE(File_iread_at, 523, 6)
MPI_STATE(File_iread_at_all, 524, 6)
MPI_STATE(File_iread_shared, 525, 5)
MPI_STATE(File_write, 526, 5)
MPI_STATE(File_write_all, 527, 5)
MPI_STATE(File_write_at, 528, 6)
MPI_STATE(File_write_at_all, 529, 6)
MPI_STATE(File_write_shared, 530, 5)
MPI_STATE(File_write_ordered, 531, 5)
MPI_STATE(File_write_all_begin, 532, 4)
MPI_STATE(File_write_all_end, 533, 3)
MPI_STATE(File_write_at_all_begin, 534, 5)
MPI_STATE(File_write_at_all_end, 535, 3)
MPI_STATE(File_write_ordered_begin, 536, 4)
MPI_STATE(File_write_ordered_end, 537, 3)
MPI_STATE(File_iwrite, 538, 5)
MPI_STATE(File_iwrite_all, 539, 5)
MPI_STATE(File_iwrite_at, 540, 6)
MPI_STATE(File_iwrite_at_all, 541, 6)
MPI_STATE(File_iwrite_shared, 542, 5)

#endif
