/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - the inside of `struct ez_target`, for the engine's files only: a part for each
 * room that keeps state.
 *
 * The fields of a part are written in the room whose header defines it and nowhere else, and read
 * only in the rooms that may use that one (tests/check_layers.sh). What they point to may be
 * written by the rooms above: a site's row, a module's marks. A *module* is an object mapped in the live
 * process; an *object* is a file's symbols and outlives processes. */
#ifndef EZ_TARGET_H
#define EZ_TARGET_H

#include "engine/inferior/inferior.h"
#include "engine/sym/names.h"
#include "engine/plugin/plugin.h"
#include "engine/probe/probe.h"
#include "engine/patch/runtime.h"
#include "engine/patch/site.h"
#include "engine/ring/trace.h"
#include "engine/session/forks.h"

struct ez_target {
    struct ez_inferior inf;
    struct ez_queue queue;
    struct ez_tracing tracing;
    struct ez_runtime rt;
    struct ez_patcher patcher;
    struct ez_probes probes;
    struct ez_plugins plugins;
    struct ez_session session;
    struct ez_settings set;
};

#endif
