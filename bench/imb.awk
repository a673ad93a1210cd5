# From what Intel's benchmarks print (bench/imb): tables of time alone over time preloaded, and of alone over alone again.
#   awk -f bench/imb.awk [-v cells=FILE] SUITE-RANKS-SET-TURN-KIND.txt...
function median(list,    x, n, i, j, t) {
    n = split(list, x, " ")
    for (i = 2; i <= n; i++) for (j = i; j > 1 && x[j - 1] + 0 > x[j] + 0; j--) { t = x[j]; x[j] = x[j - 1]; x[j - 1] = t }
    return (x[int((n + 1) / 2)] + x[int(n / 2) + 1]) / 2
}
FNR == 1 {
    n = split(FILENAME, part, "/"); split(part[n], name, /[-.]/)
    suite = name[1]; place = suite SUBSEP name[2]; set = name[3]; kind = name[5]; call = ""
    if (!(place in known)) { known[place] = ++places; title[places] = place }
    if (set > sets) sets = set
}
/^# Benchmarking / { call = $3; sub(/_pure$/, "", call) }
/^ *[0-9]+ / && call != "" {
    # Columns: bytes, repetitions, then t_min, t_max, t_avg, or t_ovrl, t_pure and others; a barrier has no bytes.
    barrier = tolower(call) ~ /barrier$/
    if (barrier) { bytes = 0; us = suite == "overlap" ? $2 : $3 } else { bytes = $1; us = suite == "overlap" ? $3 : $4 }
    if (us !~ /^[0-9.]+$/ || (!barrier && bytes == 0)) next # "time-out."
    if (us < 0.01) us = 0.01 # what IMB prints as 0.00 or 0.01
    cell = place SUBSEP call SUBSEP bytes
    if (!(cell in seen)) { seen[cell] = 1; order[++count] = cell }
    times[cell, set, kind] = times[cell, set, kind] " " us
}
END {
    if (cells != "") print "suite,ranks,collective,bytes,set,alone_us,preloaded_us,again_us" > cells
    for (i = 1; i <= count; i++) {
        split(order[i], p, SUBSEP); place = p[1] SUBSEP p[2]
        low = nulls = missing = 0
        for (s = 1; s <= sets; s++) missing += times[order[i], s, "alone"] == "" || times[order[i], s, "bine"] == "" || times[order[i], s, "again"] == ""
        if (missing) { left_out[place]++; continue }
        for (s = 1; s <= sets; s++) {
            a = median(times[order[i], s, "alone"]); b = median(times[order[i], s, "bine"]); c = median(times[order[i], s, "again"])
            if (cells != "") printf "%s,%s,%s,%s,%d,%.2f,%.2f,%.2f\n", p[1], p[2], p[3], p[4], s, a, b, c > cells
            sum[place, s] += log(a / b); null[place, s] += log(a / c); number[place, s]++
            of[place, p[3]] += log(a / b); in_all[place, p[3]]++
            low += a < 0.95 * b; nulls += a < 0.95 * c
            text[i] = text[i] sprintf(" %.2f", a / b); beside[i] = beside[i] sprintf(" %.2f", a / c)
        }
        both[place] += low == sets; one[place] += low > 0 && low < sets
        null_both[place] += nulls == sets; null_one[place] += nulls > 0 && nulls < sets
        if (low == sets) listed[place] = listed[place] sprintf("- %s of %s B:%s (alone over alone:%s)\n", p[3], p[4], text[i], beside[i])
    }
    print "| suite, ranks | geometric means | alone over alone | cells | below 0.95 in all sets | in some | alone over alone, in all | in some |"
    print "|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= places; k++) {
        split(title[k], p, SUBSEP); means = nulls = ""
        for (s = 1; s <= sets; s++) if (number[title[k], s]) {
            means = means sprintf(" %.2f", exp(sum[title[k], s] / number[title[k], s]))
            nulls = nulls sprintf(" %.2f", exp(null[title[k], s] / number[title[k], s]))
        }
        printf "| %s, %s |%s |%s | %d | %d | %d | %d | %d |\n", p[1], p[2], means, nulls, number[title[k], 1], both[title[k]], one[title[k]], null_both[title[k]], null_one[title[k]]
    }
    for (k = 1; k <= places; k++) {
        split(title[k], p, SUBSEP)
        printf "\n%s, %s ranks, by collective:", p[1], p[2]
        for (i = 1; i <= count; i++) {
            split(order[i], q, SUBSEP)
            if (q[1] SUBSEP q[2] == title[k] && !((title[k], q[3]) in said)) {
                said[title[k], q[3]] = 1
                if (in_all[title[k], q[3]]) printf " %s %.2f", q[3], exp(of[title[k], q[3]] / in_all[title[k], q[3]])
            }
        }
        if (left_out[title[k]]) printf "; cells without a time, as IMB ran out of it: %d", left_out[title[k]]
        printf "\n%s", listed[title[k]] == "" ? "" : "\nBelow 0.95 in all sets:\n\n" listed[title[k]]
    }
}
