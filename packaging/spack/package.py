# A recipe for Spack: put this folder into a repository of yours as packages/bine, then `spack install bine ^openmpi`.
from spack.package import *


class Bine(CMakePackage):
    """MPI collective operations that keep their traffic local: Bine trees send less between the groups of an
    oversubscribed network. A library, a drop-in library for MPI programs as they are, and tools."""

    license("BSD-3-Clause")
    version("main", branch="main", git="file:///path/to/bine")
    version("1.0.0", url="file:///path/to/bine-1.0.0.tar.gz")

    variant("tests", default=False, description="build the tests, too")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("cairo+png+svg+pdf")
    depends_on("cjson")
    depends_on("libarchive")
    depends_on("gnuplot", type="run")
    depends_on("cmocka", when="+tests", type="build")

    def cmake_args(self):
        # One MPI library, the one of this spec: its compiler wrapper says how to build with it.
        mpicc = self.spec["mpi"].mpicc
        return [
            self.define_from_variant("BUILD_TESTING", "tests"),
            self.define("BINE_MPICC_openmpi", mpicc),
            self.define("BINE_MPICC_mpich", mpicc),
        ]

    def setup_run_environment(self, env):
        env.set("BINE_PRELOAD", join_path(self.prefix.lib, "libbine-preload.so"))
