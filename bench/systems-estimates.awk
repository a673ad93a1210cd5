# Won and lost configurations with other estimates: awk families.csv estimates-*.csv. A row for each collective, a column for each variant.
function base(name) { sub(/:.*/, "", name); return name }
FILENAME ~ /families.csv$/ { split($0, f, ","); family[f[1], f[2]] = f[3]; next }
/^#|^collective,/ { next }
{
    split($0, f, ",")
    variant = FILENAME
    sub(/.*lumi@/, "", variant)
    sub(/-[0-9]+-[a-z_]+\.csv$/, "", variant)
    key = variant SUBSEP f[1] SUBSEP f[6]
    cell[key] = 1
    name = base(f[2])
    kind = family[f[1], name] == "bine" && name !~ /group/ ? "bine" : family[f[1], name] == "bine" ? "group" : "other"
    if (!((kind, key) in best) || f[8] < best[kind, key]) best[kind, key] = f[8]
    if (f[1] == "alltoall" ? name == "bruck" : kind == "other" && family[f[1], name] == "binomial" && name !~ /-[0-9]$/)
        if (!(("binomial", key) in best) || f[8] < best["binomial", key]) best["binomial", key] = f[8]
}
END {
    for (key in cell) {
        split(key, k, SUBSEP)
        for (i = 1; i <= 2; i++) {
            other = i == 1 ? "binomial" : "other"
            r = best[other, key] / best["bine", key]
            won[k[1], k[2], i] += r > 1.01
            lost[k[1], k[2], i] += r < 1 / 1.01
        }
    }
    m = split("as-it-is half-message-us twice-message-us half-copy-gbytes twice-copy-gbytes half-reduce-gbytes twice-reduce-gbytes", v, " ")
    n = split("allreduce allgather reduce_scatter alltoall bcast reduce gather scatter", order, " ")
    line = "| collective |"
    rule = "|---|"
    for (j = 1; j <= m; j++) { line = line " " v[j] " |"; rule = rule "---|" }
    print line "\n" rule
    for (i = 1; i <= n; i++) {
        line = "| " order[i] " |"
        for (j = 1; j <= m; j++)
            line = line " " won[v[j], order[i], 1] + 0 "-" lost[v[j], order[i], 1] + 0 ", " won[v[j], order[i], 2] + 0 "-" lost[v[j], order[i], 2] + 0 " |"
        print line
    }
}
