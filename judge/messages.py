"""Findings in words, English and Chinese. The only place that turns a stored judging into sentences.

A finding is data, `{"code": "shape", "got": [2, 3], "expected": [2, 4], "of": "result"}`; `describe` renders it.
A template may use each of the finding's fields; `of` is translated ("gradient of q" -> "q 的梯度").
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from judge.captions import captioned, input_axes, inside_json
from judge.model import OWN_INPUT, CaseResult, Finding, Problem, Report, Smallest, Text

VERDICT_WORDS: dict[str, tuple[str, str]] = {
    "AC": ("Accepted", "通过"),
    "WA": ("Wrong answer", "答案错误"),
    "TLE": ("Time limit exceeded", "超出时间限制"),
    "MLE": ("Memory limit exceeded", "超出内存限制"),
    "OLE": ("Output limit exceeded", "输出过多"),
    "RTE": ("Runtime error", "运行时错误"),
    "CE": ("Does not load", "代码无法加载"),
    "RF": ("Restricted function", "使用了受限函数"),
    "JE": ("Judge error", "评测机错误"),
}

TEMPLATES: dict[str, tuple[str, str]] = {
    # wrong answers
    "none": ("returned None instead of {expected}: is a `return` missing?", "返回了 None，应为 {expected}：是不是漏写了 `return`？"),
    "type": ("{of} is a {got}, expected a {expected}", "{of}的类型是 {got}，应为 {expected}"),
    "coroutine": ("returned a coroutine: write `def`, not `async def`", "返回了协程：请用 `def`，不要用 `async def`"),
    "foreign": ("returned a {got}, which is no plain tensor or number", "返回了 {got}，它不是普通的张量或数字"),
    "too_large": ("returned a tensor of shape {got}: {megabytes} MB, more than can be a right answer", "返回的张量形状为 {got}，共 {megabytes} MB，不可能是正确答案"),
    "length": ("{of} has {got} parts, expected {expected}", "{of}有 {got} 项，应为 {expected} 项"),
    "shape": ("{of} has shape {got}, expected {expected}", "{of}的形状是 {got}，应为 {expected}"),
    "shape_only": ("{of} has the unexpected shape {got}", "{of}的形状 {got} 不对"),
    "dtype": ("{of} has dtype {got}, expected {expected}", "{of}的 dtype 是 {got}，应为 {expected}"),
    "values": (
        "{wrong} of {total} elements of the {of} are wrong ({share}); the largest error is {max_error} at index {index} (tolerance {tolerance}, {dtype})",
        "{of}的 {total} 个元素中有 {wrong} 个错误（{share}）；最大误差 {max_error}，位于下标 {index}（容差 {tolerance}，{dtype}）",
    ),
    "elements": (
        "{wrong} of {total} elements of the {of} are wrong ({share}); the first is at index {index}",
        "{of}的 {total} 个元素中有 {wrong} 个错误（{share}）；第一个位于下标 {index}",
    ),
    "number": ("the {of} is not the right number", "{of}的数值不对"),
    "not_finite": (
        "{wrong} of {total} elements of the {of} are {kind} or not finite where a number is expected; the first is at index {index}",
        "{of}的 {total} 个元素中有 {wrong} 个是 {kind} 或非有限值，而此处应为有限数；第一个位于下标 {index}",
    ),
    "input_changed": ("the call changed its argument {argument} in place; inputs must stay as they are", "调用就地修改了参数 {argument}；输入必须保持不变"),
    "detached": ("no gradient flows: the result does not depend on the inputs as far as autograd can see (detach, .data, numpy, or no_grad?)", "梯度无法传播：在 autograd 看来结果与输入无关（是否用了 detach、.data、numpy 或 no_grad？）"),
    "gradient_missing": ("the {of} is missing: autograd finds no path to it", "{of}缺失：autograd 找不到通往它的路径"),
    "again": ("when the same function is called several times, with other data in between: {inner}", "多次调用同一函数、中间换用其他数据时：{inner}"),
    "under": ("when it is called under {state}: {inner}", "在 {state} 之下调用时：{inner}"),
    "in_eval": ("in eval mode: {inner}", "在 eval 模式下：{inner}"),
    "dropout_none": ("in training no attention weight is dropped; dropout belongs after the softmax", "训练模式下没有任何注意力权重被丢弃；dropout 应放在 softmax 之后"),
    "dropout_values": (
        "in training {wrong} of {total} attention weights ({share}) are neither 0 nor the weight divided by 1 - p",
        "训练模式下 {total} 个注意力权重中有 {wrong} 个（{share}）既不是 0，也不是原权重除以 1 - p",
    ),
    "dropout_share": ("in training a share of {got} of the attention weights is dropped, expected about {expected}", "训练模式下被丢弃的注意力权重占 {got}，应约为 {expected}"),
    "dropout_place": ("in training dropout takes out {place}; it should take out single attention weights, each by itself", "训练模式下 dropout 丢弃的是{place}；应当各自独立地丢弃单个注意力权重"),
    "new_storage": (
        "the call allocates {bytes} bytes at once (a tensor of shape {shape}); at most {limit} are allowed, views are free",
        "调用中一次分配了 {bytes} 字节（形状为 {shape} 的张量）；最多允许 {limit} 字节，视图不计",
    ),
    "flops_over": ("the call takes {flops} FLOPs of matrix products; at most {limit} are needed here", "调用中的矩阵乘法共 {flops} FLOPs；此处最多只需 {limit}"),
    "flops_under": (
        "the call takes only {flops} FLOPs of matrix products; at least {limit} are needed: is something left out, or computed without torch?",
        "调用中的矩阵乘法只有 {flops} FLOPs，而至少需要 {limit}：是不是漏算了，或没有用 torch 计算？",
    ),
    "leak": ("{source} influences {target}: changing the one moves the other by {max_change}, and it must not", "{source}影响了{target}：改变前者会使后者变化 {max_change}，这不应发生"),
    "no_influence": ("{target} does not depend on {source}, and it should", "{target} 与 {source} 无关，而它应当依赖后者"),
    "parameters": ("the parameters do not match: {details}", "参数不匹配：{details}"),
    "not_module": ("{name} must be a subclass of nn.Module; it made a {got}", "{name} 必须是 nn.Module 的子类；它创建的是 {got}"),
    "double_backward": ("second derivatives are not asked for here", "这里不需要二阶导数"),
    "odd_result": ("the check could not use your result: {error}", "检查程序无法使用你的结果：{error}"),
    "text": ("{en}", "{zh}"),
    "assertion": ("a check of this case failed", "该用例的检查未通过"),
    # other verdicts
    "exception": ("{type}: {message}", "{type}：{message}"),
    "exception_at": ("{type}: {message} (line {line})", "{type}：{message}（第 {line} 行）"),
    "bare_exception": ("{type}", "{type}"),
    "bare_exception_at": ("{type} (line {line})", "{type}（第 {line} 行）"),
    "exit": ("the process ended with exit code {status} before it answered", "进程在给出结果之前以退出码 {status} 结束"),
    "signal": ("the process was ended by {signal}", "进程被信号 {signal} 终止"),
    "garbled": ("the process sent something that is no answer", "进程发出的内容不是合法的答复"),
    "threads": ("more than {limit} threads were started", "启动了超过 {limit} 个线程"),
    "time": ("stopped after {seconds} s (limit {limit} s)", "运行 {seconds} 秒后被终止（限制 {limit} 秒）"),
    "time_sized": ("stopped after {seconds} s (limit {limit} s), with inputs of up to shape {shape}", "运行 {seconds} 秒后被终止（限制 {limit} 秒），其中最大的输入形状为 {shape}"),
    "time_load": ("loading the file was stopped after {seconds} s (limit {limit} s)", "加载文件 {seconds} 秒后被终止（限制 {limit} 秒）"),
    "memory": ("asked for more memory than the limit of {limit} MB", "申请的内存超过了 {limit} MB 的限制"),
    "output": ("printed more than {limit} MB", "打印了超过 {limit} MB 的内容"),
    "restricted": ("this problem does not allow {name}", "本题不允许使用 {name}"),
    "restricted_at": ("line {line} uses {name}, which this problem does not allow", "第 {line} 行使用了 {name}，本题不允许"),
    "syntax": ("line {line}, column {column}: {message}", "第 {line} 行第 {column} 列：{message}"),
    "full_width": ("line {line}, column {column}: full-width character '{character}', write '{plain}'", "第 {line} 行第 {column} 列有全角字符「{character}」，请改为「{plain}」"),
    "load": ("{type} while the file loads: {message}", "加载文件时出现 {type}：{message}"),
    "load_at": ("line {line}: {type} while the file loads: {message}", "第 {line} 行：加载文件时出现 {type}：{message}"),
    "missing_name": ("`{name}` is not defined; found: {found}", "没有定义 `{name}`；找到的有：{found}"),
    "not_callable": ("`{name}` is a {got}, expected a {expected}", "`{name}` 是 {got}，应为 {expected}"),
    "too_long": ("the file has {size} bytes, the limit is {limit}", "文件有 {size} 字节，上限为 {limit} 字节"),
    # answers to the questions of a quiz
    "answer_right": ("Right.", "回答正确。"),
    "answer_wrong": ("That is not it.", "不对。"),
    "answer_shown": ("Done with help: the answer was shown.", "已查看答案，记为借助答案完成。"),
    "answer_empty": ("There is no answer yet.", "还没有作答。"),
    "choice_missing": ("What you chose is right, but something is missing.", "选中的都对，但还没有选全。"),
    "choice_unknown": ("That is none of the options.", "没有这个选项。"),
    "number_only": ("Expected a number, such as 4096, 2^12 or 1.5e3.", "请填一个数，例如 4096、2^12 或 1.5e3。"),
    "number_unit": ("The unit asked for is {wanted}, and “{unit}” cannot be turned into it.", "题目要求的单位是{wanted}，“{unit}”无法换算成它。"),
    "number_1024": ("Nearly: look at 1000 and 1024. A KiB is 1024 bytes, a kB is 1000.", "差一点：注意 1000 与 1024 的区别。1 KiB 是 1024 字节，1 kB 是 1000 字节。"),
    "formula_long": ("At most {limit} characters, please.", "最多 {limit} 个字符。"),
    "formula_deep": ("Too many brackets inside brackets.", "括号嵌套得太深。"),
    "formula_large": ("A number in this is too large.", "其中有数太大。"),
    "formula_sign": ("“{sign}” is not understood in this place.", "这个位置的“{sign}”无法理解。"),
    "formula_end": ("The answer ends too early: is a bracket or a number missing?", "答案不完整：是不是少了括号或数？"),
    "formula_name": ("“{name}” is no name here; there are: {known}", "这里没有“{name}”；可以用的有：{known}"),
    "formula_call": ("“{name}” needs brackets: {name}(...)", "“{name}”后面要有括号：{name}(...)"),
    "formula_arguments": ("{name}(...) has the wrong number of arguments.", "{name}(...) 的参数个数不对。"),
    "formula_ambiguous": ("Is a/2b a half of ab, or a over 2b? Write a/2*b or a/(2*b).", "a/2b 是 ab 的一半，还是 a 除以 2b？请写成 a/2*b 或 a/(2*b)。"),
    "formula_undefined": ("This has no value: a division by zero, or the root or logarithm of a negative number.", "这个式子没有值：除以了零，或对负数开方、取对数。"),
    "formula_undefined_at": ("This has no value for {at}.", "当 {at} 时，这个式子没有值。"),
    "formula_differs": ("For {at} this gives {got}, and that is not the value.", "当 {at} 时，这个式子等于 {got}，与正确的值不同。"),
    # an input of the learner's own
    "input_no_arguments": ("an input is an object with `arguments`, by their names", "输入应是一个对象，其中 `arguments` 按名字给出各参数"),
    "input_unknown_key": ("an input has no key `{name}`", "输入中没有 `{name}` 这个键"),
    "input_unknown_argument": ("there is no argument `{name}`; the arguments are: {known}", "没有参数 `{name}`；参数有：{known}"),
    "input_unknown_call": ("the problem has no `{name}`; it has: {known}", "本题没有 `{name}`；有：{known}"),
    "input_value": ("`{name}` must be a number of at most 10⁶, a list of numbers, true, false, null, \"nan\" or \"inf\"", "`{name}` 应为不超过 10⁶ 的数、由数组成的列表、true、false、null、\"nan\" 或 \"inf\""),
    "input_dtype": ("`{name}` has an unknown dtype; known are: {known}", "`{name}` 的 dtype 未知；可用的有：{known}"),
    "input_shape": ("`{name}` may have at most {axes} axes, each of at most {size}", "`{name}` 最多 {axes} 维，每维最多 {size}"),
    "input_ragged": ("the rows of `{name}` are not equally long", "`{name}` 的各行长度不一致"),
    "input_too_large": ("an input may have at most {limit} numbers in all", "一个输入总共最多 {limit} 个数"),
    "input_weight": ("the module has no weight `{name}` of that shape", "模块中没有这种形状的权重 `{name}`"),
    "input_refused": ("the reference cannot take this input: {error}", "参考实现无法接受这个输入：{error}"),
    "input_memory": ("the reference needs too much memory for this input", "参考实现处理这个输入需要的内存过多"),
    "input_too_long": ("the reference takes longer than {seconds} s on this input", "参考实现处理这个输入超过 {seconds} 秒"),
    "input_result_too_large": ("the result would have more than {limit} numbers", "结果会超过 {limit} 个数"),
    "judge_error": ("the judge failed, not your code; this does not count", "是评测机出错，不是你的代码；本次不计入"),
}  # fmt: skip

GROUP_WORDS = {
    "library-attention": Text(
        "the library's own attention, such as scaled_dot_product_attention or MultiheadAttention",
        "库自带的注意力实现，如 scaled_dot_product_attention、MultiheadAttention",
    ),
    "library-softmax": Text(
        "the library's own softmax, such as torch.softmax, log_softmax or logsumexp",
        "库自带的 softmax，如 torch.softmax、log_softmax、logsumexp",
    ),
    "autograd": Text(
        "autograd in any form (torch.autograd, torch.func, .backward())",
        "任何形式的 autograd（torch.autograd、torch.func、.backward()）",
    ),
}
"""What a learner reads for a group of forbidden functions."""

OWN_INPUT_TITLE = Text("Your own input", "你自己的输入")
LABELS = {"result": "结果"}


def describe(finding: Finding | None, lang: str = "en") -> str:
    """The sentence for a finding; empty for None. An unknown code is shown as it is, never an error."""
    if not finding:
        return ""
    code = str(finding.get("code"))
    if code == "type" and finding.get("got") == "None":
        code = "none"
    if code == "shape" and finding.get("expected") is None:
        code = "shape_only"
    if code == "time" and finding.get("shape"):
        code = "time_sized"
    if code in ("restricted", "load", "exception") and finding.get("line"):
        code += "_at"
    if code.startswith("exception") and not finding.get("message"):
        code = code.replace("exception", "bare_exception")
    if code not in TEMPLATES:
        return code
    fields = {key: _word(key, value, lang) for key, value in finding.items()}
    if lang == "zh":
        fields.update({key.removesuffix("_zh"): value for key, value in fields.items() if key.endswith("_zh")})
    if "wrong" in finding and "total" in finding:
        fields["share"] = f"{100 * finding['wrong'] / max(finding['total'], 1):.3g} %"
    if code == "parameters":
        fields["details"] = _parameters(finding, lang)
    try:
        return TEMPLATES[code][lang == "zh"].format_map(fields)
    except (KeyError, IndexError):
        return code


def _word(key: str, value: Any, lang: str) -> str:
    if key == "of":
        return _label(str(value), lang)
    if isinstance(value, dict):
        return describe(value, lang)
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return "[" + ", ".join(str(item) for item in value) + "]"
    return str(value)


def _label(of: str, lang: str) -> str:
    if lang != "zh":
        return of
    if of.startswith("gradient of "):
        return f" {of.removeprefix('gradient of ')} 的梯度"
    match = re.match(r"\w+", of)
    word = match.group() if match else of
    return LABELS.get(word, word) + of[len(word) :]


def _parameters(finding: Finding, lang: str) -> str:
    zh = lang == "zh"
    parts = []
    if finding.get("missing"):
        parts.append(("缺少 " if zh else "missing ") + ", ".join(finding["missing"]))
    if finding.get("extra"):
        parts.append(("多出 " if zh else "extra ") + ", ".join(finding["extra"]))
    for name, got, expected in finding.get("misshapen", []):
        parts.append(
            f"{name} 的形状是 {got}，应为 {expected}" if zh else f"{name} has shape {got}, expected {expected}"
        )
    return ("；" if zh else "; ").join(parts)


def case_json(case: CaseResult, problem: Problem, lang: str = "en") -> dict[str, Any]:
    """A case as the command line and the HTTP API give it."""
    known = problem.case(case.name)
    return {
        "name": case.name,
        "title": known.title[lang] if known else OWN_INPUT_TITLE[lang] if case.name == OWN_INPUT else case.name,
        "sample": case.sample,
        "verdict": case.verdict,
        "time_ms": round(case.time_ms, 3),
        "memory_kb": case.memory_kb,
        "message": describe(case.finding, lang),
        "finding": case.finding,
        "stdout": case.stdout,
        "stderr": case.stderr,
        "traceback": case.traceback,
        "tensors": None if case.tensors is None else [picture_json(one, problem, lang) for one in case.tensors],
    }


def picture_json(picture: dict[str, Any], problem: Problem, lang: str) -> dict[str, Any]:
    """A comparison with the caption of its contrast and the names of all axes, in words."""
    return picture | {
        "contrast": captioned(picture.get("contrast"), picture.get("of", "result"), problem.axes, lang),
        "axes": input_axes(
            dict(zip(picture.get("names", ()), picture.get("inputs", ()), strict=False)), problem.axes, lang
        ),
    }


HOW: dict[str, tuple[str, str]] = {
    "dtype": ("inputs in {value}", "输入为 {value}"),
    "gradients": ("gradients are compared", "比较的是梯度"),
    "transposed": ("inputs transposed in memory", "输入在内存中是转置存放的"),
    "expanded": ("inputs expanded from one slice", "输入由一个切片 expand 而来"),
    "factor": ("large numbers", "数值很大"),
    "mode": ("in evaluation mode, after `module.eval()`", "处于评估模式（调用 `module.eval()` 之后）"),
    "state": ("under {value}", "在 {value} 之下调用"),
    "calls": ("the last of {value} calls in a row", "连续 {value} 次调用中的最后一次"),
}


def smallest_json(smallest: Smallest, problem: Problem, lang: str = "en") -> dict[str, Any]:
    """With `message`, what is wrong, and `circumstances`, what is special about the call, in words."""
    words = [HOW.get(key) or HOW.get(str(value)) for key, value in smallest.how.items()]
    pairs = zip(words, smallest.how.values(), strict=True)
    told = [word[lang == "zh"].format(value=value) for word, value in pairs if word]
    of = str(smallest.finding.get("of", "result"))
    return asdict(smallest) | {
        "message": describe(smallest.finding, lang),
        "circumstances": told,
        "contrast": captioned(smallest.contrast, of, problem.axes, lang),
        "axes": input_axes(smallest.inputs, problem.axes, lang),
        "inside": inside_json(smallest.inside, lang) if smallest.inside else None,
    }


def report_json(report: Report, problem: Problem, lang: str = "en") -> dict[str, Any]:
    """A report as the contract has it. `message` is the sentence for the verdict as a whole."""
    mistake = problem.mistake(report.diagnosis) if report.diagnosis else None
    failure = report.first_failure
    return {
        "problem": report.problem,
        "verdict": report.verdict,
        "message": describe(report.finding or (failure.finding if failure else None), lang),
        "finding": report.finding,
        "cases": [case_json(case, problem, lang) for case in report.cases],
        "time_ms": round(report.time_ms, 3),
        "memory_kb": report.memory_kb,
        "sandbox": report.sandbox,
        "seed": report.seed,
        "diagnosis": mistake.sentence[lang] if mistake else None,
        "smallest": smallest_json(report.smallest, problem, lang) if report.smallest else None,
        "source_sha256": report.source_sha256,
        "samples_only": report.samples_only,
    }
