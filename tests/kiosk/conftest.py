"""Fixtures: a sound card that exists only for the test."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.kiosk.tables import Maker, maker


@dataclass(frozen=True)
class NullSink:
    """A PulseAudio server of the test's own with one null sink; ``env`` makes ALSA and PortAudio use it."""

    env: dict[str, str]

    def record(self, target: Path) -> subprocess.Popen[bytes]:
        """Begin to record what the sink plays: raw mono signed 16 bit, 48 kHz."""
        command = ["parec", "--device=tw.monitor", "--format=s16le", "--rate=48000", "--channels=1", "--latency-msec=20", "--raw"]
        return subprocess.Popen(command, stdout=target.open("wb"), env=self.env)


@pytest.fixture
def null_sink(tmp_path: Path) -> Iterator[NullSink]:
    """Start PulseAudio with a null sink in its own runtime directory and end it with the test."""
    for program in ("pulseaudio", "parec", "pactl"):
        assert shutil.which(program), f"{program} is missing: apt-get install pulseaudio pulseaudio-utils"
    run = tmp_path / "run"
    home = tmp_path / "home"
    run.mkdir(mode=0o700)
    home.mkdir()
    socket = run / "native"
    (home / ".asoundrc").write_text("pcm.!default { type pulse }\nctl.!default { type pulse }\n")
    env = {**os.environ, "XDG_RUNTIME_DIR": str(run), "HOME": str(home), "PULSE_RUNTIME_PATH": str(run), "PULSE_SERVER": f"unix:{socket}"}
    env["PULSE_STATE_PATH"] = str(home)
    env["XDG_CONFIG_HOME"] = str(home)
    server = subprocess.Popen(
        [
            "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes", "--log-target=stderr",
            "-L", f"module-native-protocol-unix socket={socket} auth-anonymous=1",
            "-L", "module-null-sink sink_name=tw rate=48000 channels=1",
        ],
        env=env, stdout=subprocess.DEVNULL, stderr=(tmp_path / "pulse.log").open("wb"),
    )  # fmt: skip
    try:
        for _ in range(200):
            if subprocess.run(["pactl", "info"], env=env, capture_output=True, check=False).returncode == 0:
                break
            assert server.poll() is None, (tmp_path / "pulse.log").read_text()
            time.sleep(0.05)
        else:
            pytest.fail("pulseaudio did not start: " + (tmp_path / "pulse.log").read_text())
        yield NullSink(env)
    finally:
        server.terminate()
        server.wait(timeout=10)


@pytest.fixture
def make_table(tmp_path: Path) -> Iterator[Maker]:
    """Make running tables in the test's folder."""
    yield from maker(tmp_path)


CHROMIUM_FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, driven by Playwright; it talks to nobody but the table."""
    from playwright.sync_api import sync_playwright

    found = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
    assert found, "no Chromium: apt-get install chromium"
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
