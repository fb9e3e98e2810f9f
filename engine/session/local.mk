EXTRA_DIST += engine/session/README.md
libezt_engine_a_SOURCES += \
	engine/session/core.c \
	engine/session/core.h \
	engine/session/core_notes.c \
	engine/session/core_parts.c \
	engine/session/exec.c \
	engine/session/follow.c \
	engine/session/inherit.c \
	engine/session/offer.c \
	engine/session/forks.h \
	engine/session/inspect.c \
	engine/session/life.c \
	engine/session/names.c \
	engine/session/process.c \
	engine/session/remote.c \
	engine/session/rescue.c \
	engine/session/session.h \
	engine/session/settings.c \
	engine/session/syswatch.c \
	engine/session/target.c \
	engine/session/wait.c
