#!/usr/bin/python3
"""Mutation testing: how many small faults in the sources do the tests of C++ notice?

    ./dev mutate [engine|reference_model] [--limit N] [--jobs J] [--resume FILE]

A mutant is a copy of the sources with one small fault: `<` for `<=`, `+` for `-`, `&&` for `||`,
a number one too high, a condition negated, a statement removed, arguments swapped, ... For each of
them the files that the fault touches are compiled, and put in place of the original ones in a
program of all tests of C++ (one_program.cmake). Tests run until the first one fails: the unit
tests of the mutated file, other unit tests, golden traces, the differential tests, properties, ...
(STAGES below). A mutant is

    not compiling   dropped: no test is needed to notice it
    identical       dropped: compiled, perhaps with -O2, it is the original
    killed          a test failed, crashed, or took far more time, memory or output than it does
    equivalent      nobody noticed it, and equivalent.txt says why nobody can
    assertion       nobody noticed it, but it is a fault in a RETRYGARDEN_CHECK, which never fires
    survived        nobody noticed it: a test is missing, or a line of equivalent.txt

The score is killed / (killed + survived). The exit status is 1 if more than 2 % survived, or a
line of equivalent.txt fits no mutant of the sources.

Nothing is written to the sources: all work is done in build/mutation/, on a copy of the last
commit, or of the files as they are with --working-tree. Mutants are taken in a random order (see
--seed), in which any first part is spread evenly over files, so --limit is a fair sample. Results
are kept in an NDJSON file; with --resume FILE, results for files that did not change are taken
from there, except survivors when --again is given: so new tests are tried on old survivors.

equivalent.txt has entries of four lines, and a blank line between them: the file, the line (or the
lines, on one) before and after the mutation, and the reason. Where the same line stands in a file
more than once, `#2` after the file's name means the second one.
"""

import argparse
import collections
import dataclasses
import fcntl
import functools
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
SCRATCH = PROJECT / "build" / "mutation"
EQUIVALENT = HERE / "equivalent.txt"
LOCALES = SCRATCH / "locale"  # a test needs one whose decimal point is a comma
SOURCES = {
    "engine": re.compile(r"engine/(src/(?!probe)[^/]+\.(cpp|h)|include/.+\.h)"),
    "reference_model": re.compile(r"reference_model/src/[^/]+\.cpp"),
}
MOST_SURVIVORS = 0.02
MEMORY_BYTES = 4 << 30
OUTPUT_BYTES = 64 << 20
# Tests in an order in which they kill fast: all of a folder, or one file. What is not named here
# is not run.
STAGES = ["unit", "golden", "differential", "property", "metamorphic", "unit/memory_test.cpp"]
# Unit tests that are not named as the source is: how their names begin.
OWN_TESTS = {
    "delays": "event_loop",
    "json_text": "export",
    "loop": "event_loop",
    "plan": "(plan|delays)",
    "read_scenario": "scenario",
    "record_members": "export",
    "run_totals": "event_loop",
    "shard": "short_ticks",
    "team": "(short|phased)_ticks",
    "client_span": "(short|phased)_ticks",
    "hosts": "(retry_budgets|circuit_breakers)",
    "phased_shard": "(event_loop|phased_ticks)",
    "gathered_records": "(event_loop|phased_ticks)",
    "threads": "(threads|short_ticks)",
    "write_scenario": "scenario",
}
RAPIDCHECK = {
    "unit": "seed=1 noshrink=1",
    "golden": "seed=1 noshrink=1",
    "differential": "seed=1 noshrink=1 max_success=1500",
    "property": "seed=1 noshrink=1 max_success=500",
    "metamorphic": "seed=1 noshrink=1",
}


# ---------------------------------------------------------------------------------------------
# Tokens


@dataclasses.dataclass(frozen=True)
class Token:
    """A token of C++; start and end are its place in the text."""

    kind: str  # name, number, text (string or character), sign
    text: str
    start: int
    end: int


TOKEN = re.compile(
    r"""
    (?P<space>\s+ | //[^\n]* | /\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
  | (?P<text>(?:u8|[uUL])?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
  | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><=>|<<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|.)
    """,
    re.VERBOSE | re.DOTALL,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)


def tokens_of(text):
    """The tokens of a C++ text, without comments and preprocessor directives."""
    tokens, at = [], 0
    line_begins = True
    while at < len(text):
        if line_begins and (directive := DIRECTIVE.match(text, at)):
            at = directive.end()
            continue
        match = TOKEN.match(text, at)
        kind = match.lastgroup if match.lastgroup != "mark" else "raw"
        if kind != "space":
            tokens.append(Token("text" if kind == "raw" else kind, match[0], at, match.end()))
        line_begins = kind == "space" and "\n" in match[0] or (line_begins and kind == "space")
        at = match.end()
    return tokens


OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = {")": "(", "]": "[", "}": "{"}


def partners_of(tokens):
    """For each bracket its partner's number, for each token the bracket that it stands in."""
    partner, inside, stack = {}, [], []
    for i, token in enumerate(tokens):
        if token.text in CLOSE and stack:
            partner[i] = stack.pop()
            partner[partner[i]] = i
        inside.append(stack[-1] if stack else None)
        if token.text in OPEN:
            stack.append(i)
    return partner, inside


# ---------------------------------------------------------------------------------------------
# Mutants


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A fault: the text of a file with some pieces replaced."""

    file: str  # relative to the project
    operator: str
    edits: tuple  # of (start, end, replacement), ascending
    line: int
    before: str  # the lines that change, on one line, without indentation
    after: str
    occurrence: int  # how-manieth such line of the file this is; 0 if it is the only one
    is_assertion: bool

    @property
    def key(self):
        """What tells it from all other mutants of the same text."""
        return f"{self.file}:{self.line}:{self.edits[0][0]}:{self.operator}:{self.after}"

    def apply(self, text):
        """The text with the fault."""
        for start, end, replacement in reversed(self.edits):
            text = text[:start] + replacement + text[end:]
        return text


SWAPPED = {
    "relation": {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
                 "==": ["!="], "!=": ["=="]},
    "arithmetic": {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
                   "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "%=": ["*="]},
    "logic": {"&&": ["||"], "||": ["&&"]},
    "bits": {"&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"],
             "&=": ["|="], "|=": ["&="], "^=": ["&="]},
}
INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|\d[\d']*)([uUlLzZ]*)")
# A statement that begins so is no expression.
NO_EXPRESSION = set(
    "alignas auto case class concept const constexpr constinit default do else enum explicit extern"
    " for friend goto if inline mutable namespace operator private protected public requires return"
    " static static_assert struct switch template throw try typedef typename union using virtual"
    " void volatile while bool char int unsigned double".split()
)
ASSIGNMENTS = set("= += -= *= /= %= &= |= ^= <<= >>=".split())


class Mutator:
    """Finds the mutants of one file.

    Sources are laid out by clang-format, which tells what a tokenizer cannot know: two-sided
    operators stand between spaces, angle brackets of templates, `*` and `&` of types do not.
    """

    def __init__(self, file, text):
        self.file = file
        self.text = text
        self.tokens = tokens_of(text)
        self.partner, self.inside = partners_of(self.tokens)
        self.skipped = self.statements_of("static_assert") | self.statements_of("RETRYGARDEN_PROBE")
        self.assertions = self.statements_of("RETRYGARDEN_CHECK")
        self.lines = collections.Counter(line.strip() for line in text.split("\n"))
        self.found = []

    def statements_of(self, name):
        """The numbers of the tokens in parentheses after that name."""
        numbers = set()
        for i, token in enumerate(self.tokens[:-1]):
            if token.text == name and i + 1 in self.partner:
                numbers.update(range(i, self.partner[i + 1] + 1))
        return numbers

    def is_two_sided(self, i):
        """True for an operator between spaces or line breaks."""
        token = self.tokens[i]
        around = self.text[token.start - 1 : token.start] + self.text[token.end : token.end + 1]
        return len(around) == 2 and around.isspace()

    def add(self, operator, i, edits):
        """Records a mutant whose place is token number i."""
        if i in self.skipped:
            return
        first = self.text.rfind("\n", 0, edits[0][0]) + 1
        last = self.text.find("\n", edits[-1][1])
        last = len(self.text) if last < 0 else last
        piece = self.text[first:last]
        mutant = Mutant("", "", tuple((s - first, e - first, r) for s, e, r in edits),
                        0, "", "", 0, False)
        before, after = " ".join(piece.split()), " ".join(mutant.apply(piece).split())
        line_number = self.text.count("\n", 0, edits[0][0]) + 1
        line = self.text.split("\n")[line_number - 1].strip()
        occurrence = 0
        if self.lines[line] > 1:
            earlier = self.text[:first].split("\n")
            occurrence = 1 + sum(each.strip() == line for each in earlier)
        self.found.append(Mutant(self.file, operator, tuple(edits), line_number, before, after,
                                 occurrence, i in self.assertions))

    def replace(self, operator, i, replacement):
        """Records a mutant that replaces token number i."""
        token = self.tokens[i]
        self.add(operator, i, [(token.start, token.end, replacement)])

    def mutants(self):
        """All mutants of the file."""
        for i, token in enumerate(self.tokens):
            previous = self.tokens[i - 1].text if i else ""
            following = self.tokens[i + 1].text if i + 1 < len(self.tokens) else ""
            if token.kind == "sign" and previous != "operator":
                self.mutate_sign(i, token)
            elif token.kind == "number":
                self.mutate_number(i, token)
            elif token.text in ("true", "false"):
                self.replace("truth", i, "false" if token.text == "true" else "true")
            elif token.text in ("min", "max") and previous == "::" and following in ("(", "<"):
                self.replace("extreme", i, "max" if token.text == "min" else "min")
            elif token.text in ("if", "while", "for"):
                self.negate_condition(i)
            if token.text in ("(", "{") and i and self.tokens[i - 1].kind == "name":
                self.swap_arguments(i)
        self.remove_statements()
        unique = {mutant.key: mutant for mutant in self.found}
        return list(unique.values())

    def mutate_sign(self, i, token):
        if token.text in ("++", "--"):
            self.replace("step", i, "--" if token.text == "++" else "++")
        elif token.text == "?":
            self.negate_ternary(i)
        elif self.is_two_sided(i):
            for operator, signs in SWAPPED.items():
                for replacement in signs.get(token.text, []):
                    self.replace(operator, i, replacement)

    def mutate_number(self, i, token):
        match = INTEGER.fullmatch(token.text)
        if not match:
            return
        value = int(match[1].replace("'", ""), 0)
        for other in (value + 1, value - 1):
            if other >= 0:
                digits = hex(other) if match[1][:2] in ("0x", "0X") else str(other)
                self.replace("constant", i, digits + match[2])

    def negate(self, first, last):
        """Puts !( ) around the tokens first ... last."""
        start, end = self.tokens[first].start, self.tokens[last].end
        self.add("negation", first, [(start, start, "!("), (end, end, ")")])

    def negate_condition(self, i):
        """Negates the condition of an if, while or for."""
        open_ = i + 2 if self.tokens[i + 1].text == "constexpr" else i + 1
        close = self.partner[open_]
        parts = [j for j in range(open_ + 1, close)
                 if self.tokens[j].text == ";" and self.inside[j] == open_]
        if self.tokens[i].text == "for":
            if len(parts) == 2 and parts[1] > parts[0] + 1:
                self.negate(parts[0] + 1, parts[1] - 1)
            return
        first = parts[-1] + 1 if parts else open_ + 1
        has_declaration = any(self.tokens[j].text == "=" and self.inside[j] == open_
                              for j in range(first, close))
        if not has_declaration:
            self.negate(first, close - 1)

    def negate_ternary(self, i):
        """Negates what stands before a `?`."""
        first = i
        while first > 0:
            previous = self.tokens[first - 1]
            if previous.text in CLOSE:
                first = self.partner[first - 1]
            elif previous.text in OPEN or previous.text in (";", ",", "?", ":", "return"):
                break
            elif previous.text in ASSIGNMENTS:
                break
            else:
                first -= 1
        if first < i:
            self.negate(first, i - 1)

    def arguments(self, open_):
        """The arguments in a bracket, as pairs of their first and last token."""
        close = self.partner.get(open_)
        if close is None or close == open_ + 1:
            return []
        commas = [j for j in range(open_ + 1, close)
                  if self.tokens[j].text == "," and self.inside[j] == open_]
        borders = [open_, *commas, close]
        return [(a + 1, b - 1) for a, b in itertools.pairwise(borders)]

    def swap_arguments(self, open_):
        arguments = self.arguments(open_)
        if len(arguments) != 2 or any(first > last for first, last in arguments):
            return
        if self.tokens[open_ - 1].text in ("min", "max", "capture", "constexpr"):
            return  # the order means nothing
        if any(self.is_declaration(first, last) for first, last in arguments):
            return
        (a, b), (c, d) = [(self.tokens[f].start, self.tokens[l].end) for f, l in arguments]
        one, other = self.text[a:b], self.text[c:d]
        if one.startswith('"') != other.startswith('"'):
            return  # would not compile
        if one != other and "\n" not in one + other:
            self.add("arguments", open_, [(a, b, other), (c, d, one)])

    def is_declaration(self, first, last):
        """True if the tokens look like those of a declaration: a name after a type."""
        for j in range(first, last):
            here, after = self.tokens[j], self.tokens[j + 1]
            if self.inside[j] != self.inside[first] or after.kind != "name":
                continue
            if here.kind == "name" and here.text not in ("new", "co_await", "return", "not"):
                return True
            if here.text in ("&", "*", "&&", ">", "...") and not self.is_two_sided(j):
                before = self.text[here.start - 1 : here.start]
                if j > first and not before.isspace():
                    return True
        return False

    def remove_statements(self):
        """Removes each statement that is an expression, or a jump without value."""
        for i in range(1, len(self.tokens)):
            bracket = self.inside[i]
            if bracket is not None and self.tokens[bracket].text != "{":
                continue
            if not self.begins_statement(i):
                continue
            end = i
            while end < len(self.tokens) and self.tokens[end].text not in (";", "}"):
                end = self.partner[end] + 1 if self.tokens[end].text in OPEN else end + 1
            if end == len(self.tokens) or self.tokens[end].text != ";":
                continue
            if self.is_removable(i, end):
                self.add("statement", i, [(self.tokens[i].start, self.tokens[end].start, "")])

    def begins_statement(self, i):
        previous = self.tokens[i - 1].text
        if previous == ":":  # a label
            return self.tokens[i - 2].text == "default" or any(
                self.tokens[j].text == "case" for j in range(max(0, i - 6), i - 1))
        if previous == ")":  # of an if without braces; not of a function's head
            keyword = self.partner[i - 1] - 1
            return self.tokens[keyword].text in ("if", "for", "while")
        return previous in (";", "{", "}", "else")

    def is_removable(self, first, end):
        """True if the tokens first ... end-1 are an expression with an effect, or a jump."""
        begin = self.tokens[first]
        if begin.text in ("break", "continue") or (begin.text == "return" and end == first + 1):
            return True
        if begin.text in NO_EXPRESSION or (begin.kind != "name" and begin.text not in
                                           ("++", "--", "*", "(")):
            return False
        if self.is_declaration(first, end - 1):
            return False
        if self.tokens[end - 1].text in ("default", "delete"):
            return False
        top = [self.tokens[j].text for j in range(first, end)
               if self.inside[j] == self.inside[first]]
        return (top[-1] in (")", "++", "--") or begin.text in ("++", "--")
                or bool(ASSIGNMENTS & set(top)) or "<<" in top)


def mutants_of(files, part):
    """The mutants of each file of a part of the project, by file."""
    by_file = {}
    for file, content in sorted(files.items()):
        if SOURCES[part].fullmatch(file) and (found := Mutator(file, content.decode()).mutants()):
            by_file[file] = found
    return by_file


def in_random_order(by_file, seed):
    """All mutants in an order of which any first part is spread evenly over the files."""
    placed = []
    for file, mutants in sorted(by_file.items()):
        shuffled = sorted(mutants, key=lambda mutant: mutant.key)
        generator = random.Random(f"{seed} {file}")
        generator.shuffle(shuffled)
        offset = generator.random()
        placed += [((i + offset) / len(shuffled), file, i, mutant)
                   for i, mutant in enumerate(shuffled)]
    return [mutant for *_, mutant in sorted(placed, key=lambda entry: entry[:3])]


# ---------------------------------------------------------------------------------------------
# What is equivalent


class Equivalent:
    """The entries of equivalent.txt."""

    def __init__(self, path):
        self.reasons = {}
        text = path.read_text() if path.exists() else ""
        entry = []
        for number, line in enumerate([*text.split("\n"), ""], 1):
            if line.startswith("#"):
                continue
            if line.strip():
                entry.append(" ".join(line.split()))
            elif entry:
                if len(entry) != 4:
                    sys.exit(f"{path}:{number}: an entry has four lines, not {len(entry)}")
                self.reasons[tuple(entry[:3])] = entry[3]
                entry = []

    @staticmethod
    def name(mutant):
        """How equivalent.txt calls the mutant."""
        place = f"{mutant.file} #{mutant.occurrence}" if mutant.occurrence else mutant.file
        return (place, mutant.before, mutant.after)

    def __contains__(self, mutant):
        return self.name(mutant) in self.reasons

    def stale(self, mutants, part):
        """Entries of that part that no mutant has."""
        names = {self.name(mutant) for mutant in mutants}
        return [name for name in self.reasons if name[0].startswith(part) and name not in names]


# ---------------------------------------------------------------------------------------------
# The scratch copy


def project_files(revision):
    """The files of the project and their bytes; of the working tree if revision is None."""
    if revision is None:
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=PROJECT, check=True, capture_output=True).stdout.decode().split("\0")
        for name in filter(None, names):
            if (PROJECT / name).is_file():
                yield name, (PROJECT / name).read_bytes()
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", revision], cwd=PROJECT, check=True,
                                 capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                yield str(path.relative_to(folder)), path.read_bytes()


def write_tree(tree, files):
    """Makes tree hold these files and no others; those that have not changed are not touched."""
    for name, content in files.items():
        path = tree / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for path in tree.rglob("*"):
        if path.is_file() and str(path.relative_to(tree)) not in files:
            path.unlink()


class Build:
    """The build of the original sources, and the commands it used."""

    def __init__(self, scratch):
        self.tree = scratch / "tree"
        self.folder = scratch / "build"
        self.program = self.folder / "mutation_tests"

    def make(self, compiler, jobs):
        """Configures and builds."""
        flags = f"-w -D_GLIBCXX_ASSERTIONS -ffile-prefix-map={self.tree}=tree"
        configure = ["cmake", "-S", self.tree, "-B", self.folder, "-G", "Ninja",
                     f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={flags}",
                     "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                     f"-DCMAKE_PROJECT_INCLUDE={HERE / 'one_program.cmake'}"]
        ninja = ["ninja", "-C", self.folder, "-j", str(max(jobs, 2)), "mutation_tests"]
        for command in (configure, ninja):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{done.stdout}\n{done.stderr}\nthe original does not build")
        self.commands = self.compile_commands()
        self.dependents = self.find_dependents()
        self.link = self.link_command()

    def compile_commands(self):
        """How each object of the program is compiled, by object."""
        entries = json.loads((self.folder / "compile_commands.json").read_text())
        commands = {}
        for entry in entries:
            command = shlex.split(entry["command"])
            object_ = command[command.index("-o") + 1]
            if re.match(r"(engine/|reference_model/)?CMakeFiles/"
                        r"(retrygarden_engine|retrygarden_reference_model|mutation_tests)\.dir/",
                        object_) and "cmake_pch" not in object_:
                commands[object_] = command
        return commands

    def find_dependents(self):
        """The objects that depend on a file, by file; those of the engine come first."""
        lines = subprocess.run(["ninja", "-C", self.folder, "-t", "deps"], check=True,
                               capture_output=True, text=True).stdout.splitlines()
        dependents = collections.defaultdict(list)
        object_ = None
        for line in lines:
            if line and not line.startswith(" "):
                object_ = line.split(": #deps")[0]
            elif object_ in self.commands:
                path = pathlib.Path(os.path.normpath(self.folder / line.strip()))
                if path.is_relative_to(self.tree):
                    dependents[str(path.relative_to(self.tree))].append(object_)
        return {file: sorted(objects, key=lambda o: (o.startswith("CMakeFiles"), o))
                for file, objects in dependents.items()}

    def link_command(self):
        lines = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", "mutation_tests"],
                               check=True, capture_output=True, text=True).stdout.splitlines()
        command = lines[-1].removeprefix(": && ").removesuffix(" && :")
        return shlex.split(command)


def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def optimised(command):
    """The same compiler call with -O2, for which precompiled headers do not fit."""
    result, i = [], 0
    while i < len(command):
        if command[i : i + 2] in (["-Xclang", "-include-pch"], ["-Xclang", "-include"]):
            i += 4
        elif command[i] in ("-Winvalid-pch", "-fpch-instantiate-templates", "-O0", "-O1"):
            i += 1
        elif command[i] == "-include":
            i += 2
        else:
            result.append(command[i])
            i += 1
    return [result[0], "-O2", *result[1:]]


# ---------------------------------------------------------------------------------------------
# Tests


@dataclasses.dataclass(frozen=True)
class Stage:
    """Tests that run together."""

    name: str
    files: tuple  # of folder/name
    filter: str  # GoogleTest's
    rapidcheck: str  # RapidCheck's parameters


TEST = re.compile(r"^(TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)",
                  re.MULTILINE)


def filter_of(files):
    """GoogleTest's filter for the tests that these sources define."""
    patterns = set()
    for file in files:
        for kind, suite, test in TEST.findall(file.read_text()):
            patterns.add(f"*/{suite}.{test}/*" if kind == "TEST_P" else f"{suite}.{test}")
    return ":".join(sorted(patterns)) or "-*"


