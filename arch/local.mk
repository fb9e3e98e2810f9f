libezt_engine_a_SOURCES += arch/arch.h arch/host.c arch/syscalls.h arch/syscalls.c arch/disas.h arch/disas.c arch/x86_64/x64.h arch/x86_64/length.c \
	arch/x86_64/decode.c arch/x86_64/reloc.c arch/x86_64/scan.c \
	arch/x86_64/stackop.h arch/x86_64/stackop.c arch/x86_64/stackop_insn.c \
	arch/x86_64/regs.c arch/x86_64/user.h arch/x86_64/user.c arch/x86_64/restorer.c arch/x86_64/runtime.c arch/x86_64/states.c

# [0] = "read", and so on, out of the kernel's header, where a name may be another's.
arch/syscalls.inc:
	@$(MKDIR_P) arch
	$(AM_V_GEN)echo '#include <asm/unistd.h>' | $(CC) $(CPPFLAGS) -E -dM - | \
	  awk '$$2 ~ /^__NR/ { nr[$$2] = $$3 } \
	    END { delete nr["__NR_syscalls"]; delete nr["__NR_arch_specific_syscall"]; \
	      for (x in nr) { v = nr[x]; while (v in nr) v = nr[v]; \
	        if (x ~ /^__NR_/ && v ~ /^[0-9]+$$/) { \
	          printf "[%d] = \"%s\",\n", v, substr(x, 6); n++ } } exit !n }' > $@.tmp
	@LC_ALL=C sort $@.tmp > $@ && rm -f $@.tmp
arch/syscalls.$(OBJEXT): arch/syscalls.inc
BUILT_SOURCES += arch/syscalls.inc
CLEANFILES += arch/syscalls.inc arch/syscalls.inc.tmp

# For gdb: backtraces through probed frames.
dist_pkgdata_DATA = arch/x86_64/eztsh-gdb.py
