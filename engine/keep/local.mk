EXTRA_DIST += engine/keep/README.md
libezt_engine_a_SOURCES += \
	engine/keep/adopt.c \
	engine/keep/adopt_probes.c \
	engine/keep/adopt_rows.c \
	engine/keep/keep.c \
	engine/keep/keep.h \
	engine/keep/keep_priv.h \
	engine/keep/kept.c \
	engine/keep/repair.c \
	engine/keep/restore.c
