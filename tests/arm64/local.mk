# Another processor, under qemu: skipped where the cross compiler, qemu or its libraries are
# missing (tests/arm64/sysroot.sh).
TESTS += tests/arm64/run.sh
dist_check_SCRIPTS += tests/arm64/run.sh tests/arm64/boot.sh tests/arm64/sysroot.sh
