# Another processor, under qemu: skipped where the cross compiler, qemu or its libraries are
# missing (tests/arm64/sysroot.sh). boot.sh runs the eztsh that run.sh builds.
TESTS += tests/arm64/run.sh tests/arm64/boot.sh
dist_check_SCRIPTS += tests/arm64/run.sh tests/arm64/boot.sh tests/arm64/sysroot.sh
AM_TESTS_ENVIRONMENT += EZT_ARM64_BUILD='$(abs_top_builddir)/tests/arm64/cross'; export EZT_ARM64_BUILD;
tests/arm64/boot.log: tests/arm64/run.log
clean-arm64:
	rm -rf tests/arm64/cross
clean-local: clean-arm64
.PHONY: clean-arm64
