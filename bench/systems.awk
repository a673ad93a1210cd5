# Tables of one system from what 'bine simulate --summary' wrote: awk -v machine=S -v cells=FILE [-v grid=busy] paper.txt families.csv FILE.csv...
# FILE gets a line for each configuration, with the fastest of each kind and the command that gave them.
# A configuration is a number of nodes and a size. Ties are within 1 %, as in the paper.
function base(name) { sub(/:.*/, "", name); return name }
function knows_shape(name) { return name ~ /-(group|torus)/ }
function seen(kind, key, name, seconds) {
    if (!((kind, key) in best) || seconds < best[kind, key]) {
        best[kind, key] = seconds
        who[kind, key] = name
    }
}
# Won and lost configurations of kind a against kind b: "won | gain | lost | drop".
function gain(collective, a, b,     key, r, n, wins, losses, up, down, most, worst) {
    n = wins = losses = up = down = most = worst = 0
    for (key in config) {
        if (config[key] != collective || !((a, key) in best) || !((b, key) in best))
            continue
        n++
        r = best[b, key] / best[a, key]
        if (r > 1.01) { wins++; up += log(r); if (r > most) most = r }
        if (r < 1 / 1.01) { losses++; down += log(1 / r); if (1 / r > worst) worst = 1 / r }
    }
    if (n == 0)
        return "- | - | - | -"
    return sprintf("%.0f | %.0f/%.0f | %.0f | %.0f/%.0f", 100 * wins / n,
        wins ? 100 * (exp(up / wins) - 1) : 0, wins ? 100 * (most - 1) : 0, 100 * losses / n,
        losses ? 100 * (exp(down / losses) - 1) : 0, losses ? 100 * (worst - 1) : 0)
}
# The bytes between groups that the paper's pair of algorithms saves, over the numbers of nodes: "average/most".
function fixed(collective,     key, parts, n, sum, most, t, done) {
    n = sum = 0
    most = -1e9
    for (key in bytes_of) {
        split(key, parts, SUBSEP)
        if (parts[1] != collective || parts[2] != ours_of[collective] || !((collective, theirs_of[collective], parts[3], parts[4]) in bytes_of))
            continue
        if (parts[4] != largest[collective, parts[3]] || bytes_of[collective, theirs_of[collective], parts[3], parts[4]] == 0)
            continue
        t = 100 * (1 - bytes_of[key] / bytes_of[collective, theirs_of[collective], parts[3], parts[4]])
        sum += t
        n++
        if (t > most) most = t
    }
    return n ? sprintf("%.0f/%.0f", sum / n, most) : "-"
}
BEGIN {
    split("allreduce bine-large rabenseifner allgather bine-far sparbit reduce_scatter bine-near pat alltoall bine-near bruck bcast bine-large scatter-allgather reduce bine-large-gather rabenseifner gather bine-near binomial-near scatter bine-far binomial-far", pairs, " ")
    for (i = 1; i in pairs; i += 3) { ours_of[pairs[i]] = pairs[i + 1]; theirs_of[pairs[i]] = pairs[i + 2] }
}
FILENAME ~ /paper.txt$/ {
    if ($1 == machine) { paper[$2] = $3 " | " $4 " | " $5 " | " $6; paper_saved[$2] = $7 }
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
    name = base(f[2])
    kind = family[f[1], name]
    if (f[2] == name) {
        bytes_of[f[1], name, f[4], f[6]] = f[11]
        if (f[6] + 0 > largest[f[1], f[4]] + 0) largest[f[1], f[4]] = f[6]
    }
    if (kind == "bine") {
        seen(knows_shape(name) ? "shape" : "bine", key, f[2], f[8])
        seen("any", key, f[2], f[8])
    } else
        seen("other", key, f[2], f[8])
    # Of radix two, knowing nothing of groups and tori: the paper's baselines. Others of the family are among all others.
    if (f[1] == "alltoall" ? name == "bruck" : kind == "binomial" && name !~ /-[0-9]$/ && !knows_shape(name))
        seen("binomial", key, f[2], f[8])
    seen("all", key, f[2], f[8])
}
END {
    split("bine,shape,binomial,other", kinds, ",")
    n = split("allreduce allgather reduce_scatter alltoall bcast reduce gather scatter", order, " ")
    print "\n### " machine ", " grid "\n"
    print "Against binomial trees:\n"
    if (grid == "idle") {
        print "| collective | Bine: won | gain | lost | drop | groups, tori: won | gain | lost | drop | paper: won | gain | lost | drop | pair saves | paper |"
        print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    } else {
        print "| collective | Bine: won | gain | lost | drop | groups, tori: won | gain | lost | drop |"
        print "|---|---|---|---|---|---|---|---|---|"
    }
    for (i = 1; i <= n; i++) {
        c = order[i]
        line = "| " c " | " gain(c, "bine", "binomial") " | " gain(c, "shape", "binomial")
        if (grid == "idle")
            line = line " | " (c in paper ? paper[c] : "- | - | - | -") " | " (machine == "fugaku" ? "-" : fixed(c)) " | " (c in paper_saved ? paper_saved[c] : "-")
        print line " |"
    }
    print "\nAgainst all others:\n"
    print "| collective | Bine: won | gain | lost | drop | groups, tori: won | gain | lost | drop | fastest algorithms (configurations) |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        text = ""
        split("", count)
        for (key in config) if (config[key] == order[i]) count[base(who["all", key])]++
        for (k = 0; k < 4; k++) {
            top = ""
            for (name in count) if (top == "" || count[name] > count[top] || (count[name] == count[top] && name < top)) top = name
            if (top == "") break
            text = text (text == "" ? "" : ", ") top " " count[top]
            delete count[top]
        }
        print "| " order[i] " | " gain(order[i], "bine", "other") " | " gain(order[i], "shape", "other") " | " text " |"
    }
    for (i = 1; i <= keys; i++) {
        key = order_of[i]
        line = grid "," machine "," key
        for (k = 1; k <= 4; k++)
            line = line "," ((kinds[k], key) in best ? who[kinds[k], key] "," 1e6 * best[kinds[k], key] : ",")
        print line ",\"" said[key] "\"" > cells
    }
    skipped = 0
    for (name in left) skipped += left[name]
    print "\nLeft out, as they have too many messages: " skipped " times of " length(left) " algorithms."
}
