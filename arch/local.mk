# Files for all processors, and the folder of the processor that configure found: its sources and,
# if it has a runtime, how that is built (engine/rt/local.mk).
libezt_engine_a_SOURCES += arch/abi.h arch/arch.h arch/clock.h arch/codegen.h arch/decode.h \
	arch/disas.c arch/disas.h arch/elf.h arch/frame.h arch/host.c arch/jump.h arch/regs.h \
	arch/restorer.h arch/rt.h arch/scan.h arch/step.h arch/syscalls.c arch/syscalls.h arch/tick.h \
	arch/trap.h arch/trial.h
if ARCH_X86_64
include $(srcdir)/arch/x86_64/local.mk
endif
if ARCH_AARCH64
include $(srcdir)/arch/aarch64/local.mk
endif

# Makes lines such as [0] = "read", from the kernel's header, where the value of a name may be
# another name.
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
