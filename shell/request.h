/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - reads the requests of the machine interface (wire.h). */
#ifndef EZ_REQUEST_H
#define EZ_REQUEST_H

struct ez_sess;

/* Answers requests until `quit`, or the end of the input. */
void request_serve(struct ez_sess *s);

#endif
