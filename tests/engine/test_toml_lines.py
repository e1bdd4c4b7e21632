"""Lines of keys in a TOML text."""

from engine.toml_lines import key_lines

TEXT = '''version = 1
# [not] = a table
name = "a [b] = c"
title = { zh = "x", en = "y" }

[scoring]
bands = [   # the table
    { high = 75 },
    { low = 80,
      every = 40 },
]
clause.bands = ["一", "二"]
note = """
[levels]
path = 3
"""

[following.ladders]
2x2 = ["2x2 | 4x1", "2x1*2"]
"4x1" = []
'''


def test_keys_tables_dotted_keys_and_elements() -> None:
    lines = key_lines(TEXT)
    assert lines["version"] == 1
    assert lines["name"] == 3
    assert lines["scoring"] == 6
    assert lines["scoring.bands"] == 7
    assert lines["scoring.bands[0]"] == 8
    assert lines["scoring.bands[1]"] == 9
    assert lines["scoring.clause.bands"] == 12
    assert lines["scoring.note"] == 13
    assert lines["following.ladders.2x2"] == 19
    assert lines["following.ladders.2x2[1]"] == 19
    assert lines["following.ladders.4x1"] == 20


def test_what_looks_like_a_key_inside_a_string_or_comment_is_none() -> None:
    lines = key_lines(TEXT)
    assert "levels" not in lines
    assert "scoring.path" not in lines
    assert "not" not in lines
