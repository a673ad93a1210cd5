# From sixteen.csv (bench/one-node): tables of the library's time over Bine's, and geometric means.
#   awk -f bench/one-node.awk docs/data/sixteen.csv
BEGIN { FS = "," }
NR == 1 { next }
{
    library[$4] = 1; ranks[$5] = 1; cell = $4 SUBSEP $5 SUBSEP $2 SUBSEP $7
    if (!($2 in place)) { place[$2] = ++collectives; name[collectives] = $2 }
    if ($1 == "all") {
        if ($3 ~ /^mpi/) { if (!(cell in best) || $9 < best[cell]) best[cell] = $9 } else whole[cell] = $9
        next
    }
    if ($3 == "mpi") mpi[$1, cell] = $9; else { own[$1, cell] = $9; taken[cell] = $3 }
    sizes[$4, $5, $2] = sizes[$4, $5, $2] (index(" " sizes[$4, $5, $2] " ", " " $7 " ") ? "" : " " $7)
}
# Both runs; what the drop-in library leaves to MPI is as fast as MPI.
function ratio(cell) {
    if (taken[cell] !~ /^board/) return 1
    return sqrt(mpi["choice-1", cell] / own["choice-1", cell] * mpi["choice-2", cell] / own["choice-2", cell])
}
function missed(cell) {
    return taken[cell] ~ /^board/ && mpi["choice-1", cell] < 0.95 * own["choice-1", cell] && mpi["choice-2", cell] < 0.95 * own["choice-2", cell]
}
function table(l, r,    c, n, i, size, cell, x, line, small, smalls, all, alls, misses) {
    printf "\n%s, %d ranks\n\n| | 8 B | 64 B | 512 B | 4 KiB | 32 KiB | 256 KiB | 2 MiB | 16 MiB |\n|---|---|---|---|---|---|---|---|---|\n", l, r
    for (c = 1; c <= collectives; c++) {
        n = split(sizes[l, r, name[c]], size, " ")
        line = n < 8 ? "| " name[c] " | " : "| " name[c]
        for (i = 1; i <= n; i++) {
            cell = l SUBSEP r SUBSEP name[c] SUBSEP size[i]
            x = ratio(cell)
            line = line " | " (taken[cell] ~ /^board/ ? sprintf("%.2f", x) : "-")
            all += log(x); alls++; misses += missed(cell)
            if (size[i] <= 65536) { small += log(x); smalls++ }
        }
        print line " |"
    }
    printf "\nGeometric means: %.2f up to 64 KiB, %.2f over all; cells below 0.95 in both runs: %d.\n", exp(small / smalls), exp(all / alls), misses
}
END {
    for (l in library) for (r = 16; r >= 1; r--) if (r in ranks) table(l, r)
    for (cell in whole) {
        split(cell, part, SUBSEP)
        x = log(best[cell] / whole[cell])
        a[part[2]] += x; n[part[2]]++
        if (part[4] <= 65536) { s[part[2]] += x; m[part[2]]++ }
    }
    for (r = 16; r >= 1; r--) if (r in n)
        printf "\nAgainst the best algorithm inside the library in each cell, %d ranks: %.2f up to 64 KiB, %.2f over all.\n", r, exp(s[r] / m[r]), exp(a[r] / n[r])
}
