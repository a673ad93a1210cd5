# Runs the tests of a folder, test_*.py, which use mpi4py and unittest, on every rank. What each found is in
# verdicts.RANK in the current folder, a line for each test: its name, and ok, skipped, FAILED or ERROR and why.
# suite.py FOLDER
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import mpi4py

mpi4py.rc.thread_level = "funneled"  # with several threads, nonblocking calls are MPICH's own

from mpi4py import MPI


class Verdicts(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.found = {}

    def note(self, test, what, error=None):
        why = "" if error is None else ": %s: %s" % (error[0].__name__, str(error[1]).replace("\n", " "))
        self.found.setdefault(test.id(), what + why)

    def addFailure(self, test, error):
        self.note(test, "FAILED", error)

    def addError(self, test, error):
        self.note(test, "ERROR", error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.note(test, "FAILED", error)

    def addSkip(self, test, why):
        self.note(test, "skipped: " + why)

    def addSuccess(self, test):
        self.note(test, "ok")


verdicts = Verdicts()
tests = unittest.defaultTestLoader.discover(sys.argv[1], "test_*.py")
if tests.countTestCases() == 0:
    sys.exit("%s: expected tests in files test_*.py" % sys.argv[1])
tests.run(verdicts)
with open("verdicts.%d" % MPI.COMM_WORLD.Get_rank(), "w") as out:
    for name, what in sorted(verdicts.found.items()):
        out.write("%s %s\n" % (name, what))
