#!/usr/bin/env python3
"""Compare a profile with what the program itself counted.
    sums.py PROFILE.json < COUNTS      lines: collective form ranks bytes calls all-bytes
"""
import json, sys

profile = json.load(open(sys.argv[1]))
assert profile["format"] == "bine-profile" and profile["version"] == 1
made = {}
for row in profile["rows"]:
    comm = profile["communicators"][row["communicator"]]
    bytes_ = -1 if row["bytes_from"] is None else row["bytes_mean"]
    key = (row["collective"], row["form"], comm["ranks"], round(bytes_))
    of_comm = made.setdefault(key, {})
    calls, all_ = of_comm.get(comm["id"], (0, 0))
    of_comm[comm["id"]] = calls + row["calls"], all_ + round(row["calls"] * row["bytes_mean"])
    assert 0 <= row["seconds_least"] <= row["seconds_mean"] <= row["seconds_slowest"] + 1e-12, row
    assert row["longest"] <= row["seconds_slowest"] + 1e-9, row
    assert row["wait_mean"] is None or 0 <= row["wait_mean"] <= row["seconds_mean"] + 1e-9, row
# Of communicators with part of the ranks, each rank is in one: calls of a rank.
made = {key: max(of_comm.values()) for key, of_comm in made.items()}
expected = {}
for line in sys.stdin:
    collective, form, ranks, bytes_, calls, all_ = line.split()
    expected[(collective, form, int(ranks), int(bytes_))] = int(calls), int(all_)
bad = 0
for key in sorted(set(made) | set(expected), key=str):
    if key[0] == "barrier" and key not in expected:
        continue
    if made.get(key) != expected.get(key):
        print("calls, bytes of", key, "recorded", made.get(key), "counted", expected.get(key))
        bad = 1
sys.exit(bad)
