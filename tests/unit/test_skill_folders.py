"""The `turnkey` command reads the folders of a manifest's skills, and nothing outside them."""

import json
from pathlib import Path
from typing import Any

import pytest

from local.manifest import UnusableManifest, read
from turnkey.skills.limits import FILES, SKILL_BYTES

BODY = "---\nname: refunds\ndescription: Gives money back.\n---\nUse ${SHELL_VARIABLE}.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "skills/refunds/references").mkdir(parents=True)
    (tmp_path / "skills/refunds/SKILL.md").write_bytes(BODY.replace("\n", "\r\n").encode("utf-8-sig"))
    (tmp_path / "skills/refunds/references/terms.md").write_text("30 days.")
    return tmp_path


def sent(folder: Path, *skills: Any) -> list[dict[str, Any]]:
    file = folder / "tenant.yaml"
    file.write_text(json.dumps({"tenant": {"id": "shop"}, "skills": list(skills) or [{"path": "./skills/refunds"}]}))
    return read(file, {})["skills"]


def refused(folder: Path, *skills: Any) -> str:
    with pytest.raises(UnusableManifest) as error:
        sent(folder, *skills)
    return str(error.value)


def test_a_folder_is_sent_as_it_is(folder: Path) -> None:
    [skill] = sent(folder)
    assert skill["folder"] == "refunds"
    assert list(skill["files"]) == ["SKILL.md", "references/terms.md"]
    assert skill["files"]["SKILL.md"] == "\ufeff" + BODY.replace("\n", "\r\n"), "no variable is filled in"


def test_what_is_given_with_its_files_stays(folder: Path) -> None:
    given = {"files": {"SKILL.md": "x"}}
    assert sent(folder, given, "nonsense", {"path": 5}) == [given, "nonsense", {"path": 5}]


def test_what_tools_leave_beside_is_left_out(folder: Path) -> None:
    for name in (".DS_Store", ".git/config", "scripts/__pycache__/a.pyc", "references/.swp"):
        path = folder / "skills/refunds" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\x00\xff")
    assert list(sent(folder)[0]["files"]) == ["SKILL.md", "references/terms.md"]


@pytest.mark.parametrize("path", ["..", "../..", "/etc", "skills/../../x", "skills/link"])
def test_no_folder_outside_the_manifests_own_is_read(folder: Path, tmp_path_factory: Any, path: str) -> None:
    (folder / "skills/link").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    assert "lies outside" in refused(folder, {"path": path})


def test_a_folder_that_is_not_there_is_said(folder: Path) -> None:
    assert "The skill skills/none is no folder" in refused(folder, {"path": "skills/none"})
    assert "is no folder" in refused(folder, {"path": "skills/refunds/SKILL.md"})


def test_links_that_lead_out_are_refused(folder: Path, tmp_path_factory: Any) -> None:
    secret = tmp_path_factory.mktemp("home") / "id_rsa"
    secret.write_text("private")
    link = folder / "skills/refunds/references/key.md"
    link.symlink_to(secret)
    assert "references/key.md is a link that leads out of the skill" in refused(folder)
    link.unlink()
    link.symlink_to(secret.parent)
    assert "is a link that leads out of the skill" in refused(folder)
    link.unlink()
    link.symlink_to(folder / "skills/refunds/references/gone.md")
    assert "is no file" in refused(folder)
    link.unlink()
    (folder / "skills/refunds/again").symlink_to(folder / "skills/refunds/references")
    assert "is a link to a folder" in refused(folder)


def test_a_link_within_the_folder_is_read(folder: Path) -> None:
    (folder / "skills/refunds/terms.md").symlink_to(folder / "skills/refunds/references/terms.md")
    assert sent(folder)[0]["files"]["terms.md"] == "30 days."


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\x00", b"\xff\xfet\x00", "é".encode("latin-1"), b"a\x00b"])
def test_what_is_no_text_is_refused_by_name(folder: Path, content: bytes) -> None:
    (folder / "skills/refunds/assets").mkdir()
    (folder / "skills/refunds/assets/logo.png").write_bytes(content)
    assert "./skills/refunds/assets/logo.png is no text" in refused(folder)


def test_a_folder_is_bounded(folder: Path) -> None:
    large = folder / "skills/refunds/large.md"
    large.write_text("x" * SKILL_BYTES)
    assert "has more than 100 files or 256,000 bytes" in refused(folder)
    large.unlink()
    for number in range(FILES):
        (folder / f"skills/refunds/{number}.md").write_text("x")
    assert "has more than 100 files" in refused(folder)


def test_all_skills_together_fit_into_one_request(folder: Path) -> None:
    for number in range(12):
        (folder / f"skills/s{number}").mkdir()
        (folder / f"skills/s{number}/x.md").write_text("x" * 230_000)
    assert "more than 2,500,000 in all" in refused(folder, *({"path": f"skills/s{n}"} for n in range(12)))


def test_a_pipe_is_no_file(folder: Path) -> None:
    import os

    os.mkfifo(folder / "skills/refunds/pipe")
    assert "pipe is no file" in refused(folder)
