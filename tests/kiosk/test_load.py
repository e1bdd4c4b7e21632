"""Many viewers on one table: each sees every step once and in order, whoever else looks on."""

from __future__ import annotations

from cli.bench_kiosk import _Cost, _summary, measure


def test_sixty_viewers_of_another_process_see_every_play_in_order() -> None:
    load = measure(60, plays=6, interval_s=0.02)
    assert (load.viewers, load.plays) == (60, 6)
    assert load.lost == 0
    assert load.out_of_order == 0
    assert load.message_bytes > 1000


def test_a_lost_step_and_one_out_of_order_are_counted() -> None:
    sent = {11: 1.0, 12: 2.0}
    load = _summary(2, sent, 10, [[(10, 0.5), (11, 1.01), (12, 2.02)], [(10, 0.5), (12, 2.05)]], 9, [_Cost(0, 1.0, 0.5)], [_Cost(0, 2.0, 0.5)])
    assert (load.lost, load.out_of_order, load.worst_ms, load.p50_ms) == (1, 0, 50.0, 20.0)
    assert _summary(1, sent, 10, [[(12, 2.0), (11, 2.1)]], 9, [_Cost(0, 1.0, 0.5)], [_Cost(0, 1.0, 0.5)]).out_of_order == 1
