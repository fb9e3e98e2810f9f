/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer.c - the program that other tools and ours trace for peers.sh: calls compute() as
 * often as it is told, in rounds, and prints the median of nanoseconds a call. compute() is
 * its own, or a library's: -DPEER_PROGRAM and -DPEER_LIBRARY make the two halves. */
#include <stdio.h>

#include "engine/check/cost/kernels.h"

int compute(int x);

#ifndef PEER_PROGRAM
/* Its first instruction has room for everybody's jump: fast tracepoints move only one. */
__attribute__((noinline, noclone)) int compute(int x)
{
    int y;
    __asm__ volatile("leal 0x12345678(%q1), %0" : "=r"(y) : "r"(x));
    return y;
}
#endif

#ifndef PEER_LIBRARY
int main(int argc, char **argv)
{
    enum { ROUNDS = 9 };
    static double sample[ROUNDS];
    long calls = argc > 1 ? atol(argv[1]) : 100000;
    cost_pin();
    for (int r = 0; r < ROUNDS; r++)
        sample[r] = cost_round(compute, (int)(calls / ROUNDS));
    fprintf(stderr, "peer: %.2f\n", cost_median(sample, ROUNDS));
    return 0;
}
#endif
