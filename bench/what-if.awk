# Joins what was predicted with what was measured, by collective and bytes (blocks are cut to whole numbers: up to 1 % apart):
# seconds of a call, medians over runs, spreads.
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
# The key of a predicted row for a measured one; 0: none.
function find(collective, size,   i) {
    for (i = 1; i <= keys; i++)
        if (name[i] == collective && size < 1.01 * bytes[i] && bytes[i] < 1.01 * size)
            return i
    return 0
}
NR == FNR { name[++keys] = $1; bytes[keys] = $2; usual[keys] = $6 / $3; bine[keys] = $7 / $3; next }
{ i = find($3, $4); if (i > 0) measured[$1, i] = measured[$1, i] " " ($6 - $7) / $5 }
END {
    for (i = 1; i <= keys; i++)
        printf "%s,%s,%d,%.4g,%.4g,%.3f,%.4g,%.4g,%.3f\n", head, name[i], bytes[i], usual[i], median(measured["off", i]), spread(measured["off", i]),
            bine[i], median(measured["on", i]), spread(measured["on", i])
}
