/* SPDX-License-Identifier: MIT */
/* md.c - atoms of a liquid, in a box whose sides meet: their forces by Lennard and Jones, their paths by
 * the velocity Verlet method, in OpenMP. Prints the energy of an atom: kinetic, potential, and both,
 * which stays as it is. md [STEPS]
 *
 * potential() gives each thread as many atoms, and the first ones have the most partners: its
 * threads are not done at the same time. forces() does twice the work, evenly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 5 /* of 4 atoms each, along a side */
#define N (4 * CELLS * CELLS * CELLS)
#define DENSITY 0.8442
#define CUT2 (2.5 * 2.5) /* farther atoms do not matter */
#define DT 0.002

static double x[N][3], v[N][3], f[N][3], side;

/* A cubic lattice with atoms in the middles of its faces, and velocities that are the same each time. */
static void begin(void)
{
    static const double at[4][3] = { { 0, 0, 0 }, { 0, .5, .5 }, { .5, 0, .5 }, { .5, .5, 0 } };
    double mean[3] = { 0, 0, 0 };
    unsigned random = 12345;
    side = cbrt(N / DENSITY);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            int cell = k == 0   ? i / 4 % CELLS
                       : k == 1 ? i / 4 / CELLS % CELLS
                                : i / 4 / CELLS / CELLS;
            random = random * 1664525 + 1013904223;
            x[i][k] = (cell + at[i % 4][k]) * side / CELLS;
            v[i][k] = 4.5 * (random >> 8) / (1 << 24);
            mean[k] += v[i][k] / N;
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            v[i][k] -= mean[k];
}

/* The way from atom j to the next image of atom i; returns its square. */
static double way(int i, int j, double d[3])
{
    for (int k = 0; k < 3; k++) {
        d[k] = x[i][k] - x[j][k];
        d[k] -= side * rint(d[k] / side);
    }
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static void forces(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++) {
        double sum[3] = { 0, 0, 0 }, d[3];
        for (int j = 0; j < N; j++) {
            double r2 = j == i ? CUT2 : way(i, j, d);
            if (r2 >= CUT2)
                continue;
            double r6 = 1 / (r2 * r2 * r2), size = 48 * r6 * (r6 - .5) / r2;
            for (int k = 0; k < 3; k++)
                sum[k] += size * d[k];
        }
        for (int k = 0; k < 3; k++)
            f[i][k] = sum[k];
    }
}

static double potential(void)
{
    const double cut6 = 1 / (CUT2 * CUT2 * CUT2);
    double all = 0;
#pragma omp parallel
    {
        double mine = 0, d[3];
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++) {
                double r2 = way(i, j, d), r6 = 1 / (r2 * r2 * r2);
                if (r2 < CUT2)
                    mine += 4 * (r6 * (r6 - 1) - cut6 * (cut6 - 1));
            }
#pragma omp critical
        all += mine;
    }
    return all;
}

/* Velocities for half a step, and if `go` is not 0, places for a whole one. */
static void move(double go)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            v[i][k] += DT / 2 * f[i][k];
            x[i][k] += go * DT * v[i][k];
        }
}

static double kinetic(void)
{
    double all = 0;
    for (int i = 0; i < N; i++)
        all += (v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]) / 2;
    return all;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 100;
    begin();
    forces();
    for (int i = 1; i <= steps; i++) {
        move(1);
        forces();
        move(0);
        double k = kinetic() / N, p = potential() / N;
        if (i % 20 == 0 || i == steps)
            printf("step %3d: %.6f %.6f %.6f\n", i, k, p, k + p);
    }
    return 0;
}
