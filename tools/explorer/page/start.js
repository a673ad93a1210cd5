/* Controls and keys, and the start. */

/* A change of a control: the state, and what goes with it. */
function changed(id, value) {
  state[id] = value;
  if (!["negabinary", "block", "speed"].includes(id)) state.measured = ""; /* another call than the one that ran */
  const clear = (...names) => names.forEach((n) => (state[n] = ""));
  if (id === "collective") {
    clear("layout", "block");
    state.algorithm = usualAlgorithm(value);
    state.against = "auto";
  }
  if (id === "algorithm") {
    clear("layout");
    if (state.against === value) state.against = "auto";
  }
  if (id === "ranks") {
    clear("groups", "dims", "machine", "hosts");
    state.groups = usualGroups(Number(value));
  }
  if (id === "groups") clear("machine", "hosts");
  if (id === "dims") clear("machine", "hosts", "groups");
  if (id === "dims" && value === "") state.groups = usualGroups(Number(state.ranks));
  if (["ranks", "groups", "dims", "machine", "hosts"].includes(id) && Number(state.root) >= 1) state.root = "0";
  if (id === "negabinary" || id === "block") return showPanes();
  if (id === "speed") return keepState();
  if (rebuild() && ["ranks", "groups", "dims", "machine", "hosts"].includes(id)) state.ranks = String(panes[0].p);
}

/* A few groups, so that there is something between them. */
function usualGroups(p) {
  if (!(p >= 4)) return "";
  const groups = p < 6 ? 2 : 3, ends = Array.from({ length: groups + 1 }, (_, k) => Math.floor((p * k) / groups));
  return ends.slice(1).map((end, k) => end - ends[k]).join(",");
}

function usualAlgorithm(collective) {
  const own = askJson("explorer_catalogue").filter((a) => a.collective === collective);
  const wanted = collective === usual.collective ? usual.algorithm : null;
  return (own.find((a) => a.name === wanted && a.refused === "") ?? own.find((a) => a.family === "bine" && a.refused === "") ?? own[0]).name;
}

function openState() {
  const step = Number(state.step) || 0;
  position = 0;
  setTheme(state.theme);
  readSelection();
  if (!rebuild() && panes.length === 0) { /* a link to what cannot be: say so, and show the usual */
    const words = $("problem").textContent;
    setState("");
    rebuild();
    complain(words);
  }
  setView(state.view);
  position = Math.max(0, Math.min(lastStep(), step));
  draw();
  settled();
}

function bindControls() {
  for (const id of ["collective", "algorithm", "against", "layout", "ranks", "root", "bytes", "groups", "dims", "machine", "hosts", "perNode", "segments", "ports", "block", "speed"])
    $(id).addEventListener("change", (e) => changed(id, e.target.value.trim()));
  $("negabinary").addEventListener("change", (e) => changed("negabinary", e.target.checked ? "yes" : ""));
  $("controls").addEventListener("submit", (e) => e.preventDefault());
  $("play").onclick = () => setPlaying(!playing);
  $("begin").onclick = () => goTo(0);
  $("end").onclick = () => goTo(lastStep());
  $("back").onclick = () => goTo(Math.ceil(position) - 1);
  $("next").onclick = () => goTo(Math.floor(target ?? position) + 1, true);
  $("slider").oninput = (e) => goTo(Number(e.target.value));
  $("prove").onclick = proveAll;
  $("link").onclick = copyLink;
  for (const kind of ["svg", "png", "animation"]) $(kind).onclick = () => save(kind);
  $("theme").onclick = () => {
    state.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    setTheme(state.theme);
    resize();
    keepState();
  };
  $("messages").addEventListener("click", (e) => {
    const b = e.target.closest("button");
    if (b) select({ pane: Number(b.dataset.pane), row: Number(b.dataset.row) });
  });
  views.forEach((v, k) => {
    const b = element("button", v.name, { type: "button", role: "tab", "data-view": v.key, title: `key ${k + 1}` });
    b.onclick = () => setView(v.key);
    $("views").append(b);
  });
  $("views").addEventListener("keydown", (e) => {
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    e.stopPropagation();
    setView(views[(views.indexOf(viewOf(state.view)) + step + views.length) % views.length].key);
    $("views").querySelector("[aria-selected=true]").focus();
  });
}

function bindCanvases() {
  canvases.forEach((canvas, k) => {
    canvas.addEventListener("click", (e) => {
      const box = canvas.getBoundingClientRect(), h = hit(k, e.clientX - box.left, e.clientY - box.top);
      if (!h) select(null);
      else if (h.node) select({ rank: h.node.ranks[0] });
      else select({ pane: k, row: h.row });
    });
    canvas.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
      if (!step) return;
      e.preventDefault();
      const p = panes[k].p, rank = selection?.rank === undefined ? (step > 0 ? 0 : p - 1) : (selection.rank + step + p) % p;
      select({ rank });
      $("live").textContent = `rank ${rank}, group ${panes[k].groups[panes[k].group[rank]]}`;
    });
  });
}

const keys = {
  " ": () => setPlaying(!playing), ArrowRight: () => $("next").click(), ArrowLeft: () => $("back").click(), Home: () => goTo(0), End: () => goTo(lastStep()),
  Escape: () => select(null), p: proveAll, s: copyLink,
  c: () => { changed("against", state.against === "none" ? "auto" : "none"); },
};
function bindKeys() {
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, select, textarea, pre")) return;
    if (e.key === " " && e.target.closest("button, summary")) return;
    const view = views[Number(e.key) - 1], act = view ? () => setView(view.key) : keys[e.key] ?? keys[e.key.toLowerCase()];
    if (!act) return;
    e.preventDefault();
    act();
  });
}

async function start() {
  await openCore();
  bindControls();
  bindCanvases();
  bindKeys();
  const opens = JSON.parse(document.getElementById("opens").textContent || "{}");
  setState(location.hash.slice(1));
  recorded = opens.recorded ?? null;
  delete opens.recorded;
  if (location.hash.length <= 1) Object.assign(state, opens, recorded === null ? {} : { step: "Infinity" }); /* a call as it ran: all of it */
  openState();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
  window.addEventListener("hashchange", () => { setState(location.hash.slice(1)); openState(); });
  let timer = 0;
  new ResizeObserver(() => { clearTimeout(timer); timer = setTimeout(resize, 60); }).observe($("stage"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { setTheme(state.theme); resize(); });
}

/* For tests, and for whoever opens the console. */
window.bine = {
  state, setState, openState, stateText, linkText, goTo, setPlaying, setView, select, changed, save, exportSvg, exportPng, exportAnimation, proveAll, frameTimes,
  panes: () => panes, position: () => position, about: () => about, catalogue: () => askJson("explorer_catalogue"), problem: () => ($("problem").hidden ? "" : $("problem").textContent),
  messages: (k) => panes[k].byTime.flatMap((list, t) => list.map((i) => [t, panes[k].from(i), panes[k].to(i), panes[k].kind(i)])),
  lines: (k) => panes[k].byTime.flat().map((i) => panes[k].line(panes[k].get(i, RANK), panes[k].get(i, OP))),
};
start().catch((e) => complain(`The page cannot start: ${e.message}`));
