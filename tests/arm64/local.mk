# Another processor, under qemu: skipped where the cross compiler, qemu or its libraries are
# missing (tests/arm64/sysroot.sh). boot.sh runs the eztsh that run.sh builds.
TESTS += tests/arm64/run.sh tests/arm64/boot.sh
dist_check_SCRIPTS += tests/arm64/run.sh tests/arm64/boot.sh tests/arm64/sysroot.sh
AM_TESTS_ENVIRONMENT += EZT_ARM64_BUILD='$(abs_top_builddir)/tests/arm64/cross'; export EZT_ARM64_BUILD;
# (by a variable: automake has a rule of its own for this log)
ez_boot_log = tests/arm64/boot.sh.log
$(ez_boot_log): tests/arm64/run.sh.log
clean-arm64:
	rm -rf tests/arm64/cross
clean-local: clean-arm64
.PHONY: clean-arm64
