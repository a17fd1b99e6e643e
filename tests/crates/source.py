"""The items of a crate's source that are marked, and those that work with numbers. Read by brackets and names: no types are known."""

import re

ITEM = re.compile(
    r"(?:\A|(?<=[{};\]]))\s*((?:pub(?:\s*\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern)\s+)*"
    r"(?:(fn|trait|struct|enum|mod)\s+(\w+)|(impl)\b|(macro_rules)\s*!\s*\w+))"
)
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|"(?:\\.|[^"\\])*"|\'(?:\\[^\n]*?|[^\\\'\n])\'', re.S)
NUMBER = re.compile(r"\b(?:f64|f32|Complex(?:64|32)?|Array\w+|[DSV]?(?:Vector|Matrix)\w*|D?Vec[234]|Quaternion)\b")
NUMERIC_BOUND = re.compile(r"\b(\w+)\s*:\s*[^,;{>]*\b(?:\w*Float\w*|\w*Real\w*|\w*Num\w*|Scalar\w*)\b")
MACRO_CALL = re.compile(r"\b(?!macro_rules\b)\w+\s*!\s*[({]")
OPERATOR = re.compile(r"\b(?:(?:Add|Sub|Mul|Div)(?:Assign)?|Rem|Neg|Sum|Product|From|Into)\b")


class Item:
    """A function, method, implementation, trait or type of a file, and how it is marked."""

    def __init__(self, file, text, match, body, end, parent):
        self.kind, self.name, self.file, self.parent = match[2] or match[4] or match[5], match[3] or "", file, parent
        self.start, self.end, self.head, self.body = match.start(1), end, text[match.start(1) : body], text[body:end]
        self.lines = range(text.count("\n", 0, self.start) + 1, text.count("\n", 0, end) + 2)
        self.before = text[max(text.rfind(c, 0, self.start) for c in "{};") + 1 : self.start]
        self.is_method = self.kind == "fn" and parent is not None and parent.kind in ("impl", "trait")
        self.chosen = self.numeric = False
        self.refusals = []

    def accepted(self):
        return self.chosen and not self.refusals and (not self.is_method or self.parent.accepted())

    def attribute(self):
        if not self.chosen or self.is_method and not self.parent.accepted():
            return ""
        if self.kind == "fn" and len(self.refusals) == 1:
            return "#[::coenzyme::inactive] "
        if self.refusals or self.is_method:
            return ""
        return "#[derive(::coenzyme::Tangent)] " if self.kind in ("struct", "enum") else "#[::coenzyme::differentiable] "

    def description(self, root):
        """What `judge.py` reads."""
        block = self.parent if self.is_method else None
        nested = (block or self).parent is not None
        head = block.head if block else ""
        place = {"file": str(self.file.relative_to(root)), "line": self.lines[0], "nested": nested}
        return {**place, "name": self.name, "head": self.head, "block": head}

    def refuse(self, error):
        """A function, for its first error; for the second of one that no mark helps, its block."""
        self.refusals.append(error)
        if self.is_method and len(self.refusals) > 1:
            self.parent.refusals.append(error)


def inside_macro_calls(text):
    """Where the arguments of macros stand in braces or parentheses: what looks like an item there may be none."""
    for call in MACRO_CALL.finditer(text):
        depth = 0
        for bracket in re.finditer(r"[(){}]", text[call.end() - 1 :]):
            depth += 1 if bracket[0] in "({" else -1
            if depth == 0:
                break
        yield range(call.end(), call.end() - 1 + bracket.end())


def items_of(file):
    """What a file declares, outside of functions, macros and tests."""
    text, found, around = LITERAL.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), file.read_text()), [], []
    called = list(inside_macro_calls(text))
    for match in ITEM.finditer(text):
        head = re.sub(r"\[[^\[\]]*\]", lambda m: "_" * len(m[0]), text[match.end() : match.end() + 4000])
        body = match.end() + next((m.start() for m in re.finditer(r"[{;]", head)), 0)
        end, depth = body, 0
        for brace in re.finditer(r"[{};]", text[body:]):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            end = body + brace.end()
            if depth == 0:
                break
        around = [item for item in around if item.end > match.start(1)]
        item = Item(file, text, match, body, end, around[-1] if around else None)
        in_call = any(match.start(1) in at for at in called)
        if not in_call and not any(i.kind in ("fn", "macro_rules") or "cfg(test)" in i.before for i in around):
            found.append(item)
        around.append(item)
    return found


def choose(items):
    """Chooses what works with numbers: functions with them in their signature, what these stand in, and the types that they name."""
    types, numeric = [i for i in items if i.kind in ("struct", "enum")], set()
    traits = {i.name for i in items if i.kind == "trait"}
    works = lambda text: NUMBER.search(text) or not numeric.isdisjoint(re.findall(r"\w+", text))
    for i in types * 4:
        parameters = re.findall(r"\b[A-Z]\w?\b", i.head)
        if works(i.head + i.body) or any(re.search(rf":\s*[^,]*\b{p}\b", i.body) for p in parameters):
            numeric.add(i.name)
    for i in items:
        block = i.parent.head if i.is_method else ""
        of = set(re.findall(r"\w+", block.split(" for ")[0])) if re.search(r"\bfor\b", block) and i.parent.kind == "impl" else None
        if i.kind != "fn" or re.search(r"\b(unsafe|async)\b.*\bfn\b", i.head) or re.search(r"#\[(test|bench)", i.before):
            continue
        if of is None or OPERATOR.search(block) or of & traits:
            own = re.search(r"\b[sS]elf\b", i.head) and works(block)
            generic = any(re.search(rf"\b{p}\b", i.head.split("(", 1)[-1]) for p in NUMERIC_BOUND.findall(block + i.head))
            i.chosen = bool(own or works(i.head) or generic)
            i.numeric = i.chosen and i.body.startswith("{")
            if i.is_method and i.numeric:
                i.parent.chosen = True
    implemented = {word for i in items if i.kind == "impl" and i.chosen for word in re.findall(r"\w+", i.head)}
    for i in items:
        i.chosen |= i.kind == "trait" and i.name in implemented
    for i in items:
        i.chosen |= i.is_method and i.parent.chosen
    named = [i.head + (i.parent.head if i.is_method else "") for i in items if i.kind == "fn" and i.chosen]
    for i in types * 4:
        if not i.chosen and any(i.name in re.findall(r"\w+", text) for text in named):
            i.chosen = True
            named.append(i.body)
