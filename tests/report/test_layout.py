from __future__ import annotations

from robodyn_check.report.layout import cells, pad, paint, table, to_ascii, wrap


def test_wide_and_combining_characters_count_as_a_terminal_shows_them():
    assert [cells("ab"), cells("关节"), cells("e\u0301")] == [2, 4, 1]
    assert cells(pad("关节", 6)) == 6


def test_a_table_wider_than_the_terminal_continues_below():
    lines = table(["", "one", "two", "three"], [["row", "a" * 20, "b" * 20, "c" * 20]], width=50)
    assert max(map(len, lines)) <= 50
    assert [line.split() for line in lines if line.startswith("  row")] == [
        ["row", "a" * 20, "b" * 20],
        ["row", "c" * 20],
    ]


def test_wrapping_keeps_long_words_whole():
    path = "/a" * 60
    assert any(line.strip() == path for line in wrap(f"see {path} for more", 80))


def test_colour_is_only_added():
    assert paint("FAIL", "FAIL", color=False) == "FAIL"
    assert paint("FAIL", "FAIL", color=True) == "\x1b[1;31mFAIL\x1b[0m"


def test_everything_can_be_spelled_in_ascii():
    assert to_ascii("eps·S ≤ 1, M⁻¹, 关") == "eps*S <= 1, M-1, \\u5173"