class Tests:
    """The tests of a tree, in the order in which they are run against the mutants of a file."""

    def __init__(self, tree):
        self.files = sorted(tree.glob("tests/*/*_test.cpp"))

    @functools.lru_cache(maxsize=None)
    def stages(self, file):
        """The stages for a mutated file; without one, those for any."""
        stages = []
        if file is not None:
            stages.append(self.stage("own unit tests", self.own_tests(file)))
        for name in STAGES:
            path = f"tests/{name}"
            stages.append(self.stage(name, [
                each for each in self.files if f"/{path}" in str(each)
                and (name.endswith(".cpp") or f"{each.parent.name}/{each.name}" not in STAGES)]))
        return stages

    def stage(self, name, files):
        folder = "unit" if "unit" in name else name
        return Stage(name, tuple(f"{file.parent.name}/{file.name}" for file in files),
                     filter_of(files), RAPIDCHECK[folder])

    def own_tests(self, file):
        """The unit tests that name the file's header, or are named as it is."""
        path = pathlib.PurePath(file)
        unit = [each for each in self.files if each.parent.name == "unit"]
        if path.parts[0] != "engine":
            return [each for each in unit if path.parts[0] in each.name]
        stem = OWN_TESTS.get(path.stem, path.stem)
        named = re.compile(rf'#include "(retrygarden/)?{stem}\.h"')
        own = [each for each in unit if re.fullmatch(rf"{stem}(_\w+)?_test\.cpp", each.name)]
        return own or [each for each in unit if named.search(each.read_text())]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a run of tests ended; killer is None if all passed."""

    killer: str | None
    seconds: float  # of processor time


def run_tests(program, stage, folder, seconds):
    """Runs the tests of a stage until the first failure, within a limit of processor time."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_BYTES, OUTPUT_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    output = folder / "output"
    command = [program, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={stage.filter}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with output.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, cwd=folder,
                                   preexec_fn=limit,
                                   env={**os.environ, "RC_PARAMS": stage.rapidcheck,
                                        "LOCPATH": str(LOCALES)})
        try:
            status = process.wait(timeout=60 + 10 * seconds)  # other programs may be busy
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = -signal.SIGXCPU
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if status == 0:
        return Outcome(None, used)
    text = output.read_bytes()[-(1 << 20) :].decode(errors="replace")
    failed = re.search(r"\[  FAILED  \] ([\w/]+\.[\w/]+)", text)
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        killer = "too slow"
    elif status < 0:
        killer = signal.Signals(-status).name
    elif failed:
        killer = failed[1]
    else:
        killer = f"exit status {status}"
    return Outcome(f"{stage.name}: {killer}", used)


