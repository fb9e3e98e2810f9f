# SPDX-License-Identifier: GPL-3.0-or-later
# python_calls.py - a program for python.sh, which knows how often its functions are called.
#   python_calls.py calls      runs main()
#   python_calls.py profile    main() under cProfile: prints "LINE CALLS" for each function of this file
#   python_calls.py own        sets a profile function of its own: prints how often it was called, and whether it is
#                              still there
#   python_calls.py wait DIR   creates DIR/ready; then for each of DIR/go.1, go.2, …: 4 threads call part() 500 times
#                              each, and DIR/done.N is created; ends at DIR/end
import os
import sys
import threading
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def squares(n):
    for i in range(n):
        yield i * i


def fails(n):
    if n == 0:
        raise ValueError("too small")
    fails(n - 1)


class Shape:
    @property
    def side(self):
        return self.length

    @side.setter
    def side(self, length):
        self.length = length


def asks():
    return os.getppid()


def main():
    fib(12)
    assert sum(squares(30)) == 8555
    for n in range(7):
        try:
            fails(n)
        except ValueError:
            pass
    s = Shape()
    for n in range(5):
        s.side = n
        s.side = s.side + 1
    assert sorted([3, 1, 2], key=lambda v: -v) == [3, 2, 1]
    for n in range(11):
        asks()


def profile():
    import cProfile
    p = cProfile.Profile(builtins=False)
    p.runcall(main)
    for e in p.getstats():
        if e.code.co_filename == __file__:
            print(e.code.co_firstlineno, e.callcount)


def own():
    seen = [0]

    def told(frame, event, arg):
        seen[0] += event == "call" and frame.f_code is looks.__code__

    sys.setprofile(told)
    for _ in range(100):
        looks("/")
    threading.Thread(target=fib, args=(3,)).start()
    for _ in range(100):
        looks("/")
    print(seen[0], sys.getprofile() is told)


def part(total, i):
    total[i % 4] += 1


def work(total, i):
    for _ in range(500):
        part(total, i)


def turn(folder, n):
    total = [0] * 4
    threads = [threading.Thread(target=work, args=(total, i)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert total == [500] * 4
    open(os.path.join(folder, "done.%d" % n), "w").close()


def looks(path):
    return os.path.exists(path)


def wait(folder):
    n = 1
    open(os.path.join(folder, "ready"), "w").close()
    while not looks(os.path.join(folder, "end")):
        if looks(os.path.join(folder, "go.%d" % n)):
            turn(folder, n)
            n += 1
        time.sleep(0.002)
    print("right")


{"calls": lambda: main(), "profile": profile, "own": own, "wait": lambda: wait(sys.argv[2])}[sys.argv[1]]()
