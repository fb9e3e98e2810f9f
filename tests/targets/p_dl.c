/* SPDX-License-Identifier: MIT */
/* p_dl.c - p_dl LIB ROUNDS CALLS [LOADED CLOSED]: loads the library, calls lib_mix, closes it,
 * again. Waits for a file before the calls, and for another when it is closed. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void await(const char *file)
{
    while (file && access(file, F_OK))
        usleep(1000);
}

int main(int argc, char **argv)
{
    unsigned sum = 0, rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    unsigned calls = argc > 3 ? (unsigned)atoi(argv[3]) : 10;
    for (unsigned r = 0; r < rounds; r++) {
        void *h = dlopen(argv[1], RTLD_NOW);
        if (!h) {
            fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
        unsigned (*mix)(unsigned, unsigned) = (unsigned (*)(unsigned, unsigned))dlsym(h, "lib_mix");
        await(argc > 5 ? argv[4] : NULL);
        for (unsigned i = 0; mix && i < calls; i++)
            sum = sum * 31 + mix(i, sum);
        dlclose(h);
        await(argc > 5 ? argv[5] : NULL);
    }
    printf("%u loads, %u calls: %u\n", rounds, calls, sum);
    return 0;
}
