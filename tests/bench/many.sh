#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# many.sh - print a C program with 10,000 functions. `many N` calls the first N times;
# without an argument it waits until it is killed, five minutes at most.
awk 'BEGIN {
    print "#include <stdlib.h>\n#include <unistd.h>"
    for (i = 0; i < 10000; i++)
        printf "__attribute__((noinline)) long f_%d(long a, long b)\n{\n    volatile long v[%d];\n    v[0] = a + %d;\n    return v[0] * b;\n}\n", i, i % 7 + 1, i
    print "long (*volatile keep[])(long, long) = {"
    for (i = 0; i < 10000; i++)
        printf "    f_%d,\n", i
    print "};\nint main(int argc, char **argv)\n{\n    long n = argc > 1 ? atol(argv[1]) : 0, s = 0;"
    print "    for (long i = 0; i < n; i++)\n        s += keep[0](i, s);"
    print "    if (!n)\n        alarm(300);\n    while (!n)\n        s += keep[s & 8191](s, 3);\n    return s == 42;\n}"
}'
