/* All that the page shows is in one object, and all of it goes into links. */
const usual = {
  collective: "allreduce", algorithm: "bine-large", against: "auto", ranks: "16", root: "0", groups: "5,5,6",
  machine: "", hosts: "", perNode: "", dims: "", ports: "", segments: "", layout: "", bytes: "1M",
  view: "ring", block: "", negabinary: "", step: "0", selected: "", speed: "1", theme: "", measured: "",
};
const state = { ...usual };

/* A call that was recorded, which comes with the page: seconds, and its messages, each [from, to, strand, step, left, arrived]. */
let recorded = null;
const isMeasured = () => recorded !== null && state.measured !== "";

function stateText() {
  const pairs = Object.entries(state).filter(([k, v]) => String(v) !== usual[k]);
  return pairs.map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&");
}

/* Names that are not known are passed over: a link may come from a newer page. */
function setState(text) {
  Object.assign(state, usual);
  for (const pair of text.split("&")) {
    const [k, ...v] = pair.split("=");
    if (k in usual) {
      try { state[k] = decodeURIComponent(v.join("=")); } catch { /* a broken escape is no value */ }
    }
  }
}

let stateTimer = 0;
function keepState() {
  clearTimeout(stateTimer);
  stateTimer = setTimeout(() => {
    try { history.replaceState(null, "", "#" + stateText()); } catch { /* in a frame without a place of its own */ }
  }, 150);
}

/* Pasted text becomes a file; short words stay as they are. */
function placeWords() {
  const words = [];
  const add = (option, value) => value !== "" && words.push(option + "=" + value);
  const pasted = (path, text) => {
    writeFile(path, text.endsWith("\n") ? text : text + "\n");
    return path;
  };
  if (state.machine !== "") {
    const known = about.machines.includes(state.machine.trim());
    const isMap = !/[=:]|^\s*(name|about|topology|group|split|pattern|dims)\s/m.test(state.machine);
    const file = isMap ? "/pasted.map" : "/pasted.conf";
    add("--machine", known ? state.machine.trim() : pasted(file, state.machine));
    if (state.hosts !== "") add("--hosts", /\n/.test(state.hosts.trim()) ? pasted("/hosts", state.hosts) : state.hosts.trim());
    add("--ranks-per-node", state.perNode);
    return words;
  }
  const sizes = /^[\d,\s]*$/.test(state.groups);
  add("--groups", sizes ? state.groups.replace(/\s/g, "") : pasted("/groups", state.groups));
  add("--dims", state.dims);
  if (state.groups === "" && state.dims === "") add("--ranks", state.ranks);
  return words;
}

/* The words of `bine explore` for one of the two panes. */
function paneWords(algorithm, first) {
  const words = [state.collective, algorithm, "--bytes=" + state.bytes, ...placeWords()];
  if (state.root !== "") words.push("--root=" + state.root);
  if (state.segments !== "") words.push("--segments=" + state.segments);
  if (state.ports !== "") words.push("--ports=" + state.ports);
  if (first && state.layout !== "") words.push("--layout=" + state.layout);
  return words;
}

/* The same as people type it. */
function commandLine() {
  const quote = (w) => (/^[\w.,=:/-]*$/.test(w) ? w : "'" + w.replace(/'/g, "'\\''") + "'");
  return ["bine", "show", ...paneWords(state.algorithm, true).filter((w) => !w.startsWith("--bytes"))].map(quote).join(" ");
}
