# Tables of one system from what 'bine simulate --summary' wrote: awk -v machine=S -v cells=FILE paper.txt families.csv FILE.csv...
# FILE gets a line for each configuration, with the fastest of each kind and the command that gave them.
# A configuration is a number of nodes and a size. Ties are within 1 %, as in the paper.
function shape(name) { return name ~ /-(group|torus)/ }
function seen(kind, key, name, seconds, global) {
    if (!((kind, key) in best) || seconds < best[kind, key]) {
        best[kind, key] = seconds
        who[kind, key] = name
        crossed[kind, key] = global
    }
}
function gain(collective, a, b,     key, r, n, wins, losses, up, down, most, worst, t, ts, tn, tmost) {
    n = wins = losses = up = down = most = worst = ts = tn = 0
    tmost = -1e9
    for (key in config) {
        if (config[key] != collective || !((a, key) in best) || !((b, key) in best))
            continue
        n++
        r = best[b, key] / best[a, key]
        if (r > 1.01) { wins++; up += log(r); if (r > most) most = r }
        if (r < 1 / 1.01) { losses++; down += log(1 / r); if (1 / r > worst) worst = 1 / r }
        if (crossed[b, key] > 0) {
            t = 100 * (1 - crossed[a, key] / crossed[b, key])
            ts += t; tn++
            if (t > tmost) tmost = t
        }
    }
    if (n == 0)
        return "- | - | - | - | -"
    return sprintf("%.0f | %.0f/%.0f | %.0f | %.0f/%.0f | %s", 100 * wins / n,
        wins ? 100 * (exp(up / wins) - 1) : 0, wins ? 100 * (most - 1) : 0, 100 * losses / n,
        losses ? 100 * (exp(down / losses) - 1) : 0, losses ? 100 * (worst - 1) : 0,
        tn ? sprintf("%.0f/%.0f", ts / tn, tmost) : "-")
}
FILENAME ~ /paper.txt$/ {
    if ($1 == machine) paper[$2] = $3 " | " $4 " | " $5 " | " $6 " | " $7
    next
}
FILENAME ~ /families.csv$/ { split($0, f, ","); family[f[1], f[2]] = f[3]; next }
/^# command: / { command = substr($0, 12); sub(/ --summary [^ ]* --format csv/, "", command); gsub(/"/, "\"\"", command); next }
/^# left out/ { left[$4 " " $5]++; next }
/^#|^collective,/ { next }
{
    split($0, f, ",")
    key = f[1] "," f[4] "," f[6]
    if (!(key in config)) order_of[++keys] = key
    config[key] = f[1]
    said[key] = command
    kind = family[f[1], f[2]]
    ranks[f[4]] = 1
    if (kind == "bine") {
        if (!shape(f[2])) seen("bine", key, f[2], f[8], f[11])
        seen("any bine", key, f[2], f[8], f[11])
    } else
        seen("other", key, f[2], f[8], f[11])
    # Of radix two, knowing nothing of groups and tori: the paper's baselines. Others of the family are among all others.
    if (f[1] == "alltoall" ? f[2] == "bruck" : kind == "binomial" && f[2] !~ /-[0-9]$/ && !shape(f[2]))
        seen("binomial", key, f[2], f[8], f[11])
    if (!(key in fastest) || f[8] < least[key]) { fastest[key] = f[2]; least[key] = f[8] }
}
END {
    split("bine,any bine,binomial,other", kinds, ",")
    n = split("allreduce allgather reduce_scatter alltoall bcast reduce gather scatter", order, " ")
    # The paper's Bine on Fugaku is the one for tori.
    ours = machine == "fugaku" ? "any bine" : "bine"
    print "\n### " machine ": Bine against binomial trees\n"
    print "| collective | won | gain | lost | drop | saved | paper: won | gain | lost | drop | saved |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++)
        print "| " order[i] " | " gain(order[i], ours, "binomial") " | " (order[i] in paper ? paper[order[i]] : "- | - | - | - | -") " |"
    print "\n### " machine ": all of Bine, with its group-aware and torus algorithms, against all others\n"
    print "| collective | won | gain | lost | drop | saved | fastest algorithms (configurations) |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        text = ""
        split("", count)
        for (key in fastest) if (config[key] == order[i]) count[fastest[key]]++
        for (k = 0; k < 4; k++) {
            top = ""
            for (name in count) if (top == "" || count[name] > count[top] || (count[name] == count[top] && name < top)) top = name
            if (top == "") break
            text = text (text == "" ? "" : ", ") top " " count[top]
            delete count[top]
        }
        print "| " order[i] " | " gain(order[i], "any bine", "other") " | " text " |"
    }
    for (i = 1; i <= keys; i++) {
        key = order_of[i]
        line = machine "," key
        for (k = 1; k <= 4; k++)
            line = line "," ((kinds[k], key) in best ? who[kinds[k], key] "," 1e6 * best[kinds[k], key] : ",")
        print line ",\"" said[key] "\"" > cells
    }
    skipped = 0
    for (name in left) skipped += left[name]
    print "\nLeft out, as they have too many messages: " skipped " times of " length(left) " algorithms."
}
