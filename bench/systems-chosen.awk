# What the library chooses, by the simulated times: awk families.csv chosen.csv GRID-*.csv. A cell is a grid, a system, a number of
# ranks, a collective and a size; chosen.csv has "grid,system,ranks,collective,bytes,algorithm,layout" for each.
function base(name) { sub(/:.*/, "", name); return name }
FILENAME ~ /families.csv$/ { split($0, f, ","); family[f[1], f[2]] = f[3]; next }
FILENAME ~ /chosen.csv$/ { split($0, f, ","); pick[f[1], f[2], f[3], f[4], f[5]] = f[6]; layout[f[1], f[2], f[3], f[4], f[5]] = f[7]; next }
/^#|^collective,/ { next }
{
    split($0, f, ",")
    split(FILENAME, w, "-")
    key = w[1] SUBSEP w[2] SUBSEP f[4] SUBSEP f[1] SUBSEP f[6]
    if (!(key in pick)) next
    name = base(f[2])
    cell[key] = 1
    if (f[2] == name && name == pick[key] && !(key in exact)) taken[key] = f[8]
    if (f[2] == pick[key] ":" layout[key]) { taken[key] = f[8]; exact[key] = 1 }
    if (!(key in least) || f[8] < least[key]) { least[key] = f[8]; fastest[key] = f[2] }
    if (f[1] == "alltoall" ? name == "bruck" : family[f[1], name] == "binomial" && name !~ /-[0-9]$/ && name !~ /torus/)
        if (!(key in binomial) || f[8] < binomial[key]) binomial[key] = f[8]
}
END {
    print "| machine | cells | at most 1.05 of the best binomial | worst | within 5 % of the best of all | worst | there |"
    print "|---|---|---|---|---|---|---|"
    for (key in cell) {
        split(key, k, SUBSEP)
        for (i = 0; i < 2; i++) {
            at = i ? "all" : k[1]
            if (!(key in taken)) { if (i) missing++; continue }
            n[at]++
            r = taken[key] / least[key]
            near[at] += r <= 1.05
            if (r > worst[at]) { worst[at] = r; where[at] = key }
            if (key in binomial) {
                b[at]++
                q = taken[key] / binomial[key]
                good[at] += q <= 1.05
                if (q > bad[at]) bad[at] = q
            }
        }
    }
    split("idle busy all", order, " ")
    for (i = 1; i <= 3; i++) {
        at = order[i]
        if (!n[at]) continue
        split(where[at], k, SUBSEP)
        printf "| %s | %d | %d of %d (%.0f %%) | %.2f | %d (%.0f %%) | %.2f | %s, %s of %d bytes, %d ranks: %s, fastest %s |\n", at, n[at], good[at], b[at], 100 * good[at] / b[at], bad[at], near[at], 100 * near[at] / n[at], worst[at], k[2], k[4], k[5], k[3], pick[where[at]], fastest[where[at]]
    }
    if (missing) printf "\n%d choices were not simulated: too many messages.\n", missing
}
