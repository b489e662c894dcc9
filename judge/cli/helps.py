"""Help of each command in both languages, in the order in which `judge --help` lists them.

summary    one line, for the list of commands
more       what one has to know to use it
examples   command lines that work as they stand, each with what it does
"""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[str, str]


@dataclass(frozen=True)
class Help:
    summary: Pair
    more: Pair
    examples: tuple[tuple[str, Pair], ...]


GROUP = Help(
    (
        "Exercises in attention, written in PyTorch and judged on your machine.",
        "用 PyTorch 写注意力机制的练习，在你自己的电脑上评测。",
    ),
    (
        "Pick a problem, write its starter to a file, edit the file, run it. "
        "`judge COMMAND --help` explains a command and shows how it is used.",
        "选一道题，生成起始代码，编辑，然后运行。用 `judge 命令 --help` 查看每个命令的说明和示例。",
    ),
    (
        ("judge list", ("the problems", "列出题目")),
        ("judge start attention", ("writes attention.py, to be filled in", "生成 attention.py，等你填写")),
        (
            "judge run attention attention.py --watch",
            ("judges it now and after each save", "立即评测，并在每次保存后重新评测"),
        ),
    ),
)

COMMANDS: dict[str, Help] = {
    "list": Help(
        ("List the problems.", "列出题目。"),
        ("The first column is the name that the other commands take.", "第一列是题目名，其他命令用它来指定题目。"),
        (
            ("judge list", ("a table", "表格")),
            ("judge list --json", ("the same for a program", "供程序读取")),
        ),
    ),
    "show": Help(
        ("Show a problem's statement.", "显示题目描述。"),
        (
            "In a terminal the statement is laid out; in a pipe it is the Markdown text as it was written.",
            "在终端里会排版显示；用管道时输出 Markdown 原文。",
        ),
        (
            ("judge show causal-mha", ("reads it here", "在终端里阅读")),
            ("judge show causal-mha --lang zh", ("in Chinese", "中文题面")),
        ),
    ),
    "start": Help(
        ("Write a problem's starter code to a file.", "把起始代码写入文件。"),
        (
            "Without FILE the name comes from the problem. A file that exists is never overwritten.",
            "不写 FILE 时按题目命名。已有的文件绝不会被覆盖。",
        ),
        (
            ("judge start causal-mha", ("writes causal_mha.py", "生成 causal_mha.py")),
            ("judge start causal-mha work/mine.py", ("writes it elsewhere", "写到别处")),
        ),
    ),
    "run": Help(
        ("Judge a file on this machine.", "在本机评测一个文件。"),
        (
            "Runs the file in a sandbox against the tests of the problem, hidden ones included. FILE may be - for "
            "standard input. The exit code is 0 when it is accepted, 1 for any other verdict, 2 for wrong usage and "
            "3 when the judge itself failed.",
            "在沙箱中运行你的文件，并用该题的全部测试（含隐藏测试）检验。FILE 写 - 表示从标准输入读取。"
            "退出码：0 通过，1 其他结果，2 用法错误，3 评测机自身出错。",
        ),
        (
            ("judge run attention attention.py", ("all cases", "全部用例")),
            ("judge run attention attention.py --samples", ("only those whose inputs are shown", "只跑公开样例")),
            ("judge run attention attention.py --watch", ("again after each save; stop with Ctrl-C", "每次保存后重跑，按 Ctrl-C 结束")),
            ("judge run attention attention.py --seed 7", ("with the inputs of seed 7", "使用种子 7 的输入")),
            ("judge run attention attention.py --input mine.json", ("an input of your own, for instance {\"arguments\": {\"T\": 2, \"S\": 3}}", "你自己的输入，例如 {\"arguments\": {\"T\": 2, \"S\": 3}}")),
            ("judge run attention attention.py --json", ("one JSON object, for a program", "输出一个 JSON 对象，供程序读取")),
        ),
    ),
    "new": Help(
        ("Make the folder of a new problem.", "新建一个题目文件夹。"),
        (
            "SLUG is lower-case words joined by hyphens. The folder holds a small problem that works; "
            "its comments say what to put where. Adding a problem touches nothing else.",
            "SLUG 由小写单词和连字符组成。生成的文件夹里是一道可以直接使用的小题，注释说明每处该写什么。"
            "添加题目不需要改动其他任何文件。",
        ),
        (
            ("judge new rope-lite", ("makes problems/rope-lite", "生成 problems/rope-lite")),
            ("judge verify rope-lite", ("proves it after each change", "每次修改后检验")),
        ),
    ),
    "import": Help(
        ("Take a problem of another layout into the bank.", "把其他格式的题目导入题库。"),
        (
            "FOLDER holds problem.md, starter.py, solution.py and test.py, whose functions test_* import `solution`. "
            "They become a draft, and what is left to do by hand is listed. Nothing of the folder is run or changed.",
            "FOLDER 里要有 problem.md、starter.py、solution.py 和 test.py（其中的 test_* 函数导入 `solution`）。"
            "导入后得到一份草稿，并列出需要手工完成的事项。不会运行或改动该文件夹里的任何内容。",
        ),
        (
            ("judge import old/rope", ("makes problems/rope", "生成 problems/rope")),
            ("judge import old/07 --slug rope", ("under another name", "换一个题目名")),
        ),
    ),
    "verify": Help(
        ("Prove problems: their reference passes and their known mistakes fail.", "检验题目：参考答案通过，已知错误全部被抓住。"),
        (
            "Prints which case catches which mistake. Errors make the exit code 1. Missing translations and "
            "the like are warnings; with --publish they are errors too. With --mutants the reference is changed the way "
            "people get it wrong, one place at a time, and every change must be noticed. What was graded before with the "
            "same content is taken from a cache.",
            "输出每个用例抓住了哪些错误。有错误时退出码为 1。缺少翻译之类只是警告；加 --publish 后也算错误。"
            "加 --mutants 时，会按常见的写错方式逐处改动参考答案，每处改动都必须被用例发现。内容未变的评测结果取自缓存。",
        ),
        (
            ("judge verify attention", ("one problem", "检验一道题")),
            ("judge verify --all --seeds 20", ("all of them, on 20 seeds each", "检验全部题目，每题 20 个种子")),
            ("judge verify attention --mutants", ("do its cases notice every change?", "用例能发现每处改动吗？")),
            ("judge verify rope-lite --publish", ("ready for learners?", "是否可以发布")),
        ),
    ),
    "serve": Help(
        ("Start the judge in the browser.", "启动浏览器里的评测系统。"),
        (
            "Starts the web pages and the workers, and migrates the database first. Stop with Ctrl-C. On this machine "
            "nobody has to sign in; on addresses that others reach, submitting needs an account, unless --insecure.",
            "先升级数据库，再启动网页和评测进程。按 Ctrl-C 停止。只在本机使用时无需登录；他人能访问的地址上，提交需要账号，除非加 --insecure。",
        ),
        (
            ("judge serve", ("on http://127.0.0.1:8000", "地址为 http://127.0.0.1:8000")),
            ("judge serve --port 9000 --workers 2", ("another port, two graders", "换端口，两个评测进程")),
        ),
    ),
    "admin": Help(
        ("Look after accounts, workers and records.", "管理账号、评测进程和记录。"),
        (
            "Works on the database of this machine, also while the judge is served. ACTION is one of: create-user, "
            "list-users, set-role, reset-password, disable, enable (NAME is an account); workers, drain (a worker); "
            "rejudge (a submission's number or a problem), prune; backup, restore (a file); migrate. The password is asked "
            "for, or read with --password-stdin. A new password, or disabling, ends all sessions of the account; a new "
            "password its tokens too.",
            "直接操作本机的数据库，服务运行时也可以使用。ACTION 可以是：create-user、list-users、set-role、reset-password、disable、"
            "enable（NAME 为账号）；workers、drain（评测进程）；rejudge（提交编号或题目）、prune；backup、restore（文件）；migrate。"
            "密码会在终端里询问，或用 --password-stdin 读取。重置密码或停用账号会使其所有登录失效；重置密码还会使令牌失效。",
        ),
        (
            ("judge admin create-user grace --role administrator", ("the first administrator", "第一位管理员")),
            ("judge admin list-users", ("names and roles", "用户名和角色")),
            ("judge admin set-role alan --role instructor", ("who sees the class", "可以查看班级")),
            ("judge admin reset-password ada", ("a forgotten password", "忘记密码时")),
            ("judge admin rejudge causal-mha", ("which verdicts would change? --yes does it", "哪些结果会改变？加 --yes 执行")),
            ("judge admin backup judge.copy", ("a copy, also while it is used", "备份，使用中也可以")),
            ("judge admin workers", ("who grades; drain NAME stops one", "有哪些评测进程；drain NAME 让其停止")),
        ),
    ),
    "worker": Help(
        ("Start one grading process.", "启动一个评测进程。"),
        (
            "Takes submissions from the database of JUDGE_DATABASE_URL until it is stopped. `judge serve` starts its own.",
            "从 JUDGE_DATABASE_URL 指定的数据库领取提交，直到被停止。`judge serve` 会自行启动评测进程。",
        ),
        (("judge worker", ("one more worker for the same database", "为同一数据库增加一个评测进程")),),
    ),
    "submit": Help(
        ("Send a file to a judge server and wait for the verdict.", "把文件提交到评测服务器并等待结果。"),
        (
            "Prints what `judge run` prints. The submission is kept by the server, also when you stop waiting. "
            "JUDGE_SERVER names the server and JUDGE_TOKEN your token.",
            "输出与 `judge run` 相同。即使你不再等待，服务器也会保留这次提交。JUDGE_SERVER 为服务器地址，JUDGE_TOKEN 为你的令牌。",
        ),
        (
            ("judge submit attention attention.py", ("to the server on this machine", "提交到本机服务器")),
            (
                "judge submit attention attention.py --server https://judge.example.org",
                ("to another one", "提交到其他服务器"),
            ),
        ),
    ),
    "sandbox": Help(
        ("Build the Docker image that submissions run in.", "构建运行提交代码的 Docker 镜像。"),
        (
            "Needs a running Docker and takes a few minutes the first time. Afterwards `--sandbox auto` uses Docker. "
            "The image belongs to this version of the judge: build it again after an update. It holds torch, numpy and "
            "einops in the versions installed here.",
            "需要正在运行的 Docker，第一次要几分钟。之后 `--sandbox auto` 会使用 Docker。镜像只适用于当前版本，"
            "更新后请重新构建。其中的 torch、numpy、einops 与本机版本相同。",
        ),
        (
            ("judge sandbox build", ("from the public Python image", "使用公开的 Python 镜像")),
            (
                "judge sandbox build --base my-debian --wheels wheels/",
                ("without network: any image with python3 and venv", "离线构建：任何带 python3 和 venv 的镜像"),
            ),
        ),
    ),
    "doctor": Help(
        ("Check that this machine can run the judge.", "检查本机能否运行评测系统。"),
        (
            "Looks at Python, torch, the kernel's means of isolation, Docker, the database and the problems, says which "
            "sandbox can run here, and what to do where something is missing. The exit code is 1 if something is. "
            "--attack judges two dozen attacks on this very machine and tells what held.",
            "检查 Python、torch、内核的隔离能力、Docker、数据库和题目，说明本机能用哪种沙箱，缺什么就告诉你该怎么办；有缺失时退出码为 1。"
            "--attack 会在本机评测二十多份攻击代码，并告诉你哪些被挡住了。",
        ),
        (
            ("judge doctor", ("for reading", "阅读")),
            ("judge doctor --attack", ("before strangers submit here", "开放给陌生人提交之前")),
            ("judge doctor --json", ("to attach to a report", "附在问题报告里")),
        ),
    ),
}  # fmt: skip
