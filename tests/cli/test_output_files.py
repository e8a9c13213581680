"""Files that are written: links, modes, names, devices, and the file that is also the input."""
import os
import stat
import subprocess

import pytest
import support

PATH = support.SCENARIOS / "horizon.json"
TEXT = support.output_of("export", PATH)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def export(target, **options):
    assert support.output_of("export", PATH, "-o", target, **options) == ""


def test_existing_file_is_replaced_whole(tmp_path):
    target = tmp_path / "out"
    target.write_text("x" * 10 * len(TEXT))
    export(target)
    assert target.read_text() == TEXT
    assert list(tmp_path.iterdir()) == [target]


def test_link_keeps_and_its_target_is_replaced(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    target, link = folder / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to("folder/target")
    export(link)
    assert link.is_symlink() and os.readlink(link) == "folder/target"
    assert target.read_text() == TEXT
    assert list(folder.iterdir()) == [target]


def test_link_to_a_link(tmp_path):
    target, inner, outer = (tmp_path / name for name in ("target", "inner", "outer"))
    target.write_text("old")
    inner.symlink_to("target")
    outer.symlink_to("inner")
    export(outer)
    assert inner.is_symlink() and outer.is_symlink()
    assert target.read_text() == TEXT


def test_link_to_a_file_that_is_not_there_yet(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("target")
    export(link)
    assert link.is_symlink()
    assert (tmp_path / "target").read_text() == TEXT


def test_link_into_a_missing_folder(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("missing/target")
    support.assert_refused(support.run("export", PATH, "-o", link), support.INPUT_OUTPUT)
    assert link.is_symlink()
    assert list(tmp_path.iterdir()) == [link]


def test_circular_link(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("link")
    support.assert_refused(support.run("export", PATH, "-o", link), support.INPUT_OUTPUT)
    assert link.is_symlink()
    assert list(tmp_path.iterdir()) == [link]


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o644, 0o755, 0o400, 0o666])
def test_mode_of_an_existing_file_is_kept(tmp_path, bits):
    target = tmp_path / "out"
    target.write_text("old")
    target.chmod(bits)
    export(target)
    assert target.read_text() == TEXT
    assert mode(target) == bits


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000, 0o027])
def test_new_file_follows_the_umask(tmp_path, mask):
    target = tmp_path / "out"
    export(target, umask=mask)
    assert mode(target) == 0o666 & ~mask


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_new_folder_and_its_files_follow_the_umask(tmp_path, mask):
    folder = tmp_path / "folder"
    support.output_of("export", PATH, "--format", "csv", "-o", folder, umask=mask)
    assert mode(folder) == 0o777 & ~mask
    assert {mode(path) for path in folder.iterdir()} == {0o666 & ~mask}


@pytest.mark.parametrize("name", ["x" * 255, "ü" * 127, " ", "-o", "a\nb", "..x", "%s{}",
                                  b"\xff\xfe".decode("utf-8", "surrogateescape")],
                         ids=["long", "long, not ASCII", "blank", "option", "line break", "dots",
                              "format", "no UTF-8"])
def test_file_names(tmp_path, name):
    export(f"{tmp_path}/{name}")
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).read_text() == TEXT


def test_relative_names(tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("out", "./out2", "folder/../out3", "folder/out4"):
        export(name, cwd=tmp_path)
        assert (tmp_path / name).read_text() == TEXT


def test_output_to_the_input(tmp_path):
    path = tmp_path / "scenario.json"
    path.write_bytes(PATH.read_bytes())
    assert support.output_of("export", path, "-o", path) == ""
    assert path.read_text() == TEXT


def test_devices_and_pipes(tmp_path):
    export("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert support.output_of("export", PATH, "-o", "/dev/stdout") == TEXT
    assert support.output_of("export", PATH, "-o", "/dev/fd/1") == TEXT


def test_standard_output_by_its_device_name_is_not_replaced(tmp_path):
    # The shell has opened the file, here to append; what it holds already stays.
    target = tmp_path / "out"
    target.write_text("old\n")
    with open(target, "ab") as file:
        result = support.run("export", PATH, "-o", "/dev/stdout", stdout=file)
        assert result.returncode == support.DONE
        assert os.fstat(file.fileno()).st_ino == target.stat().st_ino
    assert target.read_text() == "old\n" + TEXT


def test_empty_file_name_is_refused(tmp_path):
    result = support.run("export", PATH, "-o", "", cwd=tmp_path)
    assert result.returncode in (support.USAGE, support.INPUT_OUTPUT)
    assert result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_whose_folder_is_closed_keeps_its_content(tmp_path):
    # Nothing can be created beside it. Root lays down the capabilities that would let it pass.
    target = tmp_path / "out"
    target.write_text("old")
    tmp_path.chmod(0o555)
    prefix = []
    if os.geteuid() == 0:
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    call = [*prefix, support.program(), "export", str(PATH), "-o", str(target)]
    result = subprocess.run(call, capture_output=True, check=False)
    tmp_path.chmod(0o755)
    support.assert_refused(result, support.INPUT_OUTPUT)
    assert target.read_text() == "old"