"""Statements per second of CPU time of other parsers and linters, for comparison with `wherefore-bench-sql`.

Uses sqlglot, sqlfluff and polyglot-sql from PyPI; missing ones are skipped.
Arguments: statements, catalog of the statements.
"""

import json
import logging
import statistics
import sys
import time

ROUNDS = 5

statements = json.load(open(sys.argv[1]))
catalog = json.load(open(sys.argv[2]))
schema = {
    table["name"]: {column["name"]: column.get("kind", "text") for column in table["columns"]}
    for table in catalog["tables"]
}
logging.disable(logging.CRITICAL)


def rate(name, run, some):
    """Median of the rounds; rejected statements are counted too."""
    def one(sql):
        try:
            run(sql)
        except Exception:
            pass

    rates = []
    for _ in range(ROUNDS):
        before = time.process_time()
        for sql in some:
            one(sql)
        rates.append(len(some) / max(time.process_time() - before, 1e-9))
    rates.sort()
    print(f"{name}: {statistics.median(rates):.0f} a second of a processor ({rates[0]:.0f} to {rates[-1]:.0f})")


try:
    import polyglot_sql

    rate(f"polyglot-sql {polyglot_sql.__version__}, read", lambda sql: polyglot_sql.parse(sql, dialect="postgres"), statements)
except ImportError:
    pass

try:
    import sqlglot
    from sqlglot.optimizer.qualify import qualify

    rate(f"sqlglot {sqlglot.__version__}, read", lambda sql: sqlglot.parse_one(sql, read="postgres"), statements)
    rate(
        f"sqlglot {sqlglot.__version__}, read and names resolved",
        lambda sql: qualify(sqlglot.parse_one(sql, read="postgres"), schema=schema, dialect="postgres"),
        statements,
    )
except ImportError:
    pass

try:
    import sqlfluff
    from sqlfluff.core import Linter

    linter = Linter(dialect="postgres")
    rate(f"sqlfluff {sqlfluff.__version__}, lint", lambda sql: linter.lint_string(sql), statements[:20])
except ImportError:
    pass