# ---------------------------------------------------------------------------------------------
# Judging mutants


class Worker:
    """Compiles and tests one mutant after another, in a tree of its own."""

    def __init__(self, number, build, files, tests, limits):
        self.folder = SCRATCH / f"worker-{number}"
        self.tree = self.folder / "tree"
        self.build = build
        self.files = files
        self.tests = tests
        self.limits = limits
        self.program = self.folder / "mutation_tests"
        write_tree(self.tree, files)
        self.originals = {}  # hashes of original objects, by object and whether optimised

    def compile(self, object_, is_optimised=False):
        """Compiles the tree's version of an object; None if it does not compile."""
        target = self.folder / "objects" / object_
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [argument if argument.startswith("-D")  # as in the precompiled headers
                   else argument.replace(str(self.build.tree), str(self.tree))
                   for argument in self.build.commands[object_]]
        command[command.index("-o") + 1] = str(target)
        if "-MF" in command:
            command[command.index("-MF") + 1] = f"{target}.d"
        if is_optimised:
            command = optimised(command)
        done = subprocess.run(command, cwd=self.build.folder, capture_output=True)
        self.complaint = done.stderr.decode(errors="replace")
        return target if done.returncode == 0 else None

    def original_hash(self, object_, file, is_optimised):
        """The hash of what the original of that file compiles to."""
        key = (object_, is_optimised)
        if key not in self.originals:
            path = self.tree / file
            mutated = path.read_bytes()
            path.write_bytes(self.files[file])
            compiled = self.compile(object_, is_optimised)
            if compiled is None:
                raise RuntimeError(f"the original does not compile: {self.complaint}")
            self.originals[key] = hash_of(compiled)
            path.write_bytes(mutated)
        return self.originals[key]

    def judge(self, mutant):
        """What becomes of the mutant: its status, and what killed it."""
        path = self.tree / mutant.file
        path.write_text(mutant.apply(self.files[mutant.file].decode()))
        try:
            return self.judge_written(mutant)
        finally:
            path.write_bytes(self.files[mutant.file])

    def judge_written(self, mutant):
        own_stage, *stages = self.tests.stages(mutant.file)
        own_objects = [object_ for object_ in self.build.dependents[mutant.file]
                       if not object_.startswith("CMakeFiles") or
                       any(object_.endswith(f"/{test}.o") for test in own_stage.files)]
        changed = {}  # compiled objects that differ, by original object
        # A header may be part of many tests; most mutants are killed before those are compiled.
        for objects, to_run in [(own_objects, [own_stage]),
                                (self.build.dependents[mutant.file], stages)]:
            for object_ in objects:
                if object_ in changed:
                    continue
                original = self.original_hash(object_, mutant.file, False)
                compiled = self.compile(object_)
                if compiled is None:
                    return "not compiling", None
                if hash_of(compiled) != original:
                    changed[object_] = str(compiled)
            if changed and not self.links(changed):
                return "not compiling", None
            for stage in to_run if changed else []:
                outcome = run_tests(self.program, stage, self.folder, self.limits(stage))
                if outcome.killer is not None:
                    return "killed", outcome.killer
        for object_ in changed:
            original = self.original_hash(object_, mutant.file, True)
            compiled = self.compile(object_, True)
            if compiled is None or hash_of(compiled) != original:
                return "survived", None
        return "identical", "with -O2" if changed else None

    def links(self, changed):
        """Links the program; changed objects come first, so their inline functions are taken."""
        others = [argument for argument in self.build.link if argument not in changed]
        first = next(i for i, argument in enumerate(others) if argument.endswith(".o"))
        command = [*others[:first], *changed.values(), *others[first:]]
        command[command.index("-o") + 1] = str(self.program)
        return subprocess.run(command, cwd=self.build.folder, capture_output=True).returncode == 0


