EXTRA_DIST += engine/move/README.md
libezt_engine_a_SOURCES += \
	engine/move/break.c \
	engine/move/catchpoint.c \
	engine/move/line.c \
	engine/move/move.c \
	engine/move/move.h \
	engine/move/move_parts.c \
	engine/move/move_priv.h \
	engine/move/run.c \
	engine/move/walk.c \
	engine/move/watch.c \
	engine/move/nonlocal_exit.c
