# From the files of bench/nodes: times and bytes with boards and with messages alone, and those of the MPI library. A time is the least of
# the medians of the turns: what else runs on the computer makes single turns slower.
function human(b) { return b >= 1048576 ? b / 1048576 " MiB" : b >= 1024 ? int(b / 1024 + 0.5) " KiB" : b " B" }
function nominal(b,  p) { for (p = 1; p < b; p *= 2); return p }
/^#/ || $1 == "collective" { next }
{
    name = FILENAME; sub(/.*\//, "", name); split(name, part, "-")
    with = $2 == "mpi" ? "mpi" : part[2]
    key = nominal($6) "," $1
    if (!(key in seen)) { seen[key] = 1; order[++keys] = key }
    if (FILENAME ~ /uplinks$/) { bytes[key, with] += $8; counted[key, with]++ }
    else { sum[key, with] += $8; turns[key, with]++ }
    if (FILENAME !~ /uplinks$/ && (!((key, with) in time) || $8 < time[key, with])) time[key, with] = $8
    if (with != "mpi") used[key] = $2
}
function ms(key, with) { return 1000 * time[key, with] }
function mean(key, with) { return sum[key, with] / turns[key, with] }
function crossed(key, with, n) { return bytes[key, with] / counted[key, with] / n }
END {
    print "| collective | n | Bine's choice | boards, ms | messages, ms | ratio | MPI's own, ms | bytes / n: boards | messages | MPI's own |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= keys; i++) {
        key = order[i]; split(key, k, ",")
        if (!((key, "boards") in time) || !((key, "messages") in time)) continue
        ratio = ms(key, "messages") / ms(key, "boards")
        printf "| %s | %s | %s | %.3g | %.3g | %.2f | %.3g | %.3g | %.3g | %.3g |\n", k[2], human(k[1]), used[key], ms(key, "boards"), ms(key, "messages"),
            ratio, ms(key, "mpi"), crossed(key, "boards", k[1]), crossed(key, "messages", k[1]), crossed(key, "mpi", k[1])
        logs += log(ratio); cells++
        logs_mean += log(mean(key, "messages") / mean(key, "boards"))
        logs_mpi += log(ms(key, "mpi") / ms(key, "boards"))
    }
    printf "\nGeometric mean over %d cells: messages take %.2f times as long as boards (%.2f by the means of the turns), MPI's own %.2f times.\n", cells,
        exp(logs / cells), exp(logs_mean / cells), exp(logs_mpi / cells)
}
