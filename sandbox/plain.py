"""A submission's process without a jail: frames on stdin and stdout, prints into a file. For the driver `none`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    source, sink = os.dup(0), os.dup(1)
    null, printed = os.open(os.devnull, os.O_RDONLY), os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
    os.dup2(null, 0)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    import torch

    from sandbox import child, jail, warming

    torch.set_num_threads(1)
    warm = "--warm" in sys.argv
    if warm:
        warming.slow_imports()
    child.main(source, sink, jail.importable_names(), cold=not warm)


if __name__ == "__main__":
    main()
