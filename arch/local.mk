libezt_engine_a_SOURCES += arch/arch.h arch/host.c arch/x86_64/x64.h arch/x86_64/length.c \
	arch/x86_64/decode.c arch/x86_64/print.c arch/x86_64/reloc.c arch/x86_64/scan.c \
	arch/x86_64/stackop.h arch/x86_64/stackop.c arch/x86_64/stackop_insn.c \
	arch/x86_64/regs.c arch/x86_64/user.h arch/x86_64/user.c arch/x86_64/restorer.c arch/x86_64/runtime.c arch/x86_64/states.c arch/x86_64/syscalls.c

# [0] = "read", and so on, out of the kernel's header.
arch/x86_64/syscalls.inc:
	@$(MKDIR_P) arch/x86_64
	$(AM_V_GEN)echo '#include <asm/unistd_64.h>' | $(CC) $(CPPFLAGS) -E -dM - | \
	  awk '$$2 ~ /^__NR_/ && $$3 ~ /^[0-9]+$$/ \
	    { printf "[%d] = \"%s\",\n", $$3, substr($$2, 6); n++ } END { exit !n }' > $@.tmp
	@LC_ALL=C sort $@.tmp > $@ && rm -f $@.tmp
arch/x86_64/syscalls.$(OBJEXT): arch/x86_64/syscalls.inc
BUILT_SOURCES += arch/x86_64/syscalls.inc
CLEANFILES += arch/x86_64/syscalls.inc arch/x86_64/syscalls.inc.tmp

# For gdb: backtraces through probed frames.
dist_pkgdata_DATA = arch/x86_64/eztsh-gdb.py
