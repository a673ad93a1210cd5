/* The page: controls, playing, keys. */
let panes = [];
let position = 0; /* steps that are done; in between, one is under way */
let playing = false, target = null, lastFrame = 0;
const STEP_MS = 1100;
const canvases = [$("canvas0"), $("canvas1")];
const scene = [{}, {}]; /* of each canvas: its geometry, what can be clicked, its still layers */
const lastStep = () => Math.max(0, ...panes.map((x) => x.steps));
const frameTimes = [];

/* Which algorithm stands beside: a binomial one with as many steps, or else the next best. */
function partnerOf(catalogue, name) {
  const here = catalogue.filter((a) => a.collective === state.collective && a.name !== name && a.refused === "");
  const own = catalogue.find((a) => a.collective === state.collective && a.name === name);
  const wanted = own?.family === "binomial" ? "bine" : "binomial";
  const plain = (a) => !/paper|halves|knomial|multiplying|-\d$/.test(a.name);
  const same = here.filter((a) => a.family === wanted && plain(a) && a.dims === (own?.dims ?? 0));
  const steps = own && own.steps > 0 ? own.steps : panes[0].steps;
  const closest = (list) => list.find((a) => a.steps === steps || own?.dims) ?? list.find((a) => Math.abs(a.steps - steps) <= 2);
  return closest(same.filter((a) => a.order === own?.order)) ?? closest(same) ?? same[0] ?? here[0] ?? null;
}

function fillOptions(select, options, chosen) {
  select.replaceChildren(...options.map(([value, words, refused]) => {
    const o = element("option", words, { value });
    if (refused) {
      o.disabled = true;
      o.title = refused;
    }
    return o;
  }));
  select.value = chosen;
}

function fillControls(catalogue) {
  const own = catalogue.filter((a) => a.collective === state.collective);
  const option = (a) => [a.name, a.name, a.refused];
  fillOptions($("collective"), about.collectives.map((c) => [c, c]), state.collective);
  fillOptions($("algorithm"), own.map(option), state.algorithm);
  fillOptions($("against"), [["auto", "as fits"], ["none", "nothing"], ...own.map(option)], state.against);
  const layouts = own.find((a) => a.name === state.algorithm)?.layouts ?? [];
  fillOptions($("layout"), [["", "usual"], ...layouts.map((l) => [l, l])], state.layout);
  for (const id of ["ranks", "root", "bytes", "groups", "dims", "machine", "hosts", "perNode", "segments", "ports", "block", "speed"])
    if (document.activeElement !== $(id)) $(id).value = state[id];
  $("negabinary").checked = state.negabinary !== "";
  if (state.groups !== "" || state.dims !== "" || state.machine !== "") $("ranks").value = panes[0].p;
  $("root").disabled = !panes[0].rooted;
}

function complain(words) {
  $("problem").textContent = words;
  $("problem").hidden = words === "";
}

/* Build what the state says; the last good picture stays if it cannot be. */
function rebuild() {
  let opened;
  try {
    opened = [new Pane(0, paneWords(state.algorithm, true))];
  } catch (e) {
    if (panes.length) { /* the core has closed its pane: open the last good one again */
      try { new Pane(0, panes[0].words); } catch { /* it was good a moment ago */ }
    }
    complain(e.message);
    return false;
  }
  complain("");
  panes = opened;
  panes[0].words = paneWords(state.algorithm, true);
  const catalogue = askJson("explorer_catalogue");
  const other = state.against === "auto" ? partnerOf(catalogue, panes[0].algorithm)?.name : state.against === "none" ? null : state.against;
  if (isMeasured()) {
    panes.push(new Pane(1, paneWords(state.algorithm, true)));
    panes[1].measure(recorded);
  } else if (other) {
    try {
      panes.push(new Pane(1, paneWords(other, false)));
    } catch (e) { complain(`beside it, ${other}: ${e.message}`); }
  }
  for (const pane of panes) pane.graph = makeNodes(pane);
  fillControls(catalogue);
  $("slider").max = lastStep();
  position = Math.min(position, lastStep());
  if (selection?.rank >= panes[0].p || selection?.row >= (panes[selection?.pane]?.count ?? 0)) selection = null;
  showPanes();
  return true;
}

function showPanes() {
  for (const k of [0, 1]) {
    const pane = panes[k];
    $("pane" + k).hidden = !pane;
    if (!pane) continue;
    const root = pane.rooted ? `, root ${pane.root}` : "";
    const clock = isMeasured() ? (pane.measured ? ", as it ran" : ", by the model") : "";
    $("pane" + k).querySelector("h2").textContent = `${pane.collective} ${pane.algorithm}${clock}`;
    $("pane" + k).querySelector(".about").textContent = `${pane.about}; ${plural(pane.p, "rank")}${root}, layout ${pane.layout}, ${plural(pane.steps, "step")}, ${plural(pane.blocks, "block")}`;
  }
  $("command").textContent = commandLine();
  showNotes();
  resize();
  settled();
}

function resize() {
  panes.forEach((pane, k) => {
    const canvas = canvases[k], ratio = Math.min(3, window.devicePixelRatio || 1), w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !h) return;
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
    scene[k] = { w, h, ratio, g: viewOf(state.view).geometry(pane, w, h), layers: new Map(), hits: [] };
  });
  draw();
}

