# The JSON of `bine list`, one value a line or one object a line, as rows of Markdown.
function value(name,    rest) {
    if (!match($0, "\"" name "\":[ \t]*\"")) return ""
    rest = substr($0, RSTART + RLENGTH)
    match(rest, /([^"\\]|\\.)*/)
    rest = substr(rest, 1, RLENGTH)
    gsub(/\\"/, "\"", rest); gsub(/\|/, "\\|", rest)
    return rest
}
{ for (i = split("algorithm family ranks commutative layouts about", name, " "); i >= 1; i--) if (value(name[i]) != "") cell[name[i]] = value(name[i]) }
/}/ && cell["algorithm"] != "" {
    printf "| `%s` | %s | %s | %s | %s | %s |\n", cell["algorithm"], cell["family"], cell["ranks"], cell["commutative"] == "required" ? "commutative" : "any", cell["layouts"], cell["about"]
    for (i in cell) delete cell[i]
}
