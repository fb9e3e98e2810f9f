EXTRA_DIST += engine/analysis/README.md
libezt_engine_a_SOURCES += \
	engine/analysis/analysis.c \
	engine/analysis/analysis.h \
	engine/analysis/analysis_priv.h \
	engine/analysis/an_cause.c \
	engine/analysis/an_class.c \
	engine/analysis/an_group.c \
	engine/analysis/an_log.c \
	engine/analysis/an_mpi.c \
	engine/analysis/an_queue.c \
	engine/analysis/an_result.c \
	engine/analysis/an_route.c \
	engine/analysis/an_threads.c
