EXTRA_DIST += engine/inferior/README.md
libezt_engine_a_SOURCES += \
	engine/inferior/busy.c \
	engine/inferior/call.c \
	engine/inferior/gone.c \
	engine/inferior/guard.c \
	engine/inferior/guard.h \
	engine/inferior/ifunc.c \
	engine/inferior/image.c \
	engine/inferior/inferior.h \
	engine/inferior/inject.c \
	engine/inferior/maps.c \
	engine/inferior/mem.c \
	engine/inferior/modules.c \
	engine/inferior/begin.c \
	engine/inferior/objects.c \
	engine/inferior/perf.c \
	engine/inferior/perf.h \
	engine/inferior/proc.c \
	engine/inferior/proc.h \
	engine/inferior/pt.c \
	engine/inferior/pt.h \
	engine/inferior/pt_log.c \
	engine/inferior/pt_log.h \
	engine/inferior/queue.c \
	engine/inferior/reports.c \
	engine/inferior/restorer.c \
	engine/inferior/rseq.c \
	engine/inferior/scratch.c \
	engine/inferior/scratch.h \
	engine/inferior/sharers.c \
	engine/inferior/sharers.h \
	engine/inferior/signals.c \
	engine/inferior/step.c \
	engine/inferior/stop.c \
	engine/inferior/stop.h \
	engine/inferior/temp_bp.c \
	engine/inferior/thread.c
