/* SPDX-License-Identifier: GPL-3.0-or-later */
/* births.c - threads are born while probes come and go (fault 40).
 *
 * births STOP READY: creates READY once it runs, then threads in batches of 32 until at
 * least 3,200 were born and the file STOP exists. */
#include "target.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

#define BATCH 32
#define BIRTHS 3200
#define TOO_MANY 400000

static atomic_ulong wrong, ran;

NI long steady(long x) /* probed all the time */
{
    OPAQUE;
    return x * 2;
}

NI long flipped(long x) /* probed now and then */
{
    long r = steady(x) + 1;
    OPAQUE;
    return r;
}

NI void *body(void *arg)
{
    long x = (long)arg;
    if (flipped(x) != 2 * x + 1 || steady(x) != 2 * x)
        wrong++;
    ran++;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[BATCH];
    unsigned long born = 0;
    bounded();
    if (argc > 2)
        close(open(argv[2], O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    while (born < BIRTHS || (argc > 1 && access(argv[1], F_OK) && born < TOO_MANY)) {
        for (long i = 0; i < BATCH; i++)
            if (pthread_create(&t[i], NULL, body, (void *)i))
                return 1;
        for (int i = 0; i < BATCH; i++)
            pthread_join(t[i], NULL);
        born += BATCH;
    }
    printf("wrong %lu, %s\n", wrong, ran == born ? "all ran" : "some did not run");
    claim("count", "body", born);
    claim("exits", "body", born);
    claim("count", "steady", 2 * born);
    claim("exits", "steady", 2 * born);
    fprintf(stderr, "enough %d\n", born < TOO_MANY);
    return 40;
}
