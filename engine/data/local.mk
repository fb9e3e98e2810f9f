EXTRA_DIST += engine/data/README.md
libezt_engine_a_SOURCES += \
	engine/data/abi.c \
	engine/data/abi.h \
	engine/data/clause.h \
	engine/data/collect.c \
	engine/data/collect.h \
	engine/data/compile.c \
	engine/data/describe.c \
	engine/data/describe.h \
	engine/data/dwarf.c \
	engine/data/dwarf.h \
	engine/data/dwarf_index.c \
	engine/data/dwarf_priv.h \
	engine/data/dwarf_read.c \
	engine/data/dwarf_read.h \
	engine/data/dwarf_tell.c \
	engine/data/dwarf_where.c \
	engine/data/expr.c \
	engine/data/expr.h \
	engine/data/expr_priv.h \
	engine/data/expr_words.c \
	engine/data/gen.c \
	engine/data/gen.h \
	engine/data/gen_name.c \
	engine/data/gen_ops.c \
	engine/data/guard.c \
	engine/data/known.c \
	engine/data/proto.c \
	engine/data/proto.h \
	engine/data/scope.c \
	engine/data/scope.h \
	engine/data/straight.c \
	engine/data/type.c \
	engine/data/type.h \
	engine/data/verify.c
