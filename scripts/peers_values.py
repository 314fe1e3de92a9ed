"""Values as peers print them."""

import json
import re

# What a number becomes as a text.
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,9})?")


def at_path(value, path):
    """What a document of blocks and arguments has there: a block by itself may stand in a list, and one of several may not."""
    for part in path.split("."):
        if isinstance(value, list) and part.isdigit():
            value = value[int(part)] if int(part) < len(value) else None
        elif not part.isdigit():
            value = value[0] if isinstance(value, list) and len(value) == 1 else value
            value = value.get(part) if isinstance(value, dict) else None
    return value


def has_part(value, test):
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return test(value) or any(has_part(part, test) for part in parts)


def is_same(one, other, is_sorted):
    """Values by what a provider makes of them: "1" is 1, and what is null isn't there. Checkov puts elements in order, and reads what JSON holds."""
    if isinstance(one, str) and isinstance(other, (dict, list)):
        try:
            return is_same(json.loads(one), other, is_sorted)
        except ValueError:
            return False
    if isinstance(one, dict) and isinstance(other, dict):
        sides = [{key: value for key, value in side.items() if value is not None} for side in (one, other)]
        return sides[0].keys() == sides[1].keys() and all(is_same(value, sides[1][key], is_sorted) for key, value in sides[0].items())
    if isinstance(one, list) and isinstance(other, list):
        if is_sorted:
            one, other = (sorted(side, key=lambda value: json.dumps(value, sort_keys=True)) for side in (one, other))
        return len(one) == len(other) and all(is_same(*pair, is_sorted) for pair in zip(one, other))
    return text_of(one) == text_of(other)


def text_of(value):
    """A number by its value, as a number or as a text that a number gives: "01" is none."""
    if isinstance(value, (bool, dict, list)):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return repr(float(value)) if abs(value) < 1e15 else str(value)
    return repr(float(value)) if isinstance(value, str) and NUMBER.fullmatch(value) else value
