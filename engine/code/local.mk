EXTRA_DIST += engine/code/README.md
libezt_engine_a_SOURCES += \
	engine/code/analyze.c \
	engine/code/analyze.h \
	engine/code/analyze_priv.h \
	engine/code/frame.c \
	engine/code/frame.h \
	engine/code/holes.c \
	engine/code/jumptable.c \
	engine/code/leads.c \
	engine/code/refusal.c \
	engine/code/refusal.h \
	engine/code/strategy.c \
	engine/code/strategy.h \
	engine/code/patch_region.c
