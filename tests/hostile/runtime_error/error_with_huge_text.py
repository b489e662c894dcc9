# expect: RTE|MLE
"""An exception whose text has 56 MB of markup and escapes. Seen: common in judges that show messages whole."""


def attention(q, k, v, mask=None):
    raise ValueError("\x1b[2J<script>alert(1)</script>" * 2_000_000)
