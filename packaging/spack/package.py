# SPDX-License-Identifier: GPL-3.0-or-later
# Spack recipe of eztsh. Put this folder into a repository of yours as packages/eztsh.
from spack.package import *


class Eztsh(AutotoolsPackage):
    """Shell that probes and traces running programs without recompiling them."""

    homepage = "https://github.com/eztsh/eztsh"
    url = "https://github.com/eztsh/eztsh/releases/download/v0.2.0/eztsh-0.2.0.tar.gz"
    git = "https://github.com/eztsh/eztsh.git"

    license("GPL-3.0-or-later")

    version("main", branch="main")

    variant("otf2", default=True, description="Write Open Trace Format 2")
    variant("babeltrace2", default=True, description="Write the Common Trace Format")
    variant("protobuf-c", default=True, description="Write traces for Perfetto and pprof")
    variant("mpi", default=True, description="Build the daemon for jobs of the MPI")
    variant("instrument", default=False, description="Build eztsh-instrument, which needs libclang")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("texinfo", type="build")
    depends_on("binutils+ld+headers+libiberty")
    depends_on("ncurses")
    depends_on("readline")
    depends_on("fxt")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("elfutils")
    depends_on("json-c")
    depends_on("otf2", when="+otf2")
    depends_on("babeltrace2", when="+babeltrace2")
    depends_on("protobuf-c", when="+protobuf-c")
    depends_on("mpi", when="+mpi")
    depends_on("llvm+clang", when="+instrument")
    depends_on("check", type="test")

    requires("target=x86_64:", msg="probes need x86-64")
    requires("platform=linux", msg="eztsh needs ptrace of Linux")

    def configure_args(self):
        args = self.with_or_without("otf2") + self.with_or_without("mpi")
        args += self.with_or_without("babeltrace2")
        args += self.with_or_without("protobuf-c")
        if self.spec.satisfies("+instrument"):
            args.append("--with-libclang=" + self.spec["llvm"].prefix)
        else:
            args.append("--without-libclang")
        return args
