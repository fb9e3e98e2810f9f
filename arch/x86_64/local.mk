libezt_engine_a_SOURCES += arch/x86_64/x64.h arch/x86_64/length.c arch/x86_64/decode.c \
	arch/x86_64/leave.c arch/x86_64/operand.c arch/x86_64/plain.c arch/x86_64/reloc.c arch/x86_64/scan.c arch/x86_64/stackop.h arch/x86_64/stackop.c \
	arch/x86_64/stackop_insn.c arch/x86_64/stackop_vector.c arch/x86_64/straight.c arch/x86_64/abi.c arch/x86_64/regs.c arch/x86_64/user.h \
	arch/x86_64/user.c \
	arch/x86_64/restorer.c arch/x86_64/results.c arch/x86_64/runtime.c arch/x86_64/states.c

RT_ARCH_CFLAGS = -mgeneral-regs-only -mno-red-zone -fcf-protection=none
RT_ARCH_RELOCS = R_X86_64_(64|32|32S)

# For gdb: backtraces through probed frames.
dist_pkgdata_DATA = arch/x86_64/eztsh-gdb.py
