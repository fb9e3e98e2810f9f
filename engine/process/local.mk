EXTRA_DIST += engine/process/README.md
libezt_engine_a_SOURCES += \
	engine/process/adopt.c \
	engine/process/adopt_probes.c \
	engine/process/adopt_rows.c \
	engine/process/children.c \
	engine/process/core.c \
	engine/process/core.h \
	engine/process/core_notes.c \
	engine/process/core_open.c \
	engine/process/core_parts.c \
	engine/process/detach.c \
	engine/process/exec.c \
	engine/process/follow.c \
	engine/process/forks.h \
	engine/process/inherit.c \
	engine/process/inspect.c \
	engine/process/keep.c \
	engine/process/keep.h \
	engine/process/keep_priv.h \
	engine/process/kept.c \
	engine/process/life.c \
	engine/process/names.c \
	engine/process/offer.c \
	engine/process/process.c \
	engine/process/remote.c \
	engine/process/repair.c \
	engine/process/rescue.c \
	engine/process/restore.c \
	engine/process/session.c \
	engine/process/session.h \
	engine/process/settings.c \
	engine/process/syswatch.c \
	engine/process/target.c \
	engine/process/wait.c
