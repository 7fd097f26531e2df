"""What holds for every test, however the run was started."""

import signal

# A shell's background job and nohup hand down ignored signals, which programs rightly keep ignoring; the
# tests are about programs that were started in the foreground.
for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)
