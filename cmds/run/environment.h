/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environment.h - where and with which variables programs are started (environment.c). */
#ifndef EZ_ENVIRONMENT_H
#define EZ_ENVIRONMENT_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_sess;

struct environment {
    EZ_VEC(char *) change; /* NAME=VALUE sets, NAME removes */
    char *cwd, *tty;       /* the program's directory and terminal; NULL = eztsh's */
};
struct environment *environment_state(struct ez_sess *s);

#endif
