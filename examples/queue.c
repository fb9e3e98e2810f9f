/* SPDX-License-Identifier: MIT */
/* queue.c - two threads make numbers, two consume them, and between them is a queue with little room:
 * who waits for whom? Prints the sum of the numbers. queue [NUMBERS-OF-EACH-PRODUCER] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 16
#define PRODUCERS 2
#define CONSUMERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static long slot[ROOM];
static int first, used;
static long numbers = 5000;

static void put(long n)
{
    pthread_mutex_lock(&lock);
    while (used == ROOM)
        pthread_cond_wait(&not_full, &lock);
    slot[(first + used++) % ROOM] = n;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static long take(void)
{
    pthread_mutex_lock(&lock);
    while (!used)
        pthread_cond_wait(&not_empty, &lock);
    long n = slot[first];
    first = (first + 1) % ROOM;
    used--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return n;
}

static void *produce(void *arg)
{
    long from = *(long *)arg * numbers;
    for (long i = 1; i <= numbers; i++)
        put(from + i);
    return NULL;
}

/* Consuming costs more than producing: the queue is full most of the time. */
static void *consume(void *sum)
{
    volatile double work = 1;
    for (long n; (n = take()) > 0; *(long *)sum += n)
        for (int i = 0; i < 500; i++)
            work = work * 1.0000001;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t producer[PRODUCERS], consumer[CONSUMERS];
    long number[PRODUCERS], sum[CONSUMERS] = { 0 }, all = 0;
    if (argc > 1)
        numbers = atol(argv[1]);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumer[i], NULL, consume, &sum[i]);
    for (int i = 0; i < PRODUCERS; i++) {
        number[i] = i;
        pthread_create(&producer[i], NULL, produce, &number[i]);
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producer[i], NULL);
    for (int i = 0; i < CONSUMERS; i++)
        put(0); /* no more */
    for (int i = 0; i < CONSUMERS; i++) {
        pthread_join(consumer[i], NULL);
        all += sum[i];
    }
    printf("sum %ld\n", all);
    return 0;
}
