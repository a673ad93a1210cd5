# The best of Bine over the best of all, cell by cell: awk families.csv small-*.csv. A cell is a system, a number of ranks and a size.
function base(name) { sub(/:.*/, "", name); return name }
FILENAME ~ /families.csv$/ { split($0, f, ","); family[f[1], f[2]] = f[3]; next }
/^#|^collective,/ { next }
{
    split($0, f, ",")
    split(FILENAME, w, "-")
    key = f[1] "," w[2] "," f[4] "," f[6]
    at[key] = f[1]
    if (!(key in least) || f[8] < least[key]) { least[key] = f[8]; fastest[key] = f[2] }
    if (family[f[1], base(f[2])] == "bine" && f[2] !~ /-(group|torus)/ && (!(key in bine) || f[8] < bine[key])) { bine[key] = f[8]; ours[key] = f[2] }
}
END {
    n = split("bcast reduce allreduce gather scatter alltoall allgather reduce_scatter", order, " ")
    print "| collective | cells | within 5 % | share | worst | there | the fastest there |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        cells = good = worst = 0
        for (key in at) {
            if (at[key] != order[i]) continue
            cells++
            r = bine[key] / least[key]
            good += r <= 1.05
            if (r > worst) { worst = r; where = key }
        }
        if (cells == 0) continue
        split(where, k, ",")
        printf "| %s | %d | %d | %.0f %% | %.2f | %s, %d ranks, %d bytes: %s | %s |\n", order[i], cells, good, 100 * good / cells, worst, k[2], k[3], k[4], ours[where], fastest[where]
        all += cells; most += good
        if (i <= 5) { five += cells; five_good += good }
    }
    printf "\nOf the first five, %d of %d cells (%.0f %%) are within 5 %%.\n", five_good, five, five ? 100 * five_good / five : 0
}
