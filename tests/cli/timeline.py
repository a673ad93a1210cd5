#!/usr/bin/env python3
"""The times of a trace's calls from its spans alone: timeline.py TRACE
A line for each call: from when the last rank came to when the last one left; how long before that the first had come; what the
mean rank waited; and the same for the arrival of the last message of each step. Microseconds."""
import collections, json, sys

calls, waits, arrived = collections.defaultdict(list), collections.Counter(), collections.defaultdict(dict)
events = json.load(open(sys.argv[1]))["traceEvents"]
begun = {}
for e in events:
    args = e.get("args", {})
    if e.get("cat") == "call":
        calls[args["call"]].append((e["ts"], e["ts"] + e["dur"]))
    if e.get("cat") == "wait":
        waits[args["call"]] += e["dur"]
    if e["ph"] == "b" and e["name"] == "receive":
        begun[e["id"]] = args
    if e["ph"] == "e" and e["id"] in begun:
        steps = arrived[begun[e["id"]]["call"]]
        step = begun[e["id"]]["step"]
        steps[step] = max(steps.get(step, 0), e["ts"])
for call, spans in sorted(calls.items()):
    came = max(s[0] for s in spans)
    print(f"{call} {max(s[1] for s in spans) - came:.3f} {came - min(s[0] for s in spans):.3f} {waits[call] / len(spans):.3f}",
          *(f"{t - came:.3f}" for _, t in sorted(arrived[call].items())))
