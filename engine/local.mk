# The engine and the architecture, one library: a room a folder, each with its own list.
noinst_LIBRARIES += libezt_engine.a
libezt_engine_a_SOURCES = engine/data_abi.h engine/ezt.h engine/ezt_probes.h engine/ezt_specs.h engine/ring_abi.h engine/target.h
include $(srcdir)/engine/base/local.mk
include $(srcdir)/engine/sym/local.mk
include $(srcdir)/engine/code/local.mk
include $(srcdir)/engine/dwarf/local.mk
include $(srcdir)/engine/expr/local.mk
include $(srcdir)/engine/record/local.mk
include $(srcdir)/engine/inferior/local.mk
include $(srcdir)/engine/patch/local.mk
include $(srcdir)/engine/probe/local.mk
include $(srcdir)/engine/plugin/local.mk
include $(srcdir)/engine/process/local.mk
include $(srcdir)/engine/eval/local.mk
include $(srcdir)/engine/move/local.mk
include $(srcdir)/engine/check/local.mk
include $(srcdir)/engine/trace/local.mk
include $(srcdir)/engine/analysis/local.mk
include $(srcdir)/engine/format/local.mk
include $(srcdir)/engine/jobs/local.mk

# What a program needs that links the engine.
EZ_ENGINE_LIBS = libezt_engine.a $(OPCODES_LIBS) $(BFD_LIBS) $(FXT_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS) $(LIBDW_LIBS) $(OTF2_LIBS) $(BABELTRACE2_LIBS) $(PROTOBUF_C_LIBS) $(JSON_LIBS)
libezt_engine_a_LIBADD = $(RT_BLOB) engine/format/report/page.o
