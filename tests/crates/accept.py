"""How many numeric functions of crates that others wrote are accepted unchanged: see README.md."""

import argparse, collections, json, os, re, shutil, subprocess, sys
from pathlib import Path

from source import choose, items_of

LIBRARY = Path(__file__).resolve().parents[2]
ROUNDS = 16
# what an error says of a type that has no derivative
WANTS_A_TYPE = re.compile(r"has no tangent space|is not a real number|cannot return|in a struct that is differentiated")
STANDARD = set("Arc Box Cell Err Fn FnMut FnOnce HashMap Infallible Iterator None Ok Option Range Rc RefCell Result Self Some String Vec".split())


def write(items, root):
    for file in {i.file for i in items}:
        text, marked, at = (root / "pristine" / file.relative_to(root / "crate")).read_text(), "", 0
        for i in sorted((i for i in items if i.file == file), key=lambda i: i.start):
            marked, at = marked + text[at : i.start] + i.attribute(), i.start
        file.write_text(marked + text[at:])


def blamed(error, items, root):
    """The innermost item that has a mark, and that the error or a note of it stands in; a function before others."""
    spans = sorted(error["spans"], key=lambda span: not span["is_primary"]) + [s for c in error["children"] for s in c["spans"]]
    around = []
    for span in spans:
        while span:
            file = (root / "crate" / span["file_name"]).resolve()
            here = [i for i in items if i.file == file and span["line_start"] in i.lines and (i.attribute() or i.accepted())]
            around += sorted(here, key=lambda i: len(i.lines))
            span = span["expansion"] and span["expansion"]["span"]
    return next((i for i in around if i.kind == "fn"), around[0] if around else None)


def environment():
    # most of the time goes into the macros
    settings = {"RUSTFLAGS": "--cap-lints allow", "CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL": "1"}
    return {**os.environ, **settings}


def check(root, *command):
    """The errors of a Cargo command; those without a place end it."""
    # not by the environment: Cargo that a macro of the crate runs would wait for the lock of this one
    command = ["cargo", *command, "--target-dir", root.parent / "target", "--message-format=json", "--quiet"]
    run = subprocess.run(command, cwd=root / "crate", capture_output=True, text=True, env=environment())
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    errors = [line["message"] for line in lines if line["reason"] == "compiler-message" and line["message"]["level"] == "error"]
    errors = [error for error in errors if error["spans"]]
    if run.returncode and not errors:
        raise RuntimeError(f"does not build: {run.stderr[-1000:]}")
    return errors


def fetch(name, root):
    """A copy of the newest version of a crate, as Cargo gets it from the registry, with this library as a dependency."""
    shutil.rmtree(root, ignore_errors=True)
    (root / "fetch" / "src").mkdir(parents=True)
    (root / "fetch" / "src" / "lib.rs").touch()
    (root / "fetch" / "Cargo.toml").write_text('[package]\nname = "fetch"\nedition = "2021"\n[workspace]\n')
    cargo = lambda *words: subprocess.run(["cargo", *words], cwd=root / "fetch", check=True, capture_output=True, text=True).stdout
    cargo("add", "--quiet", name)
    package = next(p for p in json.loads(cargo("metadata", "--format-version=1"))["packages"] if p["name"] == name.split("@")[0])
    for copy in ("crate", "pristine"):
        shutil.copytree(Path(package["manifest_path"]).parent, root / copy)
    (root / "crate" / "Cargo.lock").unlink(missing_ok=True)
    with open(root / "pristine" / "src" / "lib.rs", "a") as library:
        library.write("\nextern crate coenzyme;\n")  # for edition 2015
    features = [f for f in ("nalgebra", "glam") if any(d["name"] == f and not d["optional"] for d in package["dependencies"])]
    with open(root / "crate" / "Cargo.toml", "a") as manifest:
        manifest.write(f'\n[dependencies.coenzyme]\npath = "{LIBRARY}"\nfeatures = {json.dumps(features)}\n[workspace]\n')


def of_strangers(items, root):
    """Whether a refusal is for a type that another crate declares, or one of the crate that is refused for such."""
    text = "".join(file.read_text() for file in (root / "pristine").glob("src/**/*.rs"))
    known = STANDARD | set(re.findall(r"\b(?:struct|enum|trait|type|union)\s+(\w+)", text))

    def names(error):
        said = WANTS_A_TYPE.search(error["message"]) and re.search(r"`([^`]*)`", error["message"])
        return {name for name in re.findall(r"\b[A-Z]\w*[a-z]\w*", said[1])} if said else set()

    types = [i for i in items if i.kind in ("struct", "enum") and i.refusals]
    while more := {i.name for i in types if names(i.refusals[0]) - known} & known:
        known -= more
    return lambda error: bool(names(error) - known)


def accept(name, folder, verbose):
    """The numeric functions of a crate: how many are accepted, how many there are, and why the others are not."""
    root = folder / name.split("@")[0]
    fetch(name, root)
    items = [i for file in sorted((root / "crate").glob("src/**/*.rs")) for i in items_of(file)]
    choose(items)
    for _ in range(ROUNDS):
        write(items, root)
        refused = {}
        if not (errors := check(root, "check", "--lib")):
            break
        for error in errors:
            refused.setdefault(blamed(error, items, root), error)
        if set(refused) == {None}:
            raise RuntimeError(f"stops at: {errors[0]['rendered']}")
        for item, error in refused.items():
            if item:
                item.refuse(error)
    else:
        raise RuntimeError(f"{len(errors)} errors are left after {ROUNDS} rounds")
    functions = [i for i in items if i.numeric]
    causes = [(i, (i.refusals + i.parent.refusals if i.is_method else i.refusals)[0]) for i in functions if not i.accepted()]
    is_stranger = of_strangers(items, root)
    strangers = sum(is_stranger(error) for _, error in causes)
    (root / "accepted.json").write_text(json.dumps([i.description(root / "crate") for i in functions if i.accepted()], indent=1))
    for item, error in causes if verbose else ():
        print(f"--- {item.file}:{item.lines[0]} {item.name}\n{error['rendered']}")
    beside = f", {strangers} of the others for types of other crates" if strangers else ""
    print(f"{name}: {len(functions) - len(causes)}/{len(functions)}{beside}", flush=True)
    return len(functions) - len(causes), len(functions), strangers, [error["message"] for _, error in causes]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crates", nargs="*", default=Path(__file__).with_name("crates.txt").read_text().split())
    parser.add_argument("--folder", type=Path, default=LIBRARY / "target" / "crates", help="where they are copied and compiled")
    parser.add_argument("--verbose", action="store_true", help="print the error of each function that is refused")
    options = parser.parse_args()
    accepted, all_, strangers, causes = 0, 0, 0, collections.Counter()
    for name in options.crates:
        try:
            of_crate = accept(name, options.folder.resolve(), options.verbose)
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(f"{name}: not counted, {error}", file=sys.stderr)
            continue
        accepted, all_, strangers = accepted + of_crate[0], all_ + of_crate[1], strangers + of_crate[2]
        causes.update(re.sub(r"`[^`]*`", "`_`", cause.splitlines()[0]) for cause in of_crate[3])
    print(f"together: {accepted}/{all_}, and without those for types of other crates {accepted}/{all_ - strangers}")
    for cause, count in causes.most_common(40):
        print(f"{count:5} {cause}")


if __name__ == "__main__":
    main()
