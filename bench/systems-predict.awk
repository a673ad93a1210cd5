# Where the model picks another algorithm than the simulation: awk -v machine=S FILE.csv..., files of 'bine simulate --predict'.
function size(bytes) { return bytes >= 1048576 ? bytes / 1048576 " MiB" : bytes >= 1024 ? bytes / 1024 " KiB" : bytes " B" }
/^#|^collective,/ { next }
{
    split($0, f, ",")
    key = f[1] "," f[6] "," f[4]
    if (!(key in least)) order[++n] = key
    if (!(key in least) || f[8] < least[key]) { least[key] = f[8]; fastest[key] = f[2] }
    if (!(key in first) || f[12] < first[key]) { first[key] = f[12]; pick[key] = f[2]; takes[key] = f[8] }
    ratio = f[12] / f[8]
    if (least_ratio == "" || ratio < least_ratio) least_ratio = ratio
    if (ratio > most_ratio) most_ratio = ratio
}
END {
    print "\n### " machine ": the model's picks\n"
    print "| collective | ranks | size | the model picks | simulated us | fastest simulated | us | pick is slower by |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        key = order[i]
        r = takes[key] / least[key]
        near += r <= 1.05
        sum += log(r)
        split(key, k, ",")
        if (r > 1.05)
            printf "| %s | %s | %s | %s | %.1f | %s | %.1f | %.0f %% |\n", k[1], k[3], size(k[2]), pick[key], 1e6 * takes[key], fastest[key],
                1e6 * least[key], 100 * (r - 1)
    }
    if (n == 0)
        exit
    printf "\nThe pick is within 5 %% of the fastest in %d of %d cells, and %.1f %% slower on average (geometric mean). Predicted\nover simulated times, all algorithms: %.2f to %.2f.\n",
        near, n, 100 * (exp(sum / n) - 1), least_ratio, most_ratio
}
