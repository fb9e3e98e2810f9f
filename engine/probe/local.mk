EXTRA_DIST += engine/probe/README.md
libezt_engine_a_SOURCES += \
	engine/probe/act.c \
	engine/probe/aggregate.c \
	engine/probe/announce.c \
	engine/probe/arm.c \
	engine/probe/budget.c \
	engine/probe/budget.h \
	engine/probe/budget_plan.c \
	engine/probe/bulk.c \
	engine/probe/change.c \
	engine/probe/clause.c \
	engine/probe/coverage.c \
	engine/probe/filter.c \
	engine/probe/hand.c \
	engine/probe/hand.h \
	engine/probe/jumps.c \
	engine/probe/locate.c \
	engine/probe/maint.c \
	engine/probe/probe.c \
	engine/probe/probe.h \
	engine/probe/probe_list.c \
	engine/probe/profiled.c \
	engine/probe/program.c \
	engine/probe/ranges.c \
	engine/probe/fits.c \
	engine/probe/probe_spec.c \
	engine/probe/resolve.c \
	engine/probe/solib.c \
	engine/probe/textdiff.c \
	engine/probe/tpoint.c \
	engine/probe/transact.c \
	engine/probe/types.c \
	engine/probe/types.h \
	engine/probe/unwind.c \
	engine/probe/verdict.c \
	engine/probe/why.c \
	engine/probe/why.h
