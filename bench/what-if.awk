# Joins what was predicted with what was measured, by collective and bytes: seconds of a call, medians over runs, spreads.
function median(list,   a, n, i, j, t) {
    n = split(list, a, " ")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && a[j] + 0 < a[j - 1] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return n == 0 ? 0 : n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
}
# The largest relative distance from the median.
function spread(list,   a, n, i, m, most, d) {
    n = split(list, a, " ")
    m = median(list)
    for (i = 1; i <= n; i++) { d = m > 0 ? (a[i] > m ? a[i] - m : m - a[i]) / m : 0; most = d > most ? d : most }
    return most + 0
}
NR == FNR { key = $1 "," $2; order[++keys] = key; usual[key] = $6 / $3; bine[key] = $7 / $3; next }
{ key = $3 "," $4; measured[$1, key] = measured[$1, key] " " ($6 - $7) / $5 }
END {
    for (i = 1; i <= keys; i++) {
        k = order[i]
        printf "%s,%s,%.4g,%.4g,%.3f,%.4g,%.4g,%.3f\n", head, k, usual[k], median(measured["off", k]), spread(measured["off", k]),
            bine[k], median(measured["on", k]), spread(measured["on", k])
    }
}
