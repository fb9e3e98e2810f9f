# The programs that tests trace: a line for each in programs.txt.
target_table = $(srcdir)/tests/targets/programs.txt
targets = $(patsubst %,tests/targets/%,$(shell awk 'NF && !/^\#/ && $$1 != "common" { print $$1 }' $(target_table)))
$(targets): $(target_table) $(wildcard $(srcdir)/tests/targets/*.[chS] $(srcdir)/tests/targets/*.cc)
	$(AM_V_CCLD)top_srcdir='$(srcdir)' CC='$(CC)' CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' CFLAGS='$(CFLAGS)' \
	  CXXFLAGS='$(CXXFLAGS)' LDFLAGS='$(LDFLAGS)' $(SHELL) $(srcdir)/tests/targets/build.sh $(@F)
tests/targets/p_app: tests/targets/libp.so
check_DATA += $(targets)
CLEANFILES += $(targets)
