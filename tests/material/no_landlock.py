"""Starts the local sandbox where the kernel knows no Landlock (a filter answers ENOSYS) and says what came of it.

python no_landlock.py check              the driver's own check
python no_landlock.py [ARGUMENT ...]     a supervisor with these arguments: its first message, or its last words
"""

import ctypes
import json
import struct
import sys

from sandbox import SandboxFault, SandboxUnavailable
from sandbox.drivers import local

LOAD, EQUAL, RETURN, LANDLOCK_CREATE_RULESET, ENOSYS = 0x20, 0x15, 0x06, 444, 38
STEPS = (
    (LOAD, 0, 0, 0),
    (EQUAL, 0, 1, LANDLOCK_CREATE_RULESET),
    (RETURN, 0, 0, 0x00050000 | ENOSYS),
    (RETURN, 0, 0, 0x7FFF0000),
)

code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in STEPS))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, struct.pack("<HxxxxxxQ", len(STEPS), ctypes.addressof(code)), 0, 0) == 0
try:
    if sys.argv[1:] == ["check"]:
        local.check()
    sandbox = local.LocalSandbox(sys.argv[1:])
    print(json.dumps(sandbox._receive(local.START_S)[0]))
    sandbox.close()
except (SandboxFault, SandboxUnavailable) as error:
    print(json.dumps({"error": str(error)}))
