"""The recipe for a mini PC: units that systemd accepts, options that the command knows, scripts that a shell can read."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from cli import kiosk

DEPLOY = Path(__file__).parents[2] / "deploy"


def value(unit: str, key: str) -> str:
    found = re.search(rf"^{key}=(.*)$", (DEPLOY / unit).read_text("utf-8"), re.MULTILINE)
    assert found, key
    return found.group(1)


def test_the_unit_starts_the_table_with_options_that_it_knows() -> None:
    app = typer.Typer()
    kiosk.register(app)
    known = {option for parameter in get_command(app).commands["run"].params for option in (*parameter.opts, *parameter.secondary_opts)}  # type: ignore[attr-defined]
    words = [*shlex.split(value("trickwatch.service", "ExecStart")), *shlex.split(value("trickwatch.conf", "TRICKWATCH_ARGS"))]
    options = {word for word in words if word.startswith("--")}
    assert options <= known
    assert {"--exact-port", "--wait-camera"} <= options


def test_the_table_speaks_to_systemd_and_is_started_again_unless_a_person_must_look() -> None:
    from cli.serving import BAD_LOG, BAD_PORT, BAD_SOURCE

    assert value("trickwatch.service", "Type") == "notify"
    assert int(value("trickwatch.service", "WatchdogSec")) >= 20
    final = {int(code) for code in value("trickwatch.service", "RestartPreventExitStatus").split()}
    assert final == {BAD_PORT, BAD_LOG}
    assert BAD_SOURCE not in final


@pytest.mark.parametrize("unit", ["trickwatch.service", "trickwatch-screen.service"])
def test_systemd_accepts_the_unit(tmp_path: Path, unit: str) -> None:
    program = shutil.which("systemd-analyze")
    assert program, "systemd-analyze is missing: apt-get install systemd"
    text = (DEPLOY / unit).read_text("utf-8")
    text = re.sub(r"/opt/trickwatch(/[\w./-]+)?(?= |$)", "/bin/true", text, flags=re.MULTILINE).replace("/usr/bin/cage", "/bin/true")
    (tmp_path / unit).write_text(text.replace("WorkingDirectory=/bin/true", "WorkingDirectory=/"), "utf-8")
    done = subprocess.run([program, "verify", str(tmp_path / unit)], capture_output=True, text=True, timeout=120, check=False)
    own = [line for line in done.stderr.splitlines() if unit in line]
    assert own == []
    assert done.returncode == 0, done.stderr


def test_the_table_may_do_little_beside_its_work() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=22", str(DEPLOY / "trickwatch.service")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("script", ["install.sh", "screen.sh", "wait-for-table.sh"])
def test_the_scripts_can_be_read_by_a_plain_shell(script: str) -> None:
    path = DEPLOY / script
    assert path.stat().st_mode & 0o111
    done = subprocess.run(["sh", "-n", str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
