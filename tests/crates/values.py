"""Values of types that a function names, written with the entries of a slice, and sums of what it returns."""

import re


def split(text):
    """At the commas outside of brackets."""
    parts, depth, at = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([{<"
        depth -= c in ")]}" or c == ">" and text[i - 1] != "-"
        if c == "," and depth == 0:
            parts, at = [*parts, text[at:i]], i + 1
    return [part.strip() for part in [*parts, text[at:]] if part.strip()]


class Types:
    """The structs and enums of a crate."""

    def __init__(self, items):
        self.own = {i.name: i for i in items if i.kind in ("struct", "enum")}
        self.text = " ".join(i.body for i in self.own.values())

    def begin(self, number, bounds, block):
        """For another function: its numbers, its type parameters, and the type that it is a method of."""
        self.number, self.used, self.weight = number, 0, 0
        self.parameters = set(re.findall(r"\b(\w+)\s*:\s*[^,;{>]*\b(?:\w*Float\w*|\w*Real\w*|\w*Num\w*|Scalar\w*)\b", bounds))
        of = re.match(r".*?\bimpl\b\s*(?:<.*?>)?\s*(?:.*\bfor\s+)?([\w:]+(?:<[^{]*?>)?)\s*(?:where\b.*)?$", re.sub(r"\s+", " ", block).strip())
        self.self_type = of[1] if of else None

    def owned(self, type_):
        return re.sub(r"^\s*&\s*('\w+\s+)?(mut\b)?", "", type_).strip()

    def next(self):
        self.used += 1
        return f"p[{self.used - 1}]"

    def value(self, type_, known=()):
        """An expression of this type; KeyError if there is none."""
        type_, known = type_.strip(), dict(known)
        if type_ in known:
            return self.value(known[type_])
        if type_ in (self.number, *self.parameters):
            return self.next()
        if type_ == "f32" and self.number == "f64":
            return f"({self.next()} as f32)"
        if re.fullmatch(r"[iu](8|16|32|64|128|size)", type_):
            return f"2_{type_}"
        if type_ == "bool":
            return "true"
        if type_ == "Self" and self.self_type:
            return self.value(self.self_type)
        if type_.startswith("("):
            return f"({', '.join(self.value(part, known) for part in split(type_[1:-1]))},)"
        if array := re.fullmatch(r"\[(.*);\s*(\d+)(?:_?usize)?\]", type_):
            return f"[{', '.join(self.value(array[1], known) for _ in range(int(array[2])))}]"
        if row := re.fullmatch(r"\[(.*)\]", type_):
            return f"[{', '.join(self.value(row[1], known) for _ in range(4))}]"
        if vector := re.fullmatch(r"Vec<(.*)>", type_):
            return f"vec![{', '.join(self.value(vector[1], known) for _ in range(4))}]"
        if option := re.fullmatch(r"Option<(.*)>", type_):
            return f"Some({self.value(option[1], known)})"
        if complex_ := self.complex(type_):
            return f"{complex_}::new({self.next()}, {self.next()})"
        name, fields = self.fields(type_, known)
        if isinstance(fields, str):
            return fields
        values = [(field, self.value(of, inner)) for field, of, inner in fields]
        if fields and fields[0][0].isdigit():
            return f"{name}({', '.join(value for _, value in values)})"
        return f"{name} {{ {', '.join(f'{field}: {value}' for field, value in values)} }}"

    def complex(self, type_):
        """The name of a type of complex numbers."""
        found = re.fullmatch(r"(?:\w+::)*(Complex(?:64|32)?)(?:<.*>)?", type_)
        return found and found[1] not in self.own and found[1]

    def fields(self, type_, known):
        """The name and the fields of a struct of the crate, with what its parameters are; a variant without fields of an enum."""
        found = re.fullmatch(r"(?:\w+::)*(\w+)(?:<(.*)>)?", type_)
        if not found:
            raise KeyError(type_)
        item = self.own[found[1]]
        given = [known.get(a, a) for a in split(found[2] or "")]
        parameters = re.search(r"<(.*)>", item.head)
        declared = [p.split(":")[0].split("=")[0].strip() for p in split(parameters[1])] if parameters else []
        declared = [p for p in declared if not p.startswith("'")]
        inner = {p: g for p, g in zip(declared, given)} | {p: self.number for p in declared[len(given) :]}
        inner = {p: self.number if g in self.parameters or g == p else g for p, g in inner.items()}
        if item.kind == "enum":
            variant = re.search(r"[{,]\s*(\w+)\s*(?=[,}=])", re.sub(r"#\[[^\]]*\]", "", item.body))
            if not variant:
                raise KeyError(type_)
            return found[1], f"{found[1]}::{variant[1]}"
        body = re.sub(r"#\[[^\]]*\]", "", item.body)
        if body.startswith("{"):
            fields = [re.sub(r"^\s*pub(\s*\([^)]*\))?\s+", "", f) for f in split(body[1:-1])]
            return found[1], [(f.split(":", 1)[0].strip(), f.split(":", 1)[1].strip(), inner) for f in fields]
        tuple_ = re.search(r"\((.*)\)", re.sub(r"pub\s*\([^)]*\)", "pub", item.head), re.S)
        if not tuple_:
            raise KeyError(type_)
        return found[1], [(str(n), re.sub(r"^pub\s+", "", f), inner) for n, f in enumerate(split(tuple_[1]))]

    def sum(self, place, type_, known=(), depth=0):
        """Statements that add the numbers of a place to `sum`, each with a weight of its own; none if there are none."""
        type_, known = type_.strip(), dict(known)
        if depth > 4:
            raise KeyError(type_)
        again = lambda place, type_, known=known: self.sum(place, type_, known, depth + 1)
        if type_ in known:
            return again(place, known[type_], {})
        if type_.startswith("&"):
            return again(f"(*{place})", self.owned(type_))
        if type_ in (self.number, "f32", *self.parameters):
            self.weight += 1
            cast = f"({place} as {self.number})" if type_ == "f32" and self.number == "f64" else place
            return f"sum += {cast} * {1 + 0.37 * self.weight:.2f};"
        if re.fullmatch(r"[iu](8|16|32|64|128|size)|bool|\(\)|String|&str|str", type_):
            return ""
        if type_ == "Self" and self.self_type:
            return again(place, self.self_type)
        if type_.startswith("("):
            return " ".join(again(f"{place}.{n}", part) for n, part in enumerate(split(type_[1:-1])))
        if array := re.fullmatch(r"\[(.*);\s*(\d+)(?:_?usize)?\]", type_):
            return " ".join(again(f"{place}[{n}]", array[1]) for n in range(int(array[2])))
        if row := re.fullmatch(r"\[(.*)\]|Vec<(.*)>", type_):
            inside = again(f"{place}[i{depth}]", row[1] or row[2])
            return inside and f"for i{depth} in 0..{place}.len() {{ {inside} }}"
        if option := re.fullmatch(r"(?:\w+::)*(Option|Result)<(.*)>", type_):
            inside = again(f"some{depth}", split(option[2])[0])
            return inside and f"if let {'Some' if option[1] == 'Option' else 'Ok'}(some{depth}) = {place} {{ {inside} }}"
        if self.complex(type_):
            return " ".join(again(f"{place}.{part}", self.number) for part in ("re", "im"))
        _, fields = self.fields(type_, known)
        return "" if isinstance(fields, str) else " ".join(again(f"{place}.{field}", of, inner) for field, of, inner in fields)