class Results:
    """Results by mutant, kept in an NDJSON file as they come."""

    def __init__(self, path, files, forget_survivors):
        self.path = path
        self.sources = {file: hashlib.sha256(text).hexdigest()[:16] for file, text in files.items()}
        self.by_key = {}
        self.lock = threading.Lock()
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    record = json.loads(line)
                except ValueError:
                    continue  # cut off when the run was killed
                if record["source"] == self.sources.get(record["file"]) and not (
                        forget_survivors and record["status"] == "survived"):
                    self.by_key[record["key"]] = record
        path.parent.mkdir(parents=True, exist_ok=True)
        self.stream = path.open("a")

    def add(self, mutant, status, killer, seconds):
        record = {"key": mutant.key, "file": mutant.file, "line": mutant.line,
                  "operator": mutant.operator, "before": mutant.before, "after": mutant.after,
                  "status": status, "by": killer, "seconds": round(seconds, 2),
                  "source": self.sources[mutant.file]}
        with self.lock:
            self.by_key[mutant.key] = record
            self.stream.write(json.dumps(record) + "\n")
            self.stream.flush()


class Run:
    """Judges mutants in their order until enough of them are viable."""

    def __init__(self, mutants, results, equivalent, limit):
        self.mutants = mutants
        self.results = results
        self.equivalent = equivalent
        self.limit = limit
        self.judged = []  # the mutants that count, in their order
        self.viable = 0
        self.next = iter(mutants)
        self.lock = threading.Lock()
        self.failure = None

    def status_of(self, mutant):
        """The status of a judged mutant, survivors told apart."""
        status = self.results.by_key[mutant.key]["status"]
        if status == "survived" and mutant in self.equivalent:
            return "equivalent"
        if status == "survived" and mutant.is_assertion:
            return "assertion"
        return status

    def counts(self):
        return collections.Counter(self.status_of(mutant) for mutant in self.judged)

    def take(self):
        """The next mutant to judge; None when there are enough."""
        with self.lock:
            while self.failure is None and (self.limit is None or self.viable < self.limit):
                mutant = next(self.next, None)
                if mutant is None or mutant.key not in self.results.by_key:
                    return mutant
                self.count(mutant)
            return None

    def count(self, mutant):
        self.judged.append(mutant)
        self.viable += self.status_of(mutant) in ("killed", "survived")

    def work(self, worker):
        try:
            while (mutant := self.take()) is not None:
                start = time.monotonic()
                status, killer = worker.judge(mutant)
                self.results.add(mutant, status, killer, time.monotonic() - start)
                with self.lock:
                    self.count(mutant)
                    self.report(mutant)
        except BaseException as error:  # noqa: BLE001: it is raised again in the main thread
            self.failure = error

    def report(self, mutant):
        counts = self.counts()
        if self.status_of(mutant) == "survived":
            print(f"survived: {describe(mutant)}", flush=True)
        goal = f"{self.viable} of {self.limit} viable" if self.limit else f"of {len(self.mutants)}"
        line = f"{len(self.judged)} judged, {goal}: {listed(counts)}"
        if sys.stdout.isatty():
            print(f"\r\x1b[K{line}", end="", flush=True)
        elif len(self.judged) % 10 == 0:
            print(line, flush=True)


