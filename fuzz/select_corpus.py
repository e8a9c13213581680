"""Chooses the files of a corpus from those that libFuzzer merged: select_corpus.py CONTROL-FILE CORPUS

libFuzzer's own choice covers everything, with more files than a repository should hold. Here files with names of
their own all stay, and those named by their hash compete: as many as MOST_FILES allows, first what covers most that
nothing else covers yet.
"""

import hashlib
import pathlib
import sys

MOST_FILES = 98
MOST_BYTES = 4096  # a file

control_path, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
lines = pathlib.Path(control_path).read_text(encoding="utf-8").splitlines()
file_count = int(lines[0])
contents = [pathlib.Path(name).read_bytes() for name in lines[2 : 2 + file_count]]
features = [set() for _ in range(file_count)]
for line in lines[2 + file_count :]:
    kind, index, *rest = line.split()
    if kind == "FT":
        features[int(index)] = set(rest)

named = [path for path in corpus.iterdir() if len(path.name) != 40]
named_contents = {path.read_bytes() for path in named}
covered = set()
for content, its_features in zip(contents, features):
    if content in named_contents:
        covered |= its_features

chosen = {}
while len(named) + len(chosen) < MOST_FILES:
    best = max(
        (i for i in range(file_count) if len(contents[i]) <= MOST_BYTES),
        key=lambda i: (len(features[i] - covered), -len(contents[i])),
    )
    if not features[best] - covered:
        break
    covered |= features[best]
    chosen[hashlib.sha1(contents[best]).hexdigest()] = contents[best]

for path in corpus.iterdir():
    if path not in named and path.name not in chosen:
        path.unlink()
for name, content in chosen.items():
    (corpus / name).write_bytes(content)
everything = set().union(*features)
print(f"{len(named) + len(chosen)} files cover {len(covered)} of {len(everything)} edges")
