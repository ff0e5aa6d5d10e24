"""Reads what is printed for Snowflake, Databricks and Trino by sqlglot 27 or later.

`UPDATE_EXPECT=1 cargo test -p wherefore-sql --test transpile` writes the file, and
`python3 sql/tests/sqlglot_reads.py` reads it, with sqlglot from PyPI.
"""

import pathlib
import sys

import sqlglot
from sqlglot import exp

FILE = pathlib.Path(__file__).parent / "data" / "warehouses.tsv"


def fault(dialect: str, text: str) -> str | None:
    """Why a text is not one statement of the dialect that sqlglot understands."""
    try:
        statements = sqlglot.parse(text, read=dialect)
    except sqlglot.errors.SqlglotError as error:
        return str(error)
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        return "not one query"
    return None


def main() -> int:
    counts: dict[str, int] = {}
    faults = 0
    for line in FILE.read_text(encoding="utf-8").splitlines():
        dialect, text = line.split("\t", 1)
        counts[dialect] = counts.get(dialect, 0) + 1
        if found := fault(dialect, text):
            faults += 1
            print(f"{dialect}: {found}: {text}")
    print(counts, f"{faults} not read")
    return 1 if faults or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
