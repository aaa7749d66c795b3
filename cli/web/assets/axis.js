// One axis of the open board: where each line of squares lies, exactly, at any distance.
//
// Places are BigInt in thousandths of a square, so that a king at 10^15 is where it is. Only differences of places near the
// middle of the view become floating-point numbers.

/** One square. */
export const UNIT = 1000n;
/** The width of a folded stretch. */
const BAND = 800n;
/** Lines that stay around each piece. */
const MARGIN = 1n;
/** The longest stretch of needless lines that is not folded. */
const LONGEST = 8n;

export class Axis {
  /**
   * @param {bigint[]} lines the lines with something on them
   * @param {boolean} fold whether long empty stretches are folded
   */
  constructor(lines, fold) {
    const sorted = [...new Set(lines)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    /** Runs of lines that are shown: first and last line, and the place of the first one. */
    this.runs = [];
    for (const line of sorted) {
      const open = this.runs.at(-1);
      if (open && (!fold || line - MARGIN <= open.last + LONGEST + 1n)) open.last = line + MARGIN;
      else this.runs.push({ first: line - MARGIN, last: line + MARGIN, at: 0n });
    }
    if (this.runs.length === 0) this.runs.push({ first: 0n, last: 0n, at: 0n });
    this.runs[0].at = this.runs[0].first * UNIT;
    for (let i = 1; i < this.runs.length; i++) this.runs[i].at = end(this.runs[i - 1]) + BAND;
  }

  /** The place where a line begins; lines of a fold share its width. */
  place(line) {
    const index = this.#runBefore((run) => run.first <= line);
    const run = this.runs[Math.max(index, 0)];
    const next = this.runs[index + 1];
    if (index < 0 || line <= run.last || !next) return run.at + (line - run.first) * UNIT;
    return end(run) + (BAND * (line - run.last - 1n)) / (next.first - run.last - 1n);
  }

  /** What lies at a place: `{ line }`, or `{ fold }` with its first and last line. */
  at(place) {
    const index = this.#runBefore((run) => run.at <= place);
    const run = this.runs[Math.max(index, 0)];
    const next = this.runs[index + 1];
    if (index >= 0 && next && place >= end(run)) return { fold: { first: run.last + 1n, last: next.first - 1n } };
    return { line: run.first + floorDivide(place - run.at, UNIT) };
  }

  /** The lines and folds between two places, at most `limit` of them. */
  *between(from, to, limit) {
    let here = this.at(from);
    for (let i = 0; i < limit; i++) {
      const first = here.fold ? here.fold.first : here.line;
      if (this.place(first) > to) return;
      yield here;
      const line = (here.fold ? here.fold.last : here.line) + 1n;
      here = this.#fold(line) ?? { line };
    }
  }

  /** The places where everything begins and ends. */
  get ends() {
    return [this.runs[0].at, end(this.runs.at(-1))];
  }

  #fold(line) {
    const index = this.#runBefore((run) => run.first <= line);
    const [run, next] = [this.runs[index], this.runs[index + 1]];
    return run && next && line > run.last ? { fold: { first: run.last + 1n, last: next.first - 1n } } : null;
  }

  /** The index of the last run for which something holds that holds for a beginning of them; -1 if for none. */
  #runBefore(holds) {
    let [low, high] = [0, this.runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.runs[middle])) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

const end = (run) => run.at + (run.last - run.first + 1n) * UNIT;

function floorDivide(a, b) {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
