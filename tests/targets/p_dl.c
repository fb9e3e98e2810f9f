/* SPDX-License-Identifier: MIT */
/* p_dl.c - p_dl LIB ROUNDS CALLS: loads the library, calls lib_mix, closes it, again. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

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
        for (unsigned i = 0; mix && i < calls; i++)
            sum = sum * 31 + mix(i, sum);
        dlclose(h);
    }
    printf("%u loads, %u calls: %u\n", rounds, calls, sum);
    return 0;
}
