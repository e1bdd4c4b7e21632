"""Reading rulebooks: a sheet inherits, and every fault names the key, the line and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulebook_toml import Fault, RulebookError, RulebookRefusedError, leaves, load, loads, names, walk

HEAD = 'version = 1\nname = "club"\ninherits = "official-2deck-shengji"\n'


def faults(text: str, head: str = HEAD) -> list[Fault]:
    with pytest.raises(RulebookError) as caught:
        loads(head + text)
    return list(caught.value.faults)


def only_fault(text: str, key: str, line: int, expected: str, head: str = HEAD) -> None:
    found = faults(text, head)
    assert [(fault.key, fault.line) for fault in found] == [(key, line)]
    assert expected in found[0].en
    assert found[0].zh
    assert found[0].zh in str(found[0])


def test_a_sheet_sets_what_it_says_and_inherits_the_rest() -> None:
    rules = loads(HEAD + '[throws]\nfine = 20\nclause.fine = "倒扣20分"\n')
    assert rules.throws.fine == 20
    assert rules.clause("throws.fine") == "倒扣20分"
    assert rules.throws.fine_per is load("official-2deck-shengji").throws.fine_per
    assert rules.clause("declaring.suit_order") == "按照黑>红>梅>方的顺序"


def test_a_value_set_anew_does_not_keep_the_parents_quote() -> None:
    rules = loads(HEAD + '[declaring]\nsuit_order = ["S", "H", "D", "C"]\n')
    assert rules.clause("declaring.suit_order") == "silent"
    assert "declaring.suit_order" in rules.assumed


def test_a_value_quoted_as_silent_is_assumed() -> None:
    rules = loads(HEAD + '[throws]\nfine = 20\nclause.fine = "silent"\n')
    assert rules.clause("throws.fine") == "silent"
    assert "throws.fine" in rules.assumed


def test_printed_ladders_replace_the_parents_as_a_whole() -> None:
    rules = loads('version = 1\nname = "club"\ninherits = "union-3deck-3toK"\n[following.ladders]\n2x2 = []\n')
    assert dict(rules.following.ladders) == {"2x2": ()}


def test_a_parent_may_lie_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(HEAD + "[throws]\nfine = 30\n", encoding="utf-8")
    (tmp_path / "youth.toml").write_text('version = 1\nname = "youth"\ninherits = "club"\n[clocks]\nplay_s = 20\n', encoding="utf-8")
    rules = load(tmp_path / "youth.toml")
    assert (rules.name, rules.throws.fine, rules.clocks.play_s) == ("youth", 30, 20)


def test_unknown_key() -> None:
    only_fault("[throws]\nfines = 20\n", "throws.fines", 5, "expected one of allowed")


def test_unknown_table() -> None:
    only_fault("[thrown]\nfine = 20\n", "thrown", 4, "expected one of version")


def test_unknown_key_of_an_inner_record() -> None:
    text = '[scoring]\nbands = [\n  { high = 75, stage = "declarers", steps = 1 },\n  { low = 80, stage = "attackers", step = 0 },\n]\n'
    only_fault(text, "scoring.bands[1].step", 7, "expected one of low, high")


def test_missing_key_of_an_inner_record() -> None:
    only_fault('[scoring]\nbands = [\n  { high = 75, stage = "declarers" },\n]\n', "scoring.bands[0]", 6, "steps is missing")


def test_unknown_offence() -> None:
    only_fault('[penalties.spitting]\nchoices = [{ effect = "points" }]\n', "penalties.spitting", 4, "expected one of wrong_count")


def test_unknown_word() -> None:
    only_fault('[digging]\nsuits = "trumps"\n', "digging.suits", 5, "expected one of any, trump")


def test_a_number_where_a_list_is_expected() -> None:
    only_fault("[levels]\npath = 2\n", "levels.path", 5, "a list of: one of 2 3 4")


def test_true_is_no_number() -> None:
    only_fault("[throws]\nfine = true\n", "throws.fine", 5, "a whole number")


def test_a_negative_number() -> None:
    only_fault("[throws]\nfine = -5\n", "throws.fine", 5, "at least 0")


def test_not_a_level() -> None:
    only_fault('[levels]\npath = ["2", "1"]\n', "levels.path[1]", 5, "one of 2 3 4")


def test_not_toml_names_the_line() -> None:
    only_fault("[throws\nfine = 1\n", "TOML", 4, "expected TOML")


def test_another_version() -> None:
    only_fault("", "version", 1, "expected 1", HEAD.replace("version = 1", "version = 2"))


def test_no_name() -> None:
    only_fault("", "name", 0, "a name in quotes", "version = 1\n")


def test_inherits_from_nobody() -> None:
    only_fault("", "inherits", 3, "expected a file or one of", HEAD.replace("official-2deck-shengji", "nowhere"))


def test_inherits_from_itself() -> None:
    only_fault("", "inherits", 3, "expected another rulebook", HEAD.replace("official-2deck-shengji", "club"))


def test_without_a_parent_every_missing_key_is_named() -> None:
    found = faults("", 'version = 1\nname = "club"\n')
    assert {fault.key for fault in found} == {*leaves(), "title"}
    assert "inherits" in found[0].en


def test_a_quote_of_thirteen_characters_is_too_long() -> None:
    only_fault('[throws]\nfine = 20\nclause.fine = "甩牌失败方倒扣二十分给对方"\n', "throws.clause.fine", 6, "at most 12")


def test_a_quote_for_an_unknown_key() -> None:
    only_fault('[throws]\nclause.fin = "倒扣"\n', "throws.clause.fin", 5, "expected one of allowed")


def test_a_key_listed_as_assumed_that_is_none() -> None:
    only_fault('assumed = ["throws.fin"]\n', "assumed[0]", 4, "expected one like scoring.bands")


def test_a_key_listed_as_assumed_though_it_is_quoted() -> None:
    only_fault('assumed = ["pack.bottom"]\n', "assumed[0]", 4, "is quoted, so it is not assumed")


def test_cards_that_do_not_divide() -> None:
    only_fault("[pack]\ndecks = 3\nbottom = 8\nhand = 39\n[shapes]\nmax_width = 3\n", "pack.hand", 7, "like 6")
    only_fault("[pack]\nhand = 24\n", "pack.hand", 5, "expected 25 a hand")


def test_must_play_level_outside_the_path() -> None:
    text = '[levels]\npath = ["3", "4", "5"]\nwin_after = "5"\nmust_play = ["5", "10"]\n'
    only_fault(text, "levels.must_play[1]", 7, "10 is not on the path 3 4 5")


def test_winning_level_outside_the_path() -> None:
    only_fault('[levels]\npath = ["3", "4", "5"]\n', "levels.win_after", 4, "A is not on the path 3 4 5")


def test_levels_that_do_not_rise() -> None:
    only_fault('[levels]\npath = ["2", "A", "K"]\n', "levels.path", 5, "levels that rise")


BANDS = '[scoring]\nbands = [\n  {{ high = 75, stage = "declarers", steps = 1 }},\n  {{ low = {low}, stage = "{stage}", steps = 0 }},\n]\n'


def test_thresholds_with_a_gap() -> None:
    only_fault(BANDS.format(low=85, stage="attackers"), "scoring.bands[1]", 7, "leaves a gap; expected low = 80")


def test_thresholds_that_overlap() -> None:
    only_fault(BANDS.format(low=75, stage="attackers"), "scoring.bands[1]", 7, "overlaps; expected low = 80")


def test_thresholds_that_are_no_multiple_of_five() -> None:
    assert [f.key for f in faults(BANDS.format(low=82, stage="attackers"))] == ["scoring.bands[1]"] * 2


def test_a_table_that_never_changes_the_stage() -> None:
    only_fault(BANDS.format(low=80, stage="declarers"), "scoring.bands", 5, "never gives the stage")


def test_a_closed_last_band() -> None:
    text = BANDS.format(low=80, stage="attackers").replace("low = 80, stage", "low = 80, high = 100, stage")
    only_fault(text, "scoring.bands[1]", 7, "no high in the last band")


def test_a_joker_that_must_lie_beside_is_a_card() -> None:
    only_fault('[declaring]\nmarker = "card"\nmarker_card = "H1"\n', "declaring.marker_card", 6, "not a card")


def test_more_equal_cards_than_packs() -> None:
    only_fault('[declaring]\nladder = ["level*1", "level*3"]\n', "declaring.ladder[1]", 5, "expected at most 2")
    only_fault("[shapes]\nmax_width = 3\n", "shapes.max_width", 5, "expected at most 2")


def test_a_ladder_rung_larger_than_the_lead() -> None:
    only_fault('[following.ladders]\n2x2 = ["2x3"]\n', "following.ladders.2x2[0]", 5, "expected at most the 4")


def test_a_rung_that_is_no_shape() -> None:
    only_fault('[following.ladders]\n2x2 = ["pair"]\n', "following.ladders.2x2[0]", 5, "expected WIDTHxLENGTH")


def test_an_upset_of_unequal_size() -> None:
    only_fault('[beating]\nupsets = ["4x1 > 2x3"]\n', "beating.upsets[0]", 5, "expected the same number")


def test_digging_a_bottom_that_is_not_there() -> None:
    only_fault("[pack]\nbottom = 0\nhand = 27\n", "digging.digs", 0, "expected nothing or last_trick")


def test_stirring_without_cards_that_stir() -> None:
    only_fault('[declaring]\nstir = "stronger"\n', "declaring.stir_ladder", 4, "expected what stirs")


def test_twos_next_to_each_other_need_a_constant_two() -> None:
    only_fault('[shapes]\nlinks = ["side_two-main_two"]\n', "shapes.links[0]", 5, "constant_two")


def test_a_trump_order_without_the_constant_twos() -> None:
    assert "trumps.order" in {f.key for f in faults("[trumps]\nconstant_two = true\n")}


def test_an_even_number_of_games() -> None:
    only_fault("[match]\nbest_of = 2\n", "match.best_of", 5, "an odd number")


def test_a_repeat_without_what_it_costs() -> None:
    only_fault('[penalties.talk]\nchoices = [{ effect = "warning" }]\nrepeat = 2\n', "penalties.talk.repeat", 6, "together")


def test_a_band_that_takes_levels_away() -> None:
    only_fault(BANDS.format(low=80, stage="attackers").replace("steps = 0", "steps = -1"), "scoring.bands[1]", 7, "at least 0")


def test_a_refusal_without_words() -> None:
    only_fault("refused = 1\n", "refused", 4, "{ zh, en }")


def test_a_rung_of_a_million_cards_is_no_shape() -> None:
    only_fault('[following.ladders]\n2x2 = ["1x1*1000000"]\n', "following.ladders.2x2[0]", 5, "expected WIDTHxLENGTH")


ODD = ("1", "-1", "1.5", "true", '"x"', '""', "[]", "[1]", '["x"]', "{}", "{a = 1}", "[{}]", "2020-01-01", '[["x"]]', "nan")


@pytest.mark.parametrize("key", [*leaves()[::5], "title", "source", "notes", "assumed", "inherits", "penalties.talk", "throws.clause"])
def test_whatever_stands_for_a_value_it_is_read_or_refused_with_key_and_words(key: str) -> None:
    table, _, name = key.rpartition(".")
    found: list[Fault] = []
    for value in ODD:
        head = HEAD.replace("inherits", "source") if key == "inherits" else HEAD
        text = f"{head}[{table}]\n{name} = {value}\n" if table else f"{head}{name} = {value}\n"
        try:
            loads(text)
        except RulebookError as error:
            found += error.faults
    assert found
    assert all(fault.key and fault.zh and fault.en for fault in found)


def test_several_faults_are_told_together() -> None:
    assert [f.key for f in faults("[throws]\nfines = 1\n[match]\nbest = 3\n[levels]\nmust_plays = []\n")] == [
        "throws.fines",
        "match.best",
        "levels.must_plays",
    ]


def test_no_such_rulebook_names_those_there_are() -> None:
    with pytest.raises(RulebookError, match="official-2deck-shengji"):
        load("no-such")


def test_a_refused_sheet_says_why() -> None:
    assert "labin-not-shengji" in names()
    with pytest.raises(RulebookRefusedError, match="climbing game") as caught:
        load("labin-not-shengji")
    assert "不是升级" in caught.value.reason.zh


def test_the_same_file_gives_an_equal_rulebook() -> None:
    assert load("union-3deck-3toK") == load("union-3deck-3toK")


def test_walk_tells_every_leaf_once() -> None:
    rules = load("official-2deck-shengji")
    keys = [key for key, _, _ in walk(rules)]
    assert len(keys) == len(set(keys))
    assert set(leaves()) <= set(keys)


def faults_of(path: Path) -> list[tuple[str, int, str]]:
    """What loading a file finds: key, line, the English words."""
    with pytest.raises(RulebookError) as caught:
        load(path)
    return [(fault.key, fault.line, fault.en) for fault in caught.value.faults]


def test_files_that_inherit_from_one_another_in_a_ring_are_refused(tmp_path: Path) -> None:
    for name, parent in (("a", "b"), ("b", "c.toml"), ("c", "a")):
        (tmp_path / f"{name}.toml").write_text(f'version = 1\nname = "{name}1"\ninherits = "{parent}"\n', encoding="utf-8")
    assert faults_of(tmp_path / "a.toml") == [("inherits", 3, "'a' inherits from itself; expected another rulebook")]


def test_a_file_with_a_byte_order_mark_and_windows_line_ends_is_read(tmp_path: Path) -> None:
    text = HEAD.replace("\n", "\r\n") + '[throws]\r\nfine = 20\r\nclause.fine = "扣20分"\r\n'
    (tmp_path / "club.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load(tmp_path / "club.toml").throws.fine == 20


def test_a_file_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_bytes(HEAD.encode() + '[throws]\nclause.fine = "扣20分"\n'.encode("gb18030"))
    ((key, line, en),) = faults_of(tmp_path / "club.toml")
    assert (key, line) == ("TOML", 5)
    assert "expected a file saved as UTF-8" in en


def test_a_parent_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_bytes("name = '升级'".encode("gb18030"))
    (tmp_path / "club.toml").write_text(HEAD.replace("official-2deck-shengji", "old"), encoding="utf-8")
    with pytest.raises(RulebookError, match=r"old\.toml:1: TOML: .*UTF-8"):
        load(tmp_path / "club.toml")


def test_a_file_too_big_for_a_rulebook_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_bytes(b"#" * (2**20 + 1))
    assert faults_of(tmp_path / "club.toml") == [("TOML", 0, "has 1.0 MiB; expected a rulebook of at most 1 MiB")]


def test_an_empty_file_is_told_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text("", encoding="utf-8")
    assert faults_of(tmp_path / "club.toml") == [("version", 0, "is missing; expected 1"), ("name", 0, "is missing; expected a name in quotes")]


def test_all_faults_are_told_at_once() -> None:
    text = HEAD + '[throws]\nfines = 10\n[clocks]\nplay_s = "fifteen"\nbury_from = "never"\n'
    with pytest.raises(RulebookError) as caught:
        loads(text)
    assert [(fault.key, fault.line) for fault in caught.value.faults] == [("throws.fines", 5), ("clocks.play_s", 7), ("clocks.bury_from", 8)]


def test_a_gap_in_the_result_table_is_told_with_the_line_of_its_band() -> None:
    bands = '[[scoring.bands]]\nhigh = 35\nstage = "declarers"\nsteps = 1\n\n[[scoring.bands]]\nlow = 50\nstage = "attackers"\nsteps = 0\n'
    only_fault(bands, "scoring.bands[1]", 9, "expected low = 40")


def test_a_wrong_value_in_a_band_is_told_with_its_own_line() -> None:
    bands = '[[scoring.bands]]\nhigh = 35\nstage = "declarers"\nsteps = 1\n[[scoring.bands]]\nlow = 40\nstage = "nobody"\nsteps = 0\n'
    only_fault(bands, "scoring.bands[1].stage", 10, "expected one of")


def test_a_refused_sheet_is_no_parent() -> None:
    only_fault("", "inherits", 3, "is refused", HEAD.replace("official-2deck-shengji", "labin-not-shengji"))
