# From a summary of `bine-bench ... -a best,mpi:all` with a column of the run before it: the time of the fastest algorithm inside the MPI
# library over that of Bine's own choice, in each cell, and geometric means.
#   awk -f bench/against-best.awk docs/data/sixteen-best.csv
BEGIN { FS = "," }
NR == 1 { next }
{
    table = $4 ", " $5 " ranks, " $1; cell = table SUBSEP $2 SUBSEP $7
    if (!(table in known)) { known[table] = 1; tables[++n] = table }
    if (!($2 in place)) { place[$2] = ++collectives; name[collectives] = $2 }
    if ($3 ~ /^mpi/) { if (!(cell in best) || $9 < best[cell]) best[cell] = $9 } else own[cell] = $9
    if (!((table, $2, $7) in seen)) { seen[table, $2, $7] = 1; sizes[table, $2] = sizes[table, $2] " " $7 }
}
END {
    for (t = 1; t <= n; t++) {
        printf "\n%s\n\n| | 8 B | 64 B | 512 B | 4 KiB | 32 KiB | 256 KiB | 2 MiB | 16 MiB |\n|---|---|---|---|---|---|---|---|---|\n", tables[t]
        all = alls = small = smalls = 0
        run = tables[t]; sub(/.* /, "", run); tables_of[run]++
        for (c = 1; c <= collectives; c++) {
            m = split(sizes[tables[t], name[c]], size, " ")
            line = "| " name[c] (m < 8 ? " | " : "")
            for (i = 1; i <= m; i++) {
                cell = tables[t] SUBSEP name[c] SUBSEP size[i]
                x = best[cell] / own[cell]
                line = line sprintf(" | %.2f", x)
                all += log(x); alls++
                if (size[i] <= 65536) { small += log(x); smalls++; runs[run] += log(x); cells_of[run]++ }
            }
            print line " |"
        }
        printf "\nGeometric means: %.2f up to 64 KiB, %.2f over all.\n", exp(small / smalls), exp(all / alls)
    }
    for (run in runs) if (tables_of[run] > 1) printf "\nAll ranks of %s: %.2f up to 64 KiB.\n", run, exp(runs[run] / cells_of[run])
}
