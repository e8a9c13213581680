"""What `run` prints: tables, charts with a note below, and what is to be noticed."""
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

import support

WIDTHS = [40, 60, 80, 200]
END = b"\0"  # what the program never writes


def run_in_terminal(width, *arguments):
    """What the program writes to a terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen([support.program(), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=theirs, stderr=subprocess.PIPE) as process:
        # A terminal whose last writer is gone may drop what nobody has read yet. So we stay a writer,
        # and write an end behind all that the program wrote.
        threading.Thread(target=_write_end, args=(process, theirs)).start()
        text = b""
        while not text.endswith(END):
            text += os.read(ours, 1 << 16)
        os.close(ours)
        os.close(theirs)
        assert process.stderr.read() == b""
        assert process.wait() == 0
    return text.removesuffix(END).decode("utf-8").replace("\r\n", "\n")


def _write_end(process, terminal):
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
    os.write(terminal, END)


def tables_of(text):
    """The tables, each a list of lines, that `run` prints before the charts."""
    return [block.splitlines() for block in text.split("\n\n") if "\nattempts" in block]


def blocks_after_tables(text):
    """The blocks of lines after the tables of summaries."""
    blocks = text.split("\n\n")
    last_table = max(i for i, block in enumerate(blocks) if "\nattempts" in block)
    return [block.splitlines() for block in blocks[last_table + 1:]]


def charts(text):
    """The chart of each policy, as lines."""
    return [block for block in blocks_after_tables(text) if any("└" in line for line in block)]


def note(text):
    """What stands below the charts, on one line."""
    blocks = blocks_after_tables(text)
    return " ".join(blocks[len(charts(text))])
