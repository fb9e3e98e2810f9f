/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine_fortran.h - used by routine.c only. */
#ifndef EZ_ROUTINE_FORTRAN_H
#define EZ_ROUTINE_FORTRAN_H

#include "engine/expr/routine.h"
#include "engine/expr/scope.h"

void ez_routine_params_fortran(struct ez_routine *r, const struct ez_scope *s, const char *result);

#endif
