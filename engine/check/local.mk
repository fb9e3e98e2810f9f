EXTRA_DIST += engine/check/README.md
libezt_engine_a_SOURCES += \
	engine/check/check.c \
	engine/check/check.h \
	engine/check/check_priv.h \
	engine/check/check_run.c \
	engine/check/cost.c \
	engine/check/cost.h \
	engine/check/measure.c \
	engine/check/measure.h \
	engine/check/measure_step.c \
	engine/check/sampler.c \
	engine/check/sampler.h
