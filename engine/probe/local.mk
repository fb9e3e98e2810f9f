EXTRA_DIST += engine/probe/README.md
libezt_engine_a_SOURCES += \
	engine/probe/act.c \
	engine/probe/act.h \
	engine/probe/aggregate.c \
	engine/probe/announce.c \
	engine/probe/arm.c \
	engine/probe/arm.h \
	engine/probe/budget.c \
	engine/probe/budget.h \
	engine/probe/budget_plan.c \
	engine/probe/bulk.c \
	engine/probe/bulk.h \
	engine/probe/carry.c \
	engine/probe/carry.h \
	engine/probe/change.c \
	engine/probe/clause.c \
	engine/probe/clause.h \
	engine/probe/coverage.c \
	engine/probe/coverage.h \
	engine/probe/filter.c \
	engine/probe/filter.h \
	engine/probe/hand.c \
	engine/probe/hand.h \
	engine/probe/inlined.c engine/probe/jumps.c \
	engine/probe/loads.c \
	engine/probe/locate.c engine/probe/location.c \
	engine/probe/maint.c \
	engine/probe/probe.c \
	engine/probe/probe.h \
	engine/probe/semaphore.c \
	engine/probe/sources.c \
	engine/probe/stap.c \
	engine/probe/inlined.h engine/probe/stap.h \
	engine/probe/stap_list.c \
	engine/probe/probe_list.c \
	engine/probe/probe_list.h \
	engine/probe/profiled.c \
	engine/probe/program.c \
	engine/probe/ranges.c \
	engine/probe/fits.c \
	engine/probe/probe_spec.c \
	engine/probe/resolve.c \
	engine/probe/resolve.h \
	engine/probe/solib.c \
	engine/probe/solib.h \
	engine/probe/textdiff.c \
	engine/probe/tpoint.c \
	engine/probe/transact.c \
	engine/probe/transact.h \
	engine/probe/types.c \
	engine/probe/types.h \
	engine/probe/unwind.c \
	engine/probe/unwind.h \
	engine/probe/verdict.c \
	engine/probe/verdict.h \
	engine/probe/why.c \
	engine/probe/why.h