ORDER = ["killed", "survived", "equivalent", "assertion", "identical", "not compiling"]


def listed(counts):
    return ", ".join(f"{counts[status]} {status}" for status in ORDER if counts[status])


def describe(mutant):
    return (f"{mutant.file}:{mutant.line} ({mutant.operator})\n"
            f"    - {mutant.before}\n    + {mutant.after}")


# ---------------------------------------------------------------------------------------------


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="./dev mutate", description="Mutation testing: see the head of mutate.py.")
    parser.add_argument("part", nargs="?", choices=SOURCES, default="engine")
    parser.add_argument("--limit", type=int, metavar="N",
                        help="stop after N mutants that were killed or survived")
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="mutants at once")
    parser.add_argument("--seed", type=int, default=1, help="of the order of mutants")
    parser.add_argument("--resume", type=pathlib.Path, metavar="FILE",
                        help="results to begin with; new ones are added to it")
    parser.add_argument("--again", action="store_true", help="with --resume: judge survivors anew")
    parser.add_argument("--working-tree", action="store_true",
                        help="take the files as they are, not those of the last commit")
    parser.add_argument("--only", metavar="TEXT", default="",
                        help="only mutants whose file:line contains TEXT")
    parser.add_argument("--list", action="store_true", help="print the mutants, and stop")
    return parser.parse_args()


