"""A dead server is left alone for a while, and for its own tenant only."""

from turnkey.mcp.breaker import FAILURES, PAUSE_SECONDS, Breaker


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_server_that_fails_in_a_row_is_left_alone_and_then_tried_again() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        assert breaker.allows("shop/s")
        breaker.failed("shop/s")
    assert not breaker.allows("shop/s")
    assert breaker.allows("other/s")
    clock.now += PAUSE_SECONDS
    assert breaker.allows("shop/s")
    breaker.failed("shop/s")
    assert not breaker.allows("shop/s")
    clock.now += PAUSE_SECONDS
    breaker.succeeded("shop/s")
    breaker.failed("shop/s")
    assert breaker.allows("shop/s")
