from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import Any

import pytest
from kombu.connection import Connection

from config.folder_broker import Transport


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Any]:
    with Connection(  # type: ignore[no-untyped-call]
        "memory://", transport=Transport, transport_options={"folder": str(tmp_path), "polling_interval": 0.001}
    ) as made:
        yield made


def test_messages_arrive_in_order_and_once(connection: Any) -> None:
    queue = connection.SimpleQueue("runs")
    for number in range(5):
        queue.put({"run": number})
    assert queue.qsize() == 5
    got = []
    for _ in range(5):
        message = queue.get(timeout=5)
        message.ack()
        got.append(message.payload["run"])
    assert got == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        queue.get(block=False)


def test_readers_and_writers_side_by_side_share_each_message_once(connection: Any) -> None:
    channels = [connection.channel() for _ in range(8)]
    got: list[int] = []
    trouble: list[Exception] = []

    def write(place: int) -> None:
        for number in range(100):
            channels[place]._put("q", {"n": place * 100 + number})

    def read(place: int) -> None:
        misses = 0
        while len(got) < 400 and misses < 20_000:
            try:
                got.append(channels[place]._get("q")["n"])
            except Empty:
                misses += 1
            except Exception as error:  # noqa: BLE001  (a thread's error would be lost)
                trouble.append(error)
                return

    threads = [Thread(target=write, args=(place,)) for place in range(4)]
    threads += [Thread(target=read, args=(place,)) for place in range(4, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trouble == []
    assert Counter(got) == Counter(range(400))


def test_a_message_still_being_written_and_a_broken_one_end_nobody(connection: Any, tmp_path: Path) -> None:
    channel = connection.channel()
    (tmp_path / ".1-a.q.msg.part").write_text('{"n":')
    (tmp_path / "0-broken.q.msg").write_text('{"n":')
    (tmp_path / "1-other.another.msg").write_text("{}")
    channel._put("q", {"n": 7})
    assert channel._size("q") == 2
    assert channel._get("q") == {"n": 7}
    assert channel._size("q") == 0
    assert channel._size("another") == 1
    assert channel._purge("another") == 1


def test_a_folder_that_is_gone_is_an_empty_queue_and_comes_back(connection: Any, tmp_path: Path) -> None:
    channel = connection.channel()
    tmp_path.rmdir()
    with pytest.raises(Empty):
        channel._get("q")
    channel._put("q", {"n": 1})
    assert channel._get("q") == {"n": 1}