def take_scratch():
    """Makes sure that only one run at a time works in build/mutation/."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    lock = (SCRATCH / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another run works in {SCRATCH}")
    return lock


def prepare(files, jobs):
    """Builds the original, and finds out how long its tests take."""
    build = Build(SCRATCH)
    write_tree(build.tree, files)
    print("building the original", flush=True)
    build.make(os.environ.get("CXX", "clang++-19"), jobs)
    LOCALES.mkdir(exist_ok=True)
    subprocess.run(["localedef", "--inputfile=de_DE", "--charmap=UTF-8", LOCALES / "de_DE.UTF-8"],
                   check=True)
    tests = Tests(build.tree)
    seconds = {}
    for stage in tests.stages(None):
        outcome = run_tests(build.program, stage, build.folder, 600)
        if outcome.killer is not None:
            sys.exit(f"the original fails: {outcome.killer}; see {build.folder / 'output'}")
        seconds[stage.name] = outcome.seconds
        print(f"{stage.name}: {outcome.seconds:.1f} s", flush=True)
    seconds["own unit tests"] = seconds["unit"]
    return build, tests, lambda stage: int(3 + 5 * seconds[stage.name])


def summarise(run, by_file, equivalent, part):
    """Prints the summary; returns the exit status."""
    counts = run.counts()
    survivors = [m for m in run.judged if run.status_of(m) == "survived"]
    if survivors:
        print("\nsurvivors:")
    for mutant in sorted(survivors, key=lambda m: (m.file, m.line)):
        print(describe(mutant))
    total = sum(map(len, by_file.values()))
    print(f"\n{total} mutants generated from {len(by_file)} files, {len(run.judged)} judged: "
          f"{listed(counts)}")
    viable = counts["killed"] + counts["survived"]
    if viable:
        print(f"score: {counts['killed']} / {viable} = {100 * counts['killed'] / viable:.1f} %")
    stale = equivalent.stale(itertools.chain(*by_file.values()), part)
    for name in stale:
        print("no mutant is like this entry of equivalent.txt:", *name, sep="\n    ")
    return 1 if stale or counts["survived"] > MOST_SURVIVORS * viable else 0


def main():
    arguments = parse_arguments()
    files = dict(project_files(None if arguments.working_tree else "HEAD"))
    by_file = mutants_of(files, arguments.part)
    mutants = [mutant for mutant in in_random_order(by_file, arguments.seed)
               if arguments.only in f"{mutant.file}:{mutant.line}:"]
    if arguments.list:
        for mutant in mutants:
            print(describe(mutant))
        for file, found in by_file.items():
            print(f"{len(found):5} {file}")
        return 0
    lock = take_scratch()  # held until the end
    equivalent = Equivalent(EQUIVALENT)
    results_path = arguments.resume or SCRATCH / f"{arguments.part}.ndjson"
    if not arguments.resume:
        results_path.unlink(missing_ok=True)
    results = Results(results_path, files, arguments.again)
    build, tests, limits = prepare(files, arguments.jobs)
    run = Run(mutants, results, equivalent, arguments.limit)
    workers = [Worker(i + 1, build, files, tests, limits) for i in range(arguments.jobs)]
    threads = [threading.Thread(target=run.work, args=(worker,), daemon=True)
               for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if run.failure is not None:
        raise run.failure
    lock.close()
    return summarise(run, by_file, equivalent, arguments.part)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
