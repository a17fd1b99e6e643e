"""Whether the derivatives of what `accept.py` accepted are right: see README.md."""

import argparse, json, re, subprocess, sys
from pathlib import Path

from accept import LIBRARY, check, environment
from source import items_of
from values import Types, split

MODULE = "coenzyme_judge"
NUMBERS = ("f64", "f32")
ROUNDS = 12
# for crates without `std`, and those of edition 2015
STANDARD = "".join(f"    extern crate {name};\n" for name in ("std", "coenzyme", "coenzyme_testutils")) + "    use self::std::prelude::v1::*;\n"
TEST = """
    #[test]
    fn {name}_() {{
        let seen = {module}::points({count}, |p| {name}(p), |p| {{
            coenzyme_testutils::test_gradient! {{ {name}(p) }}
            let function = {name}::default();
            coenzyme::value_and_gradient(&function, (p,)).0
        }});
        println!("judged {path} {{}}", seen);
    }}
"""
# Points in three ranges, in most of which most functions are defined; where the function is not, nothing is judged.
POINTS = """
    pub fn points(count: usize, value: fn(&[N]) -> N, judge: fn(&[N]) -> N) -> usize {
        let (done, wait) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut seen = 0;
            for (round, (low, high)) in [(0.1, 0.9), (1.1, 3.0), (-2.0, 2.0), (0.1, 0.9), (1.1, 3.0), (10.0, 60.0)].into_iter().enumerate() {
                let drawn = |i: usize| (((i * 7 + round * 3 + 1) as f64 * 0.618_033_988_749_894_9) % 1.0) * (high - low) + low;
                let p: Vec<N> = (0..count).map(|i| drawn(i) as N).collect();
                let Ok(plain) = std::panic::catch_unwind(|| value(&p)) else { continue };
                if !plain.is_finite() { continue }
                match std::panic::catch_unwind(|| judge(&p)) {
                    Ok(again) if again == plain || (again - plain).abs() <= 8.0 * N::EPSILON * plain.abs() => seen += 1,
                    Ok(again) => {
                        let _ = done.send(Err(format!("at {:?} the value is {}, with its derivative {}", p, plain, again)));
                        return
                    }
                    Err(cause) => {
                        let said = cause.downcast_ref::<String>().cloned().or(cause.downcast_ref::<&str>().map(|s| s.to_string()));
                        let _ = done.send(Err(format!("at {:?}: {}", p, said.unwrap_or_default())));
                        return
                    }
                }
            }
            let _ = done.send(Ok(seen));
        });
        wait.recv_timeout(std::time::Duration::from_secs(30)).unwrap_or(Ok(0)).unwrap_or_else(|wrong| panic!("{}", wrong))
    }
"""


def wrapper(function, types, name):
    """A function of one slice that builds the arguments, calls, and adds up what comes back; None if an argument is not known."""
    head = re.sub(r"\s+", " ", function["head"])
    found = re.match(r".*?\bfn (\w+)\s*(<.*?>)?\s*\((.*)\)\s*(?:->\s*(.*?))?\s*(?:where\b.*)?$", head)
    if not found:
        return None
    signature, result = found[3], (found[4] or "()").strip()
    number = "f64" if "f64" in head + function["block"] or "f32" not in head + function["block"] + types.text else "f32"
    types.begin(number, function["block"] + " " + head, function["block"])
    arguments, before = [], []
    try:
        receiver = None
        for i, argument in enumerate(split(signature)):
            if re.fullmatch(r"(&\s*('\w+ )?)?(mut )?self", argument):
                argument = "self: " + argument.replace("mut self", "self" if "&" not in argument else "mut self").replace("self", "Self")
            pattern, type_ = argument.split(":", 1)
            before.append(f"let mut a{i} = {types.value(types.owned(type_))};")
            prefix = "&mut " if re.match(r"\s*&\s*('\w+ )?mut\b", type_) else "&" if type_.strip().startswith("&") else ""
            if pattern.strip() == "self":
                receiver = f"a{i}"
            else:
                arguments.append(f"{prefix}a{i}")
        if not types.used:
            return None
        operators = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
        owner = types.self_type
        if receiver and function["name"] in operators and len(arguments) == 1:
            call = f"{receiver} {operators[function['name']]} {arguments[0]}"
        elif receiver:
            call = f"{receiver}.{function['name']}({', '.join(arguments)})"
        elif owner:
            call = f"{owner.split('<')[0].strip()}::{function['name']}({', '.join(arguments)})"
        else:
            call = f"{function['name']}({', '.join(arguments)})"
        after = [types.sum("returned", result)] if result != "()" else []
        for i, argument in enumerate(split(signature)):
            if re.match(r"[^:]*:\s*&\s*('\w+ )?mut\b|&\s*('\w+ )?mut self", argument):
                type_ = argument.split(":", 1)[1] if ":" in argument else "Self"
                after.append(types.sum(f"a{i}", types.owned(type_)))
    except (KeyError, ValueError):
        return None
    after = [text for text in after if text]
    if not after:
        return None
    lines = [f"#[coenzyme::differentiable]\n    pub fn {name}(p: &[{number}]) -> {number} {{", *before, f"let returned = {call};"]
    lines += [f"let mut sum: {number} = 0.0;", *after, "sum\n    }"]
    path = f"{function['file']}:{function['line']}:{function['name']}"
    test = TEST.format(name=name, count=types.used, path=path, module=f"{MODULE}_{number}")
    return "\n        ".join(lines), test, path


