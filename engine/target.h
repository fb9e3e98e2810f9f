/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - the fields of `struct ez_target`, for the engine's files only: one field for each room
 * that keeps state. The type of a field is defined in the header of its room. Only that room writes
 * the members, and only the rooms that may include that header read them (tests/check_layers.sh).
 * Rooms of higher layers are allowed to write the objects to which the members point: a site's row,
 * a module's marks. A *module* is an object mapped in the live process. An *object* is the symbols
 * of a file and outlives processes. */
#ifndef EZ_TARGET_H
#define EZ_TARGET_H

#include "engine/inferior/inferior.h"
#include "engine/sym/names.h"
#include "engine/plugin/plugin.h"
#include "engine/probe/probe.h"
#include "engine/patch/runtime.h"
#include "engine/patch/site.h"
#include "engine/record/trace.h"
#include "engine/process/forks.h"

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
