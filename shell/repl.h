/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl.h - lines that a person types: readline, history, repetition. */
#ifndef EZ_REPL_H
#define EZ_REPL_H

struct ez_sess;

void repl(struct ez_sess *s);

#endif
