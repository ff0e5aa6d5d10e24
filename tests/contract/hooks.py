"""Leaves out of generated bodies what only the proxy or the engine creates.

`openapi.json` marks such fields with `x-opaque`: clients pass back what they were given, and an object that is made up
is refused. Values that are no objects stay, since the schema does not allow them and they must be refused.
"""

import schemathesis

OPAQUE = {"context", "decided", "failed", "said", "shape", "ties"}


@schemathesis.hook
def before_call(context, case, kwargs):
    case.body = without_opaque(case.body)


def without_opaque(value):
    if not isinstance(value, dict):
        return value
    kept = {name: item for name, item in value.items() if not (name in OPAQUE and is_made_up(item))}
    return {name: without_opaque(item) for name, item in kept.items()}


def is_made_up(value):
    if isinstance(value, list):
        return all(isinstance(item, dict) for item in value)
    return isinstance(value, dict)
