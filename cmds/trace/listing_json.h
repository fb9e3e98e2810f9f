/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing_json.h - the rows of `replay -json`. Only the files listing*.c include this. */
#ifndef EZ_LISTING_JSON_H
#define EZ_LISTING_JSON_H

#include "cmds/trace/listing.h"

void listing_rows_begin(struct listing *l);
void listing_row(struct listing *l, const struct ez_nest_line *line);
void listing_rows_end(struct listing *l);

#endif
