// Chromium without a window, spoken to through two pipes: no server, no libraries.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe"];

class Browser {
  constructor(program) {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "explorer-"));
    this.child = spawn(program, [...flags, `--user-data-dir=${this.folder}`], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.number = 0;
    this.problems = []; // exceptions and errors of the page
    this.requests = []; // everything that is loaded
    let rest = "";
    this.child.stdio[4].on("data", (data) => {
      const parts = (rest + data).split("\0");
      rest = parts.pop();
      parts.forEach((text) => this.take(JSON.parse(text)));
    });
  }

  take(message) {
    const wait = this.waiting.get(message.id);
    if (wait) {
      this.waiting.delete(message.id);
      if (message.error) wait.reject(new Error(message.error.message));
      else wait.resolve(message.result);
    }
    if (message.method === "Runtime.exceptionThrown") this.problems.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
    if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error") this.problems.push(message.params.args.map((a) => a.value).join(" "));
    if (message.method === "Log.entryAdded" && message.params.entry.level === "error") this.problems.push(message.params.entry.text);
    if (message.method === "Network.requestWillBeSent") this.requests.push(message.params.request.url);
  }

  send(method, params = {}) {
    const id = ++this.number;
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // Open a page and wait until it has drawn its first picture.
  async open(url, width = 1280, height = 900) {
    if (!this.session) {
      const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
      this.session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
      for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(domain + ".enable");
    }
    await this.size(width, height);
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url });
    await this.until("document.documentElement?.dataset.ready");
  }

  size(width, height, scale = 1) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: false });
  }

  async run(code) {
    const r = await this.send("Runtime.evaluate", { expression: code, returnByValue: true, awaitPromise: true });
    if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description ?? r.exceptionDetails.text);
    return r.result.value;
  }

  async until(code, ms = 20000 * Number(process.env.BINE_TEST_SLOW ?? 1)) { // tests/slow
    for (const end = Date.now() + ms; Date.now() < end; await new Promise((r) => setTimeout(r, 20))) {
      const value = await this.run(code).catch(() => false);
      if (value) return value;
    }
    throw new Error("waited in vain for " + code);
  }

  async key(key, code = key) {
    const text = key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
  }

  async click(x, y) {
    for (const type of ["mousePressed", "mouseReleased"]) await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  }

  async screenshot(file, options = {}) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", ...options });
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }

  async close() {
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    await this.send("Browser.close").catch(() => {});
    await Promise.race([gone, new Promise((r) => setTimeout(r, 3000))]);
    this.child.kill("SIGKILL");
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

module.exports = { Browser };
