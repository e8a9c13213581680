"""An export of many attempts streams: its memory depends on the clients, not on the attempts."""
import pytest
import support


def many_attempts(count):
    """A thousand clients of count attempts each, none of which is accepted."""
    return support.base_scenario(clients=1000, horizon=count, server={"capacity": 0},
                                 policies=[support.policy("p", 2**32 - 1)])


@pytest.mark.parametrize("arguments", [["export"], ["export", "--format", "ndjson"],
                                       ["attempts"], ["run"], ["run", "--format", "json"]],
                         ids=" ".join)
def test_four_times_the_attempts_need_no_more_memory(write_scenario, arguments):
    few = support.peak_kibibytes([*arguments, write_scenario(many_attempts(200))])
    many = support.peak_kibibytes([*arguments, write_scenario(many_attempts(800))])
    assert many < few + 1024


def test_csv_folder_streams(write_scenario, tmp_path):
    arguments = ["export", "--format", "csv", "-o", str(tmp_path / "folder")]
    few = support.peak_kibibytes([*arguments, write_scenario(many_attempts(200))])
    many = support.peak_kibibytes([*arguments, write_scenario(many_attempts(800))])
    assert many < few + 1024
    assert (tmp_path / "folder" / "attempts.csv").read_bytes().count(b"\n") == 800_001
