# The engine and the architecture, one library. See also engine/rt/local.mk.
noinst_LIBRARIES += libezt_engine.a
libezt_engine_a_SOURCES = \
	engine/base.h engine/err.h engine/err.c engine/vec.h engine/ezt.h \
	engine/ring_abi.h engine/drain.h engine/fxt_out.h engine/fxt_in.h engine/stats.h \
	engine/sym.h engine/analyze.h \
	arch/tick.h engine/drain_priv.h engine/drain.c engine/drain_lane.c engine/drain_trace.c \
	engine/fxt_out.c engine/fxt_in.c engine/fxt_defs.h engine/fxt_defs.c engine/map.h \
	engine/map.c engine/stats.c engine/convert.h engine/convert.c

# What a program needs that links the engine.
EZ_ENGINE_LIBS = libezt_engine.a $(OPCODES_LIBS) $(BFD_LIBS) $(FXT_LIBS)