/* What does not move within a step is drawn once. */
function layer(k, pane, view, steps) {
  const s = scene[k];
  if (!s.layers.has(steps)) {
    if (s.layers.size > 6) s.layers.clear();
    const canvas = document.createElement("canvas");
    canvas.width = canvases[k].width;
    canvas.height = canvases[k].height;
    const c = canvas.getContext("2d");
    c.setTransform(s.ratio, 0, 0, s.ratio, 0, 0);
    view.still(new CanvasPen(c), pane, s.g, steps);
    s.layers.set(steps, canvas);
  }
  return s.layers.get(steps);
}

function drawPane(k) {
  const pane = panes[k], s = scene[k], view = viewOf(state.view), c = canvases[k].getContext("2d");
  if (!s.g) return;
  const at = Math.min(position, pane.steps), done = Math.floor(at), part = at - done;
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.globalAlpha = 1;
  c.clearRect(0, 0, canvases[k].width, canvases[k].height);
  if (view.still) {
    c.drawImage(layer(k, pane, view, done), 0, 0);
    if (part > 0.6) {
      c.globalAlpha = (part - 0.6) / 0.4; /* what arrives fills up at the end of its way */
      c.drawImage(layer(k, pane, view, done + 1), 0, 0);
    }
  }
  c.setTransform(s.ratio, 0, 0, s.ratio, 0, 0);
  s.hits.length = 0;
  view.draw(new CanvasPen(c), pane, s.g, at, part === 0 ? s.hits : null);
  showFigures(pane, at);
}

function draw() {
  panes.forEach((_, k) => drawPane(k));
  $("slider").value = Math.round(position);
}

/* Where the picture stands still: words for it. */
function settled() {
  state.step = String(Math.round(position));
  showTable();
  showSelection();
  const words = panes.map((x) => `${x.algorithm}: ${$("figures" + x.number).querySelector(".step").textContent}; ${$("figures" + x.number).querySelector(".so-far").textContent}`);
  $("live").textContent = words.join(". ");
  panes.forEach((x, k) => canvases[k].setAttribute("aria-label", `${viewOf(state.view).name} view of ${x.collective} ${x.algorithm} with ${x.p} ranks. ${words[k]}`));
  keepState();
}

function tick(now) {
  const passed = Math.min(100, now - lastFrame), before = performance.now();
  lastFrame = now;
  if (!playing && target === null) return;
  const goal = playing ? lastStep() : target, way = (passed / STEP_MS) * Number(state.speed);
  position = goal > position ? Math.min(goal, position + way) : goal;
  draw();
  frameTimes.push(performance.now() - before);
  if (frameTimes.length > 600) frameTimes.shift();
  if (position === goal) {
    if (playing) setPlaying(false);
    target = null;
    settled();
  } else requestAnimationFrame(tick);
}
function run() {
  lastFrame = performance.now();
  requestAnimationFrame(tick);
}

function setPlaying(on) {
  if (on && position >= lastStep()) position = 0;
  playing = on;
  $("play").textContent = on ? "Pause" : "Play";
  if (on) run();
}

/* To a step at once, or by moving there if it is the next one. */
function goTo(step, moves) {
  if (playing) setPlaying(false);
  step = Math.max(0, Math.min(lastStep(), step));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (moves && !still && step > position) {
    const idle = target === null;
    target = step;
    if (idle) run();
  } else {
    target = null;
    position = step;
    draw();
    settled();
  }
}

function setView(key) {
  state.view = viewOf(key).key;
  for (const b of $("views").children) {
    b.setAttribute("aria-selected", b.dataset.view === state.view);
    b.tabIndex = b.dataset.view === state.view ? 0 : -1;
  }
  showPanes();
}

function select(what) {
  selection = what;
  state.selected = !what ? "" : what.rank !== undefined ? "r" + what.rank : `m${what.pane}.${what.row}`;
  draw();
  showSelection();
  keepState();
}
function readSelection() {
  const m = state.selected.match(/^(?:r(\d+)|m(\d)\.(\d+))$/);
  selection = !m ? null : m[1] !== undefined ? { rank: Number(m[1]) } : { pane: Number(m[2]), row: Number(m[3]) };
}

function hit(k, x, y) {
  let best = null, least = 10;
  for (const h of scene[k].hits) {
    if (h.node && Math.hypot(h.x - x, h.y - y) <= h.r) return h;
    for (const [px, py] of h.points ?? []) {
      const d = Math.hypot(px - x, py - y);
      if (d < least) [least, best] = [d, h];
    }
  }
  return best;
}

function setTheme(theme) {
  const dark = theme === "dark" || (theme === "" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").setAttribute("aria-pressed", dark);
  readPalette();
}

const linkText = () => location.href.split("#")[0] + "#" + stateText();
async function copyLink() {
  keepState();
  try {
    await navigator.clipboard.writeText(linkText());
    $("said").textContent = "The link is copied.";
  } catch {
    history.replaceState(null, "", "#" + stateText());
    $("said").textContent = "The link is in the address bar.";
  }
}

async function save(kind) {
  $("said").textContent = "Drawing …";
  await new Promise((r) => setTimeout(r));
  const blob = kind === "svg" ? exportSvg() : kind === "png" ? await exportPng()
    : await exportAnimation((k, n) => ($("said").textContent = `Drawing ${k} of ${n} frames`));
  download(blob, `${exportName()}${kind === "animation" ? "-animated" : ""}.${kind === "svg" ? "svg" : "png"}`);
  $("said").textContent = `Saved: ${formatBytes(blob.size)}.`;
  return blob;
}
