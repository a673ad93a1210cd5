# What roff must not take for its own: backslashes, hyphens that are typed, dots and quotes at the start of a line.
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/`/, "\\(ga", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}
