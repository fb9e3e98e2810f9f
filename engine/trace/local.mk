EXTRA_DIST += engine/trace/README.md
libezt_engine_a_SOURCES += \
	engine/trace/calib.c \
	engine/trace/calib.h \
	engine/trace/fxt_defs.c \
	engine/trace/fxt_defs.h \
	engine/trace/fxt_in.c \
	engine/trace/fxt_in.h \
	engine/trace/fxt_repair.c \
	engine/trace/hist.c \
	engine/trace/hist.h \
	engine/trace/interp.c \
	engine/trace/interp.h \
	engine/trace/interp_default.c \
	engine/trace/live.c \
	engine/trace/live.h \
	engine/trace/marks.c \
	engine/trace/marks.h \
	engine/trace/merge.c \
	engine/trace/merge.h \
	engine/trace/model.c \
	engine/trace/model.h \
	engine/trace/model_defs.c \
	engine/trace/vars.c \
	engine/trace/vars.h \
	engine/trace/model_pause.c \
	engine/trace/model_priv.h \
	engine/trace/order.c \
	engine/trace/order.h \
	engine/trace/replay.c \
	engine/trace/replay.h \
	engine/trace/stacks.c \
	engine/trace/stacks.h \
	engine/trace/stats.c \
	engine/trace/stats.h \
	engine/trace/timeline.c \
	engine/trace/timeline.h
