EXTRA_DIST += engine/ring/README.md
libezt_engine_a_SOURCES += \
	arch/tick.h \
	engine/ring/calls.c \
	engine/ring/calls.h \
	engine/ring/clock.c \
	engine/ring/clock.h \
	engine/ring/drain.c \
	engine/ring/drain.h \
	engine/ring/drain_calls.c \
	engine/ring/drain_clock.c \
	engine/ring/drain_code.c \
	engine/ring/drain_filter.c \
	engine/ring/drain_keep.c \
	engine/ring/drain_kept.c \
	engine/ring/drain_ledger.c \
	engine/ring/drain_lane.c \
	engine/ring/drain_order.c \
	engine/ring/drain_priv.h \
	engine/ring/drain_switches.c \
	engine/ring/drain_trace.c \
	engine/ring/fxt_out.c \
	engine/ring/fxt_out.h \
	engine/ring/addup.c \
	engine/ring/addup.h \
	engine/ring/drain_addup.c \
	engine/ring/items.c \
	engine/ring/items.h \
	engine/ring/job.c \
	engine/ring/job.h \
	engine/ring/switches.c \
	engine/ring/switches.h \
	engine/ring/trace.c \
	engine/ring/trace.h \
	engine/ring/words.c \
	engine/ring/words.h
