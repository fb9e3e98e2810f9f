/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stamps_f.c - stamps.h for Fortran: the functions that waits_mpi.f90 calls. */
#include "tests/trace/stamps.h"

long long stamp_time(void)
{
    return stamp_now();
}

void stamp_words(long long before, long long after, const char *words, int length)
{
    stamp_note(before, after, "%.*s", length, words);
}

void stamp_begin(int phase)
{
    static const char *const name[] = { "main", "late_sender", "late_receiver", "broadcast",
                                        "allreduce" };
    if (!stamps)
        stamps_begin();
    stamp_phase = name[phase];
    if (phase)
        stamp_note(stamp_now(), stamp_now(), "begins");
}

void stamp_written(int rank)
{
    stamps_write(rank);
}

void stamp_sleep(int ms)
{
    struct timespec t = { 0, ms * 1000000L };
    nanosleep(&t, NULL);
}
