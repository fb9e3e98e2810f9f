/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp.c - small interpreters by computed goto, some of whose labels are a byte or two
 * behind the function's first instruction. Built by tests/fault/check_labels.sh in many ways:
 *   TABLE=1  a constant table of addresses     TABLE=2  a table that is filled on the stack
 *   TABLE=3  distances from the first label    TABLE=4  from the last, in 16 bits
 *   TABLE=5  addresses again, in a table that the function itself does not name */
#include <stdio.h>

#if TABLE == 1
#define LABELS(a, b, c) static const void *const op[] = { &&a, &&b, &&c }
#define GO(first, last, n) goto *op[n]
#elif TABLE == 2
#define LABELS(a, b, c) const void *op[] = { &&a, &&b, &&c }
#define GO(first, last, n) goto *op[n]
#elif TABLE == 5
#define LABELS(a, b, c)                                                                            \
    static const void *const table[] = { &&a, &&b, &&c };                                          \
    static const void *const *const volatile op = table
#define GO(first, last, n) goto *op[n]
#elif TABLE == 3
#define LABELS(a, b, c) static const int op[] = { &&a - &&a, &&b - &&a, &&c - &&a }
#define GO(first, last, n) goto *(&&first + op[n])
#else
#define LABELS(a, b, c) static const short op[] = { &&a - &&c, &&b - &&c, &&c - &&c }
#define GO(first, last, n) goto *(&&last + op[n])
#endif
#define NI __attribute__((noinline, noclone))

/* An interpreter that begins with its first operation. */
NI long falls(const unsigned char *pc, long a)
{
    LABELS(add, twice, end);
add:
    a++;
    GO(add, end, *pc++);
twice:
    a += a;
    GO(add, end, *pc++);
end:
    return a;
}

/* Its first label stands behind one short instruction. */
NI long clears(const unsigned char *pc)
{
    LABELS(add, twice, end);
    long a = 0;
add:
    a += 3;
    GO(add, end, *pc++);
twice:
    a ^= a << 1;
    GO(add, end, *pc++);
end:
    return a;
}

/* All operations return to one place, which dispatches the next. */
NI long shared(const unsigned char *pc, long *sum)
{
    LABELS(add, twice, end);
next:
    GO(add, end, *pc++);
add:
    *sum += 5;
    goto next;
twice:
    *sum += *sum;
    goto next;
end:
    return *sum;
}

/* Its first operation is the dispatch itself. */
NI int skips(const unsigned char *pc)
{
    LABELS(next, next, end);
next:
    GO(next, end, *pc++);
end:
    return *pc;
}

static long twos(const unsigned char *code, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += falls(code, i) + clears(code) + shared(code, &sum) % 17 + skips(code);
    return sum;
}

int main(void)
{
    static const unsigned char code[] = { 0, 1, 0, 0, 1, 0, 1, 2, 7 }, none[] = { 2, 9 };
    for (int i = 1; i < 40; i++)
        printf("%ld %ld\n", twos(code, i) % 1000003, twos(none, i) % 1000003);
    return 0;
}
