# The programs that tests trace: a line for each in programs.txt.
target_table = $(srcdir)/tests/targets/programs.txt
targets = $(patsubst %,tests/targets/%,$(shell awk 'NF && !/^\#/ && $$1 != "common" { print $$1 }' $(target_table)))
$(targets): $(target_table) $(wildcard $(srcdir)/tests/targets/*.[chS] $(srcdir)/tests/targets/*.cc)
	$(AM_V_CCLD)top_srcdir='$(srcdir)' CC='$(CC)' CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' CFLAGS='$(CFLAGS)' \
	  CXXFLAGS='$(CXXFLAGS)' LDFLAGS='$(LDFLAGS)' $(SHELL) $(srcdir)/tests/targets/build.sh $(@F)
tests/targets/p_app: tests/targets/libp.so
check_DATA += $(targets)
CLEANFILES += $(targets)
tests/targets/wide/gdb: $(srcdir)/tests/targets/wide_gdb.sh $(srcdir)/tests/targets/wide_gdb.c
	@$(MKDIR_P) tests/targets/wide
	$(AM_V_CC)$(CC) -shared -fPIC -O2 $(srcdir)/tests/targets/wide_gdb.c -o tests/targets/wide/wide_gdb.so
	$(AM_V_GEN)cp $(srcdir)/tests/targets/wide_gdb.sh $@ && chmod +x $@
check_DATA += tests/targets/wide/gdb
CLEANFILES += tests/targets/wide/gdb tests/targets/wide/wide_gdb.so
