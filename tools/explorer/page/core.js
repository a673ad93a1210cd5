/* The core: the same C that the library and the command are made of, as WebAssembly. */
const ROW = 10; /* numbers of a row: see struct bine_row */
const RANK = 0, STRAND = 1, TIME = 2, KIND = 3, ROLE = 4, PEER = 5, OP = 6, OTHER_OP = 7, OTHER_KIND = 8, CROSSES = 9;
const SENDS = 0, READS = 1, PUBLISHES = 2; /* enum bine_role */

let core = null;
let about = null; /* versions, collectives, kinds of operations, machines */
const complaints = [];

async function openCore() {
  core = await bineCore({ print: () => {}, printErr: (line) => complaints.push(line) });
  about = JSON.parse(core.ccall("explorer_about", "string", [], []));
}

const askText = (name, ...numbers) => core.ccall(name, "string", numbers.map(() => "number"), numbers);
const askJson = (name, ...numbers) => JSON.parse(askText(name, ...numbers));
const askNumber = (name, ...numbers) => core.ccall(name, "number", numbers.map(() => "number"), numbers);

function writeFile(path, text) {
  core.ccall("explorer_file", "number", ["string", "string"], [path, text]);
}

/* One algorithm that is shown. Throws what the core complains of. */
class Pane {
  constructor(number, words) {
    complaints.length = 0;
    const rc = core.ccall("explorer_open", "number", ["number", "string"], [number, words.join("\n")]);
    if (rc !== 0) throw new Error(complaints.join("; ").replace(/^bine: /, "") || "the core refused");
    this.number = number;
    Object.assign(this, askJson("explorer_describe", number));
    this.count = askNumber("explorer_count", number);
    const rows = askNumber("explorer_rows", number) / 4, sizes = askNumber("explorer_sizes", number) / 8;
    this.row = core.HEAP32.slice(rows, rows + ROW * this.count);
    this.size = core.HEAPF64.slice(sizes, sizes + 3 * this.count);
    this.holdings = new Map();
    this.sort();
  }

  /* Messages and reads of boards by step, and the bytes between groups up to each. */
  sort() {
    this.byTime = Array.from({ length: this.steps }, () => []);
    this.other = Array.from({ length: this.steps + 1 }, () => []); /* what is no message; [0]: before the first step */
    this.most = 1;
    for (let i = 0; i < this.count; i++) {
      const t = this.get(i, TIME);
      if (this.get(i, ROLE) <= READS) {
        this.byTime[t].push(i);
        this.most = Math.max(this.most, this.bytesOf(i));
      } else this.other[t + 1].push(i);
    }
    this.crossed = [0];
    this.sent = [0];
    for (const list of this.byTime) {
      let far = this.crossed.at(-1), all = this.sent.at(-1);
      for (const i of list) {
        all += this.bytesOf(i);
        if (this.get(i, CROSSES)) far += this.bytesOf(i);
      }
      this.crossed.push(far);
      this.sent.push(all);
    }
  }

  get(i, what) { return this.row[ROW * i + what]; }
  bytesOf(i) { return this.size[3 * i]; }
  left(i) { return this.size[3 * i + 1]; }
  arrived(i) { return this.size[3 * i + 2]; }
  from(i) { return this.get(i, ROLE) === READS ? this.get(i, PEER) : this.get(i, RANK); }
  to(i) { return this.get(i, ROLE) === READS ? this.get(i, RANK) : this.get(i, PEER); }
  kind(i) { return about.kinds[this.get(i, KIND)]; }
  line(rank, op) { return askText("explorer_line", this.number, rank, op).split("\n").slice(1).join("\n").trim(); }

  /* How many ranks' data is in each cell of each rank, when so many steps are done; null: not known. */
  hold(steps) {
    if (!this.cells) return null;
    if (!this.holdings.has(steps)) {
      const at = askNumber("explorer_hold", this.number, steps - 1) / 2;
      if (this.holdings.size > 40) this.holdings.clear();
      this.holdings.set(steps, core.HEAPU16.slice(at, at + this.p * this.cells));
    }
    return this.holdings.get(steps);
  }
  holds(rank, steps) { return askJson("explorer_holds", this.number, rank, steps - 1); }

  /* Rows whose pieces include a block; null: blocks have no numbers, as what is in slots changes. */
  following(block) {
    if (block === null || this.collective === "alltoall") return null;
    if (!this.followed || this.followed.block !== block) {
      const rows = new Set();
      for (const list of this.byTime)
        for (const i of list) if (askNumber("explorer_has_block", this.number, i, block)) rows.add(i);
      this.followed = { block, rows };
    }
    return this.followed.rows;
  }

  /* The times of a call as it ran, in place of the model's. Messages that it had not are not drawn. */
  measure(call) {
    const key = (from, to, strand, step) => [from, to, strand, step].join();
    const times = new Map(call.messages.map(([from, to, strand, step, left, arrived]) => [key(from, to, strand, step), [left, arrived]]));
    this.measured = true;
    this.seconds = call.seconds;
    this.busy = 0;
    for (let i = 0; i < this.count; i++)
      this.size.set(times.get(key(this.from(i), this.to(i), this.get(i, STRAND), this.get(i, TIME))) ?? [-1, -1], 3 * i + 1);
  }

  prove() { return askJson("explorer_prove", this.number); }
}
