/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_locks.c - contention of locks: waits, and who held the lock meanwhile. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/locks.h"
#include "tests/unit/suite.h"

static struct ez_model m;
static struct ez_locks *locks;
static uint32_t process[2], thread[4], held, mutex, reading, writing, busy, f, g;

static void setup(void)
{
    ez_model_init(&m, "app", NULL, NULL);
    for (unsigned i = 0; i < 2; i++)
        process[i] = ez_model_container(&m, EZ_L_PROCESS, 0, i ? "q" : "p", i + 1, 0);
    for (unsigned i = 0; i < 4; i++) {
        char name[] = { 't', (char)('0' + i), 0 };
        thread[i] = ez_model_container(&m, EZ_L_THREAD, process[i == 3], name, 1, i);
    }
    held = ez_model_name(&m, EZ_N_STATE, "Critical Section", "pthread", 0);
    mutex = ez_model_name(&m, EZ_N_STATE, "Blocked on a mutex", "pthread", 0);
    reading = ez_model_name(&m, EZ_N_STATE, "Blocked on a read lock", "pthread", 0);
    writing = ez_model_name(&m, EZ_N_STATE, "Queueing", "mine", 0);
    busy = ez_model_name(&m, EZ_N_EVENT, "lock busy", "pthread", 0);
    f = ez_model_name(&m, EZ_N_STATE, "f", "app", 0);
    g = ez_model_name(&m, EZ_N_STATE, "g", "app", 0);
    locks = ez_locks_create(&m, true);
    m.fn = ez_locks_item;
    m.fn_arg = locks;
}

static void teardown(void)
{
    ez_locks_free(locks);
    ez_model_deinit(&m);
}

static struct ez_about about(const char *lock)
{
    struct ez_about a = EZ_ABOUT_NOTHING;
    if (lock)
        a.subject = ez_model_subject(&m, "lock", lock, 0);
    return a;
}

static void push(uint64_t ns, unsigned t, uint32_t name, const char *lock)
{
    ez_model_at(&m, ns);
    ez_model_push(&m, thread[t], name, about(lock));
}

static void pop(uint64_t ns, unsigned t, const char *lock)
{
    ez_model_at(&m, ns);
    ez_model_pop(&m, thread[t], about(lock));
}

/* "LOCK PROCESS (KINDS) taken busy held longest-held waits waited longest@start:thread open nobody"
 * of each lock, "  THREAD FUNCTION times held blocked" of its holders, and
 * "  WAITER>HOLDER waits waited longest" of its pairs */
static void locks_are(const char *want)
{
    char got[4096] = "";
    ez_model_end(&m);
    ez_locks_sort(locks);
    for (size_t i = 0; i < locks->n; i++) {
        const struct ez_lock *k = &locks->lock[i];
        size_t n = strlen(got);
        n += (size_t)snprintf(
            got + n, sizeof got - n, "%s %s (%s) %d %d %d %d %d %d %d@%d:%s %d %d\n",
            m.subject.at[k->subject].text, m.container.at[k->process].name, k->kind, (int)k->taken,
            (int)k->busy, (int)k->held_ns, (int)k->longest_held_ns, (int)k->waits,
            (int)k->waited_ns, (int)k->longest_ns, (int)k->longest_start_ns,
            k->waits ? m.container.at[k->longest_thread].name : "-", (int)k->open,
            (int)k->nobody_ns);
        for (size_t h = 0; h < k->holders; h++)
            n += (size_t)snprintf(
                got + n, sizeof got - n, "  %s %s %d %d %d\n",
                m.container.at[k->holder[h].container].name,
                k->holder[h].function == EZ_NONE_IDX ? "-" : m.name.at[k->holder[h].function].text,
                (int)k->holder[h].times, (int)k->holder[h].held_ns, (int)k->holder[h].blocked_ns);
        for (const struct ez_lock_pair *p = k->pair; p < k->pair + k->pairs; p++)
            n += (size_t)snprintf(got + n, sizeof got - n, "  %s>%s %d %d %d\n",
                                  m.container.at[p->waiter].name,
                                  p->holder == EZ_NONE_IDX ? "-" : m.container.at[p->holder].name,
                                  (int)p->waits, (int)p->waited_ns, (int)p->longest_ns);
    }
    ck_assert_str_eq(got, want);
}

/* t0 holds it in f from 0 to 100, and t1 waits from 30, t2 from 60. The lock is free until t1 has it
 * from 110 to 150, t2 from 155. */
START_TEST(who_held_it)
{
    push(0, 0, f, NULL);
    push(0, 0, held, "A");
    push(30, 1, mutex, "A");
    push(60, 2, mutex, "A");
    pop(100, 0, "A");
    pop(100, 0, NULL);
    pop(110, 1, NULL);
    push(110, 1, held, "A");
    pop(150, 1, "A");
    pop(155, 2, NULL);
    push(155, 2, f, NULL);
    push(155, 2, g, NULL);
    push(155, 2, held, "A");
    pop(195, 2, "A");
    pop(195, 2, NULL);
    pop(195, 2, NULL);
    locks_are("A p (mutex) 3 0 180 100 2 175 95@60:t2 0 25\n"
              "  t0 f 1 100 110\n"
              "  t1 - 1 40 40\n"
              "  t2 g 1 40 0\n"
              "  t1>t0 1 70 70\n"
              "  t2>t0 1 40 40\n"
              "  t2>t1 1 40 40\n"
              "  t2>- 1 15 15\n"
              "  t1>- 1 10 10\n");
}
END_TEST

