EXTRA_DIST += engine/sym/README.md
libezt_engine_a_SOURCES += \
	engine/sym/names.c \
	engine/sym/names.h \
	engine/sym/sym.c \
	engine/sym/sym.h \
	engine/sym/sym_addr.c \
	engine/sym/sym_beside.c \
	engine/sym/sym_debug.c \
	engine/sym/sym_elf.c \
	engine/sym/sym_fde.c \
	engine/sym/sym_main.c \
	engine/sym/sym_name.c \
	engine/sym/sym_part.c \
	engine/sym/sym_plt.c \
	engine/sym/sym_priv.h \
	engine/sym/sym_ptr.c \
	engine/sym/sym_reloc.c \
	engine/sym/sym_section.c \
	engine/sym/sym_stap.c \
	engine/sym/sym_startup.c \
	engine/sym/syscalls.c
