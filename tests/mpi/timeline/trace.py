#!/usr/bin/env python3
"""Look at a trace.
    trace.py TRACE sound|counted|messages|boards|plain|bounded      exit code 1 and a reason where it is not so
    trace.py TRACE calls|list                                       how many calls; which
counted: standard input has what the program counted, as profile/program.c prints it: of calls with one number of bytes, those
whose number is a power of two are there, on all ranks.
"""
import collections, json, sys

SLACK = 0.002  # microseconds: times are rounded to nanoseconds
trace, what = json.load(open(sys.argv[1])), sys.argv[2]
facts, events = trace["otherData"], trace["traceEvents"]
assert facts["format"] == "bine-timeline" and facts["version"] == 1, facts
assert facts["clock_error"] == 0, "one node has one clock"
calls = collections.defaultdict(dict)  # by number and rank
for e in events:
    if e.get("cat") == "call":
        assert e["ph"] == "X" and e["pid"] not in calls[e["args"]["call"]], e
        calls[e["args"]["call"]][e["pid"]] = e
named = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
assert named == {r: f"rank {r}" for r in range(facts["ranks"]) if facts["nodes"][r] >= 0}, named


def within(inner, outer):
    return inner["ts"] >= outer["ts"] - SLACK and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"] + SLACK


# Every rank of a communicator is there, and all are in the call at one time: none leaves before the first has come.
for number, ranks in calls.items():
    first = next(iter(ranks.values()))
    for e in ranks.values():
        assert {k: e["args"].get(k) for k in ("number", "bytes", "algorithm", "root")} == \
            {k: first["args"].get(k) for k in ("number", "bytes", "algorithm", "root")}, (e, first)
    if facts["finished"] == facts["ranks"] and facts["lost"] == 0:
        assert len(ranks) == first["args"]["ranks"], (number, ranks)

# What happens inside calls is inside; each track of steps has one step at a time; messages have two ends.
kinds = collections.Counter()
open_messages, ends, last = {}, collections.defaultdict(list), {}
for e in events:
    args = e.get("args", {})
    if e["ph"] == "X" and e["cat"] != "call":
        kinds[e["cat"]] += 1
        assert within(e, calls[args["call"]][e["pid"]]), e
    if e["ph"] == "b":
        open_messages[e["id"]] = e
    if e["ph"] == "e":
        b = open_messages.pop(e["id"])
        assert e["ts"] >= b["ts"] and e["pid"] == b["pid"], (b, e)
        kinds[b["name"]] += 1
        ends[b["args"]["call"]].append((b["name"], b["pid"], b["args"]["peer"], b["args"]["bytes"], b["ts"], e["ts"]))
assert not open_messages, open_messages
steps = sorted((e for e in events if e.get("cat") == "step"), key=lambda e: (e["pid"], e["tid"], e["ts"]))
for a, b in zip(steps, steps[1:]):
    if (a["pid"], a["tid"]) == (b["pid"], b["tid"]):
        assert b["ts"] >= a["ts"] + a["dur"] - SLACK, (a, b)
for number, list_ in ends.items():
    if any("cut" in e["args"] for e in calls[number].values()) or len(calls[number]) < calls[number][list_[0][1]]["args"]["ranks"]:
        continue
    sent = sorted((rank, peer, bytes_) for name, rank, peer, bytes_, *_ in list_ if name == "send")
    received = sorted((peer, rank, bytes_) for name, rank, peer, bytes_, *_ in list_ if name == "receive")
    assert sent == received, (number, sent, received)
# Arrows go forward in time: nothing is there before it was sent.
flows = {}
for e in events:
    if e["ph"] == "s":
        flows[e["id"]] = e
    if e["ph"] == "f":
        s = flows.pop(e["id"])
        assert e["ts"] >= s["ts"] - SLACK, (s, e)
        kinds["arrows"] += 1
assert not flows

if what == "counted":
    made = collections.Counter((e["args"]["bytes"], c) for ranks in calls.values() for e in [ranks[min(ranks)]]
                               for c in [e["name"]] if "bytes" in e["args"] and e["args"]["form"] == "blocking")
    for line in sys.stdin:
        collective, form, ranks, bytes_, count, _ = line.split()
        if form != "blocking" or int(bytes_) < 0 or collective == "bcast":
            continue  # two sizes of bcasts alternate in two classes; below
        powers = len([k for k in range(12) if 2 ** k <= int(count)])
        found = made[int(bytes_), collective]
        assert found >= powers if collective == "barrier" else found == powers, (line, found, powers)
    assert made[400, "bcast"] == made[800, "bcast"] == 3, made  # 6 of each: the first, second, fourth
elif what == "messages":
    assert kinds["send"] == kinds["receive"] == kinds["arrows"] > 0 and kinds["step"] > 0 and kinds["wait"] > 0, kinds
elif what == "boards":
    assert sum(e["name"] == "publish" for e in events) > 0 and sum(e["name"] == "read" for e in events) > 0, kinds
elif what == "plain":
    assert not kinds, kinds
elif what == "bounded":
    assert facts["lost"] > 0 and len(calls) > 0, facts
    per_rank = collections.Counter(e["pid"] for e in events if e.get("cat") == "call")
    assert max(per_rank.values()) <= 512, per_rank
    inside = collections.Counter(e["pid"] for e in events if e["ph"] in "Xb" and e["cat"] != "call")
    assert not inside or max(inside.values()) <= 8192, inside
elif what == "calls":
    print(len(calls))
elif what == "list":
    seen = collections.Counter((r[0]["name"], r[0]["args"]["bytes"]) for r in calls.values())
    print(", ".join(f"{n} {c} {b}" for (c, b), n in sorted(seen.items())))