/* Two locks, released in the order in which they were taken; the function around both is f. */
START_TEST(two_locks)
{
    push(0, 0, f, NULL);
    push(10, 0, held, "A");
    push(20, 0, held, "B");
    push(25, 1, mutex, "A");
    push(25, 2, mutex, "B");
    pop(30, 0, "A");
    pop(50, 0, "B");
    pop(50, 0, NULL);
    pop(30 + 25, 1, NULL);
    pop(57, 2, NULL);
    locks_are("B p (mutex) 1 0 30 30 1 32 32@25:t2 0 7\n"
              "  t0 f 1 30 25\n"
              "  t2>t0 1 25 25\n"
              "  t2>- 1 7 7\n"
              "A p (mutex) 1 0 20 20 1 30 30@25:t1 0 25\n"
              "  t0 f 1 20 5\n"
              "  t1>- 1 25 25\n"
              "  t1>t0 1 5 5\n");
}
END_TEST

/* Readers hold it together; a lock that a thread takes twice counts once. */
START_TEST(several_holders)
{
    push(0, 0, held, "A");
    push(10, 1, held, "A");
    push(10, 1, held, "A");
    push(20, 2, writing, "A");
    ez_model_at(&m, 25);
    ez_model_event(&m, thread[2], busy, NULL, 0, about("A"));
    pop(30, 0, "A");
    pop(35, 1, "A");
    pop(50, 1, "A");
    pop(50, 2, NULL);
    push(60, 2, reading, "A");
    pop(60, 2, NULL);
    locks_are("A p (Queueing, read lock) 3 1 70 40 2 30 30@20:t2 0 0\n"
              "  t1 - 2 40 30\n"
              "  t0 - 1 30 10\n"
              "  t2>t1 1 30 30\n"
              "  t2>t0 1 10 10\n");
}
END_TEST

/* Locks without waits follow, by how long they were held; equal names in two processes are two. */
START_TEST(order)
{
    push(0, 0, held, "short");
    pop(10, 0, "short");
    push(10, 0, held, "long");
    pop(40, 0, "long");
    push(50, 3, held, "short");
    pop(60, 3, "short");
    ez_model_at(&m, 70);
    ez_model_event(&m, thread[0], f, NULL, 0, EZ_ABOUT_NOTHING);
    push(80, 0, f, NULL);
    push(80, 0, mutex, NULL); /* a lock that is not known */
    locks_are("long p () 1 0 30 30 0 0 0@0:- 0 0\n"
              "  t0 - 1 30 0\n"
              "short p () 1 0 10 10 0 0 0@0:- 0 0\n"
              "  t0 - 1 10 0\n"
              "short q () 1 0 10 10 0 0 0@0:- 0 0\n"
              "  t3 - 1 10 0\n");
}
END_TEST

/* A deadlock: at the end both threads wait. */
START_TEST(still_waiting)
{
    push(0, 0, held, "A");
    push(10, 1, held, "B");
    push(20, 0, mutex, "B");
    push(30, 1, mutex, "A");
    ez_model_at(&m, 100);
    locks_are("B p (mutex) 1 0 90 90 1 80 80@20:t0 1 0\n"
              "  t1 - 1 90 80\n"
              "  t0>t1 1 80 80\n"
              "A p (mutex) 1 0 100 100 1 70 70@30:t1 1 0\n"
              "  t0 - 1 100 70\n"
              "  t1>t0 1 70 70\n");
}
END_TEST

/* t1 waits twice for t0. In the first wait t0 has the lock twice, and in the meantime nobody. */
START_TEST(waits_of_a_pair)
{
    push(0, 0, held, "A");
    push(10, 1, mutex, "A");
    pop(20, 0, "A");
    push(25, 0, held, "A");
    pop(40, 0, "A");
    pop(42, 1, NULL);
    push(42, 1, held, "A");
    pop(50, 1, "A");
    push(60, 0, held, "A");
    push(65, 1, mutex, "A");
    pop(75, 0, "A");
    pop(75, 1, NULL);
    locks_are("A p (mutex) 4 0 58 20 2 42 32@10:t1 0 7\n"
              "  t0 - 3 50 35\n"
              "  t1 - 1 8 0\n"
              "  t1>t0 2 35 25\n"
              "  t1>- 1 7 7\n");
}
END_TEST

/* Beginnings that the receiver did not get. */
START_TEST(ends_without_begin)
{
    m.fn = NULL;
    struct ez_item it = { .kind = EZ_I_POP, .container = thread[0], .name = held, .ns = 50 };
    it.subject = ez_model_subject(&m, "lock", "A", 0);
    ck_assert_ptr_null(ez_locks_item(locks, &it));
    it.name = mutex;
    it.start_ns = 20;
    ck_assert_ptr_null(ez_locks_item(locks, &it));
    it.subject = ez_model_subject(&m, "file", "A", 0);
    ck_assert_ptr_null(ez_locks_item(locks, &it));
    it.kind = EZ_I_VAR;
    ck_assert_ptr_null(ez_locks_item(locks, &it));
    ez_locks_sort(locks);
    ck_assert_uint_eq(locks->n, 1);
    ck_assert_uint_eq(locks->lock->taken, 0);
    ck_assert_uint_eq(locks->lock->waited_ns, 30);
    ck_assert_uint_eq(locks->lock->holders, 0);
    ck_assert_uint_eq(locks->lock->pairs, 0);
}
END_TEST

START_TEST(none)
{
    ez_locks_sort(locks);
    ck_assert_uint_eq(locks->n, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("locks");
    TCase *c = tcase_create("locks");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, who_held_it);
    tcase_add_test(c, two_locks);
    tcase_add_test(c, several_holders);
    tcase_add_test(c, order);
    tcase_add_test(c, still_waiting);
    tcase_add_test(c, waits_of_a_pair);
    tcase_add_test(c, ends_without_begin);
    tcase_add_test(c, none);
    suite_add_tcase(s, c);
    return run_suite(s);
}
