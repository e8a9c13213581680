"""--threads: the same bytes for every number; and --compress."""
import subprocess

import pytest
import support

SCENARIO = support.base_scenario(
    clients=600_000, horizon=60, server={"capacity": 20_000},
    faults={"first_response_lost": {"every": 3}},
    policies=[support.policy("p", 3, {"kind": "list", "ticks": [[1, 9]]})])
SMALL = support.changed(SCENARIO, "/clients", 30_000)


@pytest.mark.parametrize("threads", [1, 2, 3, 64])
def test_summary_and_load(write_scenario, threads):
    arguments = ["run", write_scenario(SCENARIO), "--format", "json", "--threads"]
    assert support.output_of(*arguments, threads) == support.output_of(*arguments, 1)


def test_attempts(write_scenario, tmp_path):
    arguments = ["export", write_scenario(support.changed(SCENARIO, "/policies/0/attempts", 1)),
                 "--format", "csv"]
    for threads in (1, 2):
        support.output_of(*arguments, "--threads", threads, "-o", tmp_path / str(threads))
    for name in ("attempts.csv", "clients.csv"):
        one, two = ((tmp_path / str(threads) / name).read_bytes() for threads in (1, 2))
        assert one == two
        assert one.count(b"\n") == 600_001


@pytest.mark.parametrize("threads", ["0", "-1", "1025", "1.5", "", "two", "99999999999999999999"])
@pytest.mark.parametrize("command", ["run", "export"])
def test_nonsense_is_a_usage_error(write_scenario, command, threads):
    result = support.run(command, write_scenario(SMALL), f"--threads={threads}")
    support.assert_refused(result, support.USAGE)


@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_compressed_export(write_scenario, tmp_path, form):
    path = write_scenario(SMALL)
    arguments = ["export", path, "--format", form]
    plain = support.output_of(*arguments).encode("utf-8")
    support.output_of(*arguments, "--compress", "zstd", "-o", tmp_path / "export.zst")
    packed = (tmp_path / "export.zst").read_bytes()
    assert len(packed) < len(plain) / 5
    assert subprocess.run(["zstd", "-dc"], input=packed, capture_output=True, check=True).stdout == plain


def test_compressed_folder(write_scenario, tmp_path):
    path = write_scenario(support.base_scenario())
    support.output_of("export", path, "--format", "csv", "-o", tmp_path / "plain")
    support.output_of("export", path, "--format", "csv", "-o", tmp_path / "packed", "--compress", "zstd")
    for plain in (tmp_path / "plain").iterdir():
        packed = tmp_path / "packed" / (plain.name + ".zst")
        assert subprocess.run(["zstd", "-dc", packed], capture_output=True,
                              check=True).stdout == plain.read_bytes()
    assert len(list((tmp_path / "packed").iterdir())) == 4


def test_other_compression_is_a_usage_error(write_scenario):
    result = support.run("export", write_scenario(SMALL), "--compress", "gzip")
    support.assert_refused(result, support.USAGE)
