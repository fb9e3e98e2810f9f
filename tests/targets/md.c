/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md.c - a plain program of molecular dynamics: its functions are static, so that the compiler sees
 * all calls. At -O2 gcc's callers keep values in "caller-saved"
 * registers, xmm included, across calls of them (-fipa-ra), so a probe that spares only
 * what the ABI asks for changes the printed bits. Deterministic with 8 threads.
 *
 * md STEPS: makes STEPS steps instead of the usual number.
 * md N STOP READY: N threads, over and over until the file STOP exists; makes the file
 * READY when all have begun. Prints how often a result differed from the first one. */
#include "target.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define MOST 64
#define ATOMS 96
#define STEPS 30

struct box {
    double pos[ATOMS][3], vel[ATOMS][3], force[ATOMS][3];
    double energy;
    unsigned long pairs, moves, seeds, sums;
};
static struct box boxes[MOST];
static const char *stop; /* NULL = once                                          */
static int steps = STEPS;
static atomic_ulong wrong, begun, rounds;

/* No static function here may be opaque: IPA-RA needs to see the body. */
static NI double wrap(double d)
{
    if (d > 4.0)
        return d - 8.0;
    if (d < -4.0)
        return d + 8.0;
    return d;
}

static NI double inverse6(double r2)
{
    double i = 1.0 / (r2 + 0.25);
    return i * i * i;
}

static NI double pair(struct box *b, int i, int j)
{
    double dx = wrap(b->pos[i][0] - b->pos[j][0]);
    double dy = wrap(b->pos[i][1] - b->pos[j][1]);
    double dz = wrap(b->pos[i][2] - b->pos[j][2]);
    double r2 = dx * dx + dy * dy + dz * dz;
    double s = inverse6(r2), f = 24.0 * s * (2.0 * s - 1.0) / (r2 + 0.25);
    b->pairs++;
    b->force[i][0] += f * dx;
    b->force[i][1] += f * dy;
    b->force[i][2] += f * dz;
    b->force[j][0] -= f * dx;
    b->force[j][1] -= f * dy;
    b->force[j][2] -= f * dz;
    return 4.0 * s * (s - 1.0);
}

static NI double clamp(double v, double a, double b, double c)
{
    double w = v + 1e-9 * (a - b) * c;
    return w > 2.0 ? 2.0 : w < -2.0 ? -2.0 : w;
}

static NI void move(struct box *b, int i, double dt)
{
    b->moves++;
    for (int k = 0; k < 3; k++) {
        b->vel[i][k] = clamp(b->vel[i][k] + dt * b->force[i][k], b->pos[i][k], dt, 0.5);
        b->pos[i][k] = wrap(b->pos[i][k] + dt * b->vel[i][k]);
    }
}

static NI double kinetic(struct box *b)
{
    double e = 0;
    b->sums++;
    for (int i = 0; i < ATOMS; i++)
        e += 0.5 * (b->vel[i][0] * b->vel[i][0] + b->vel[i][1] * b->vel[i][1] +
                    b->vel[i][2] * b->vel[i][2]);
    return e;
}

static NI double seeded(struct box *b, unsigned *state)
{
    b->seeds++;
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24) * 8.0 - 4.0;
}

static void *simulate(void *arg)
{
    struct box *b = arg;
    unsigned state = (unsigned)(b - boxes) * 7919u + 1;
    memset(b->vel, 0, sizeof b->vel);
    for (int i = 0; i < ATOMS; i++)
        for (int k = 0; k < 3; k++)
            b->pos[i][k] = seeded(b, &state);
    for (int s = 0; s < steps; s++) {
        memset(b->force, 0, sizeof b->force);
        b->energy = 0;
        for (int i = 0; i < ATOMS; i++)
            for (int j = i + 1; j < ATOMS; j++)
                b->energy += pair(b, i, j);
        for (int i = 0; i < ATOMS; i++)
            move(b, i, 1.0 / 512);
        b->energy += kinetic(b);
    }
    return NULL;
}

/* Compute again and again; the result must have the same bits each time. */
static void *busy(void *arg)
{
    struct box *b = arg, first;
    simulate(b);
    first = *b;
    begun++;
    while (access(stop, F_OK)) {
        simulate(b);
        rounds++;
        wrong += memcmp(first.pos, b->pos, sizeof first.pos) ||
                 memcmp(first.vel, b->vel, sizeof first.vel) || first.energy != b->energy;
    }
    return NULL;
}

static int until_stopped(int threads, const char *ready)
{
    pthread_t t[MOST];
    for (int i = 0; i < threads; i++)
        if (pthread_create(&t[i], NULL, busy, &boxes[i]))
            return 1;
    while (begun < (unsigned long)threads)
        usleep(1000);
    close(open(ready, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    printf("wrong %lu\n", wrong);
    fprintf(stderr, "rounds %lu\n", rounds);
    return 12;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];
    struct box all = { .energy = 0 };
    bounded();
    if (argc == 2)
        steps = atoi(argv[1]);
    if (argc > 3) {
        stop = argv[2];
        return until_stopped(atoi(argv[1]) < MOST ? atoi(argv[1]) : MOST, argv[3]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, simulate, &boxes[i]);
    for (int i = 0; i < THREADS; i++) {
        struct box *b = &boxes[i];
        pthread_join(t[i], NULL);
        printf("%d %a %a %a\n", i, b->energy, b->pos[ATOMS / 2][1], sqrt(fabs(b->vel[3][2])));
        all.pairs += b->pairs;
        all.moves += b->moves;
        all.seeds += b->seeds;
        all.sums += b->sums;
    }
    claim("count", "pair", all.pairs);
    claim("exits", "pair", all.pairs);
    claim("count", "move", all.moves);
    claim("exits", "move", all.moves);
    claim("count", "seeded", all.seeds);
    claim("exits", "seeded", all.seeds);
    claim("count", "kinetic", all.sums);
    claim("exits", "kinetic", all.sums);
    claim("count", "inverse6", all.pairs);
    claim("count", "simulate", THREADS);
    return 11;
}