def prepare(root):
    """The copy without its own tests, which would want crates of their own, and with the tester."""
    manifest = (root / "crate" / "Cargo.toml").read_text()
    left_out = r"\[(\[(bench|test|example|bin)\]\]|(target\..*)?dev-dependencies|dependencies.coenzyme-testutils)"
    kept = [section for section in re.split(r"(?m)^(?=\[)", manifest) if not re.match(left_out, section)]
    manifest = re.sub(r"(?m)^default-run.*\n", "", "".join(kept)).rstrip() + f'\n\n[dependencies.coenzyme-testutils]\npath = "{LIBRARY}/testutils"\ndefault-features = false\n'
    (root / "crate" / "Cargo.toml").write_text(manifest)
    for file in (root / "crate").glob("src/**/*.rs"):
        text = file.read_text().split(f"\n// {MODULE}")[0]
        text = re.sub(r"#\[cfg\(test\)\]|#\[test\]|#\[bench\]", "#[cfg(any())]", text)
        file.write_text(re.sub(r"not\(test\)", "not(any())", text))


def severed(items):
    """Functions that may reach one that `accept.py` made inactive, by name: what differences say of them is no derivative."""
    names = {i.name for i in items if "coenzyme::inactive" in i.before}
    calls = [(i.name, set(re.findall(r"\b(\w+)\s*\(", i.body))) for i in items if i.kind == "fn"]
    while more := {name for name, called in calls if called & names} - names:
        names |= more
    return names


def with_tests(file, plain, wrappers):
    """The text of a file with wrappers at its end, and the lines of each."""
    text, places = f"{plain.rstrip()}\n// {MODULE}\n", []
    if wrappers:
        text += f"#[cfg(test)]\nmod {MODULE} {{\n{STANDARD}    use super::*;\n"
        text += "".join(f"    use crate::{MODULE}_{number};\n" for number in NUMBERS)
        for name, (source, test, _) in wrappers.items():
            first = text.count("\n") + 1
            text += f"    {source}{test}"
            places.append((range(first, text.count("\n") + 2), name))
        text += "}\n"
    if file.parts[-2:] == ("src", "lib.rs"):
        for number in NUMBERS:
            text += f"#[cfg(test)]\nmod {MODULE}_{number} {{\n{STANDARD}    type N = {number};\n{POINTS}}}\n"
    return text, places


def blamed(error, places, root):
    """The wrappers that an error, or a note of it, stands in."""
    for span in error["spans"] + [s for c in error["children"] for s in c["spans"]]:
        while span:
            file = root / "crate" / span["file_name"]
            yield from ((file, name) for lines, name in places.get(file, ()) if span["line_start"] in lines)
            span = span["expansion"] and span["expansion"]["span"]


def compile_tests(root, files, wrappers):
    """Writes the wrappers and drops those that do not compile, until the others do."""
    plain = {file: file.read_text() for file in files}
    for _ in range(ROUNDS):
        places = {}
        for file in files:
            text, places[file] = with_tests(file, plain[file], wrappers.get(file))
            file.write_text(text)
        if not (errors := check(root, "test", "--lib", "--no-run")):
            return
        dropped = {found: error for error in errors for found in blamed(error, places, root)}
        if not dropped:
            raise RuntimeError(errors[0]["rendered"])
        with open(root / "dropped.txt", "a") as log:
            for (file, name), error in dropped.items():
                log.write(f"{wrappers[file].pop(name)[2]}\n{error['rendered']}\n")
    raise RuntimeError(f"errors are left after {ROUNDS} rounds")


def judge(name, folder):
    """How many functions of a crate are right, and how many disagree with differences."""
    root = folder / name.split("@")[0]
    prepare(root)
    functions = json.loads((root / "accepted.json").read_text())
    files = sorted((root / "crate").glob("src/**/*.rs"))
    items = [i for file in files for i in items_of(file)]
    types, wrappers = Types(items), {}
    for number, function in enumerate(functions):
        made = not function["nested"] and wrapper(function, types, f"judged_{number}")
        if made:
            wrappers.setdefault(root / "crate" / function["file"], {})[f"judged_{number}"] = made
    drawn = sum(map(len, wrappers.values()))
    compile_tests(root, files, wrappers)
    command = ["cargo", "test", "--quiet", "--lib", "--target-dir", root.parent / "target", MODULE, "--", "--nocapture", "--test-threads=2"]
    run = subprocess.run(command, cwd=root / "crate", capture_output=True, text=True, env=environment(), timeout=1200)
    said = run.stdout + run.stderr
    right = len(re.findall(r"judged \S+ [1-9]", said))
    beside = severed(items)
    found = re.findall(r"thread '[\w:]*judged_(\d+)_'[^\n]*\n(.*?)(?=\nnote:|\nstack|\n\n|\nthread)", said, re.S)
    found = [(functions[int(number)], message) for number, message in found]
    wrong = [(function, message) for function, message in found if function["name"] not in beside]
    for function, message in wrong:
        print(f"--- {name} {function['file']}:{function['line']} {function['name']}\n{message}")
    counts = f"{drawn} with arguments that can be drawn, {right} right, {len(wrong)} disagree, {len(found) - len(wrong)} call inactive ones"
    print(f"{name}: {len(functions)} accepted, {counts}", flush=True)
    return right, len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crates", nargs="+")
    parser.add_argument("--folder", type=Path, default=LIBRARY / "target" / "crates", help="where accept.py left them")
    options = parser.parse_args()
    judged = wrong = 0
    for name in options.crates:
        try:
            of_crate = judge(name, options.folder.resolve())
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            print(f"{name}: not judged, {error}", file=sys.stderr)
            continue
        judged, wrong = judged + of_crate[0], wrong + of_crate[1]
    print(f"together: {judged} judged, {wrong} disagree")


if __name__ == "__main__":
    main()
