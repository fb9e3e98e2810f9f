/* SPDX-License-Identifier: MIT */
/* calls.h - what the specification of the snippets calls: a stack of routines and loops, looked at when the
 * program ends. */
#ifndef CALLS_H
#define CALLS_H
#ifdef __cplusplus
extern "C" {
#endif
void START(void);
int ENTER(const char *routine, int line); /* its depth                                       */
void LEAVE(int depth, int line);
void STOP(int line);
void LOOP(int line);
void DONE(int line);
void THROWN(int line);
void CAUGHT(int line);
#ifdef __cplusplus
}
#endif
#endif
