/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_help.h - long help texts, by command. */
#ifndef EZ_TABLE_HELP_H
#define EZ_TABLE_HELP_H

extern const char help_attach[], help_call[], help_check[], help_convert[], help_events[],
    help_probe[], help_report[], help_stats[], help_timeline[], help_trace[], help_why[], help_x[];

#endif
