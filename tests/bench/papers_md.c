/* SPDX-License-Identifier: GPL-3.0-or-later */
/* papers_md.c - stands in for the molecular dynamics of table 3 of paper 000: 4 OpenMP threads, and
 * a small function for each pair of atoms, so that there are millions of calls. papers_md [STEPS]
 * prints "papers: SECONDS CALLS" of pair(). */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 500, THREADS = 4 };

static double x[N][3], v[N][3], f[N][3];

__attribute__((noinline)) static double pair(const double *a, const double *b, double *force)
{
    double d[3], r2 = 0.01;
    for (int k = 0; k < 3; k++) {
        d[k] = a[k] - b[k];
        r2 += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++)
        force[k] += d[k] / (r2 * r2);
    return 1 / r2;
}

static double step(void)
{
    double energy = 0;
#pragma omp parallel for num_threads(THREADS) reduction(+ : energy) schedule(static)
    for (int i = 0; i < N; i++) {
        f[i][0] = f[i][1] = f[i][2] = 0;
        for (int j = 0; j < N; j++)
            if (i != j)
                energy += pair(x[i], x[j], f[i]);
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            v[i][k] += 1e-6 * f[i][k];
            x[i][k] += 1e-3 * v[i][k];
        }
    return energy;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 8;
    double energy = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = (double)((i * 7919 + k * 104729) % 1000) / 100;
    double start = omp_get_wtime();
    for (int i = 0; i < steps; i++)
        energy += step();
    printf("papers: %.6f %ld\n", omp_get_wtime() - start, (long)steps * N * (N - 1));
    fprintf(stderr, "energy %g\n", energy);
    return 0;
}
