"""The website's JavaScript is fetched once, and only the archives that the lock names are used."""

import base64
import hashlib
import io
import json
import tarfile

import javascript
import pytest


def archive(path, **files):
    """A package's archive as npm packs it."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name.replace('__', '/')}.js")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


def test_every_package_has_a_checksum_in_the_lock_and_files_to_take():
    packages = javascript.wanted()
    assert packages.keys() == javascript.FILES.keys()
    assert all(integrity.startswith("sha512-") for _, integrity in packages.values())


def test_the_lock_holds_the_versions_that_package_json_names():
    lock = json.loads((javascript.HERE / "package-lock.json").read_text(encoding="utf-8"))
    for name, (version, _) in javascript.wanted().items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version


def test_an_archive_that_is_not_the_locked_one_is_refused(tmp_path):
    path = archive(tmp_path / "a.tgz", require=b"ours")
    right = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
    javascript.check_integrity(path, f"sha512-{right}", "a 1.0")
    with pytest.raises(javascript.StagingProblem, match="a 1.0 is not the one"):
        javascript.check_integrity(path, "sha512-AAAA", "a 1.0")


def test_only_the_files_that_are_asked_for_are_unpacked(tmp_path):
    path = archive(tmp_path / "a.tgz", dist__wanted=b"1", dist__other=b"2")
    javascript.unpack(path, [("dist/wanted.js", "lib")], tmp_path / "site")
    assert [p.name for p in (tmp_path / "site").rglob("*.js")] == ["wanted.js"]


def test_a_file_that_the_package_no_longer_holds_is_named(tmp_path):
    path = archive(tmp_path / "a.tgz", dist__other=b"2")
    with pytest.raises(javascript.StagingProblem, match="dist/wanted.js"):
        javascript.unpack(path, [("dist/wanted.js", "lib")], tmp_path / "site")


def test_npm_is_not_asked_again_while_nothing_changed(tmp_path, monkeypatch):
    asked = []

    def fetch(folder):
        asked.append(folder)
        return {}

    monkeypatch.setattr(javascript, "fetch", fetch)
    for folder in ("site/widgets", "site/testing"):
        (tmp_path / "javascript" / folder).mkdir(parents=True)
    monkeypatch.setattr(javascript.shutil, "rmtree", lambda *a, **k: None)
    for _ in range(2):
        javascript.stage(tmp_path, say=lambda text: None)
    assert len(asked) == 1
