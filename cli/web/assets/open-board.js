// The open board: pan, zoom, folding of empty stretches, exact coordinates at any distance.

import { Axis, UNIT } from './axis.js';
import { put, s } from './dom.js';
import { short } from './label.js';
import { GRID, ink, Shapes } from './pieces.js';
import { isOnRay } from './rays.js';

/** Below this many pixels per square no squares are drawn. */
const SMALLEST_SQUARE = 9;
/** A figure is never smaller than this while there are few. */
const SMALLEST_FIGURE = 15;
/** The most figures; beyond, pieces are blocks. */
const MOST_FIGURES = 2500;
const LARGEST = 120;
const COMFORTABLE = 56;
/** Lines that stay around a square that was asked for; fewer than twice the longest stretch that is not folded. */
const ROOM = 10n;

export class OpenBoard {
  #board = null;
  #columns = new Axis([], true);
  #rows = new Axis([], true);
  #centre = { x: 0n, y: 0n };
  #scale = COMFORTABLE;
  #size = { width: 600, height: 600 };
  #marks = { last: [], from: null, targets: [], rays: [] };
  #pins = [];
  #cursor = null;
  #touched = false;
  #pending = 0;
  #fold = true;
  #flip = false;

  /**
   * @param {SVGSVGElement} svg where to draw; its size comes from the style sheet
   * @param {{ hover: (square: {x: bigint, y: bigint} | null, piece: object | null) => void, choose: (square: {x: bigint, y: bigint}) => void }} events
   */
  constructor(svg, events) {
    this.svg = svg;
    this.events = events;
    this.shapes = new Shapes();
    this.scene = s('g');
    put(svg, this.shapes.element, this.scene);
    this.watch = new ResizeObserver(() => this.#resize());
    this.watch.observe(svg);
    this.gestures = new AbortController();
    this.#listen();
    this.#resize();
  }

  destroy() {
    this.watch.disconnect();
    this.gestures.abort();
    cancelAnimationFrame(this.#pending);
  }

  /** Shows a position; `last` are the squares of the last move. The view stays where it is if everything new is in it. */
  show(board, last = []) {
    const first = this.#board === null;
    const middle = this.#middle();
    const before = this.byPlace;
    this.#board = board;
    this.byPlace = new Map(board.pieces.map((piece) => [`${piece.x},${piece.y}`, piece]));
    this.#marks = { last, from: null, targets: [], rays: [] };
    this.#cursor = null;
    this.#measure();
    this.#lookAt(middle);
    const fit = this.#fitting();
    const refit = !this.#touched && (fit.scale < this.#scale || fit.scale > this.#scale * 1.5);
    const isNew = ({ x, y }) => !before?.has(`${x},${y}`);
    if (first || refit || [...last, ...board.pieces.filter(isNew)].some((square) => !this.#isVisible(square))) {
      // The square that somebody went to may be far from this position.
      this.#pins = [];
      this.#measure();
      this.fit();
    }
    this.#draw();
  }

  /** Shows where a piece may go. */
  mark(from, targets, rays) {
    this.#marks = { ...this.#marks, from, targets, rays };
    this.#draw();
  }

  set flip(flip) {
    this.#flip = flip;
    if (this.#board && !this.#touched) this.fit();
    this.#draw();
  }

  set fold(fold) {
    const middle = this.#middle();
    this.#fold = fold;
    this.#measure();
    this.#lookAt(middle);
    this.#draw();
  }

  get scale() {
    return this.#scale;
  }

  /** Shows everything. */
  fit() {
    const { scale, x, y } = this.#fitting();
    this.#scale = scale;
    this.#centre = { x, y };
    this.#touched = false;
    this.#draw();
  }

  /** Puts a square into the middle and the cursor on it. */
  goTo(square) {
    // Room around the square, so that it does not lie between two folds.
    this.#pins = [-ROOM, 0n, ROOM].map((by) => ({ x: square.x + by, y: square.y + by }));
    this.#measure();
    this.#cursor = square;
    this.#lookAt(square);
    this.#scale = Math.max(this.#scale, 32);
    this.#touched = true;
    this.#draw();
    this.#tell(square);
  }

  /** Moves the view by pixels. */
  pan(right, down) {
    const sign = this.#flip ? -1 : 1;
    this.#centre.x += this.#length(right * sign);
    this.#centre.y -= this.#length(down * sign);
    this.#touched = true;
    this.#draw();
  }

  /** Zooms in or out; the point (in pixels of the picture) stays where it is. */
  zoom(factor, point = { x: this.#size.width / 2, y: this.#size.height / 2 }) {
    const least = Math.min(this.#fitting().scale / 4, SMALLEST_SQUARE / 2);
    const scale = Math.min(Math.max(this.#scale * factor, least, 1e-280), LARGEST);
    const sign = this.#flip ? -1 : 1;
    const [right, down] = [point.x - this.#size.width / 2, point.y - this.#size.height / 2];
    const before = { x: this.#length(right * sign), y: this.#length(down * sign) };
    this.#scale = scale;
    this.#centre.x += before.x - this.#length(right * sign);
    this.#centre.y -= before.y - this.#length(down * sign);
    this.#touched = true;
    this.#draw();
  }

  /** Moves the cursor by squares; folds count as one step. */
  step(right, up) {
    const sign = this.#flip ? -1n : 1n;
    const from = this.#cursor ?? this.#middle();
    this.#cursor = { x: skip(this.#columns, from.x, BigInt(right) * sign), y: skip(this.#rows, from.y, BigInt(up) * sign) };
    if (!this.#isVisible(this.#cursor)) this.#lookAt(this.#cursor);
    this.#draw();
    this.#tell(this.#cursor);
  }

  /** Chooses the square under the cursor. */
  press() {
    if (this.#cursor) this.events.choose(this.#cursor);
  }

  #tell(square) {
    this.events.hover(square, square && (this.byPlace?.get(`${square.x},${square.y}`) ?? null));
  }

  #measure() {
    const squares = [...(this.#board?.pieces ?? []), ...(this.#board?.enPassant ? [this.#board.enPassant] : []), ...this.#marks.last, ...this.#pins];
    this.#columns = new Axis(squares.map((square) => square.x), this.#fold);
    this.#rows = new Axis(squares.map((square) => square.y), this.#fold);
  }

  #middle() {
    const line = (axis, place) => {
      const here = axis.at(place);
      return here.fold ? here.fold.first : here.line;
    };
    return { x: line(this.#columns, this.#centre.x), y: line(this.#rows, this.#centre.y) };
  }

  #lookAt(square) {
    this.#centre = { x: this.#columns.place(square.x) + UNIT / 2n, y: this.#rows.place(square.y) + UNIT / 2n };
  }

  #fitting() {
    const [[left, right], [bottom, top]] = [this.#columns.ends, this.#rows.ends];
    const squares = (from, to) => Math.max(Number(to - from) / Number(UNIT), 1);
    // The rulers lie on the board; nothing should lie under them.
    const longest = (axis) => axis.runs.reduce((most, run) => Math.max(most, short(run.first).length, short(run.last).length), 1);
    const [rowRuler, columnText] = [rulerWidth(longest(this.#rows)), longest(this.#columns)];
    const across = (this.#size.width - rowRuler - 8) / squares(left, right);
    const fitted = (ruler) => Math.max(Math.min(across, (this.#size.height - ruler - 8) / squares(bottom, top), COMFORTABLE), 1e-280);
    const columnRuler = rulerHeight(columnText, fitted(FLAT_RULER));
    const scale = fitted(columnRuler);
    if (scale < SMALLEST_SQUARE) {
      // No rulers; and figures are larger than their squares.
      const room = (pixels, from, to) => (pixels - SMALLEST_FIGURE - 8) / squares(from, to);
      const small = Math.min(room(this.#size.width, left, right), room(this.#size.height, bottom, top), SMALLEST_SQUARE - 0.01);
      return { scale: Math.max(small, 1e-280), x: (left + right) / 2n, y: (bottom + top) / 2n };
    }
    const shift = (pixels) => BigInt(Math.round((pixels / 2 / scale) * Number(UNIT))) * (this.#flip ? -1n : 1n);
    return { scale, x: (left + right) / 2n - shift(rowRuler), y: (bottom + top) / 2n - shift(columnRuler) };
  }

  /** Thousandths of a square for some pixels. */
  #length(pixels) {
    return BigInt(Math.round((pixels / this.#scale) * Number(UNIT)));
  }

  /** The middle of a square in pixels. Far outside of the view it may be infinite. */
  #point(square) {
    const sign = this.#flip ? -1 : 1;
    const offset = (axis, line, centre) => (Number(axis.place(line) + UNIT / 2n - centre) / Number(UNIT)) * this.#scale * sign;
    return {
      x: this.#size.width / 2 + offset(this.#columns, square.x, this.#centre.x),
      y: this.#size.height / 2 - offset(this.#rows, square.y, this.#centre.y),
    };
  }

  #isVisible(square) {
    const { x, y } = this.#point(square);
    return x > 0 && y > 0 && x < this.#size.width && y < this.#size.height;
  }

  /** The square at a point in pixels; null on a fold. */
  #squareAt(point) {
    const sign = this.#flip ? -1 : 1;
    const column = this.#columns.at(this.#centre.x + this.#length((point.x - this.#size.width / 2) * sign));
    const row = this.#rows.at(this.#centre.y - this.#length((point.y - this.#size.height / 2) * sign));
    return column.fold || row.fold ? null : { x: column.line, y: row.line };
  }

  #resize() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    this.#size = { width, height };
    if (this.#board && !this.#touched) this.fit();
    this.#draw();
  }

  #draw() {
    if (this.#pending || this.#board === null) return;
    this.#pending = requestAnimationFrame(() => {
      this.#pending = 0;
      this.#render();
    });
  }

  #render() {
    const { width, height } = this.#size;
    const reach = (axis, centre, pixels) => [...axis.between(centre - this.#length(pixels / 2), centre + this.#length(pixels / 2), 600)];
    const detailed = this.#scale >= SMALLEST_SQUARE;
    const columns = detailed ? reach(this.#columns, this.#centre.x, width) : [];
    const rows = detailed ? reach(this.#rows, this.#centre.y, height) : [];
    this.svg.dataset.scale = this.#scale.toPrecision(4);
    put(this.scene,
      s('rect', { class: detailed ? 'light' : 'far', width, height }),
      detailed ? s('path', { class: 'dark', d: this.#darkSquares(columns, rows) }) : null,
      this.#marksBelow(),
      s('g', {}, ...this.#pieces()),
      this.#folds(columns, rows),
      this.#marksAbove(),
      this.#rulers(columns, rows));
  }

  #darkSquares(columns, rows) {
    const side = this.#scale;
    const xs = columns.filter((track) => !track.fold).map(({ line }) => [line & 1n, this.#point({ x: line, y: 0n }).x - side / 2]);
    let path = '';
    for (const { line, fold } of rows) {
      if (fold) continue;
      const y = this.#point({ x: 0n, y: line }).y - side / 2;
      for (const [odd, x] of xs) {
        if ((line & 1n) === odd) path += `M${x.toFixed(1)} ${y.toFixed(1)}h${side.toFixed(2)}v${side.toFixed(2)}h-${side.toFixed(2)}z`;
      }
    }
    return path;
  }

  #pieces() {
    const { width, height } = this.#size;
    const shown = [];
    for (const piece of this.#board.pieces) {
      const { x, y } = this.#point(piece);
      if (x > -this.#scale && y > -this.#scale && x < width + this.#scale && y < height + this.#scale) shown.push({ piece, x, y });
    }
    if (shown.length > MOST_FIGURES || (this.#scale < SMALLEST_SQUARE && shown.length > 400)) return this.#blocks(shown);
    const side = Math.max(this.#scale, SMALLEST_FIGURE);
    return shown.map(({ piece, x, y }) => s('g', { transform: `translate(${(x - side / 2).toFixed(2)} ${(y - side / 2).toFixed(2)}) scale(${side / GRID})` },
      this.shapes.draw(piece, true),
      piece.right && side >= 20 ? plus() : null));
  }

  /** Too many pieces for figures: one path of blocks for each player. */
  #blocks(shown) {
    const side = Math.max(this.#scale * 0.8, 3);
    const paths = new Map();
    for (const { piece, x, y } of shown) {
      const path = `M${(x - side / 2).toFixed(1)} ${(y - side / 2).toFixed(1)}h${side}v${side}h-${side}z`;
      paths.set(piece.player, (paths.get(piece.player) ?? '') + path);
    }
    return [...paths].map(([player, d]) => s('path', { d, fill: ink(player)[0], stroke: ink(player)[1], 'stroke-width': 0.5 }));
  }

  #box(square, attributes) {
    const { x, y } = this.#point(square);
    const side = Math.max(this.#scale, SMALLEST_FIGURE);
    if (!this.#isVisible(square) && !Number.isFinite(x + y)) return null;
    return s('rect', { x: x - side / 2, y: y - side / 2, width: side, height: side, ...attributes });
  }

  #marksBelow() {
    const group = s('g');
    for (const square of this.#marks.last) group.append(this.#box(square, { class: 'moved' }) ?? '');
    if (this.#marks.from) group.append(this.#box(this.#marks.from, { class: 'chosen' }) ?? '');
    return group;
  }

  #marksAbove() {
    const group = s('g');
    const circle = (square, radius, name) => {
      const { x, y } = this.#point(square);
      if (this.#isVisible(square)) group.append(s('circle', { cx: x, cy: y, r: Math.max(radius * this.#scale, 3), class: name }));
    };
    if (this.#board.enPassant) circle(this.#board.enPassant, 0.25, 'passing');
    for (const ray of this.#marks.rays) group.append(this.#ray(ray) ?? '');
    for (const square of this.#marks.targets) {
      const taken = this.byPlace.has(`${square.x},${square.y}`);
      circle(square, taken ? 0.44 : 0.16, taken ? 'capture' : 'target');
    }
    if (this.#cursor) group.append(this.#box(this.#cursor, { class: 'cursor' }) ?? '');
    return group;
  }

  /** Dots on the squares of a ray that are in the view; with folds in between only those near its start. */
  #ray(ray) {
    const { from, step, first, last } = ray;
    const group = s('g');
    const most = first + 400n;
    for (let k = first; (last === null || k <= last) && k < most; k++) {
      const square = { x: from.x + k * step.x, y: from.y + k * step.y };
      if (this.#columns.at(this.#columns.place(square.x)).fold || this.#rows.at(this.#rows.place(square.y)).fold) continue;
      if (!this.#isVisible(square)) break;
      if (!isOnRay(ray, square)) continue;
      const { x, y } = this.#point(square);
      const taken = this.byPlace.has(`${square.x},${square.y}`);
      group.append(s('circle', { cx: x, cy: y, r: Math.max((taken ? 0.44 : 0.13) * this.#scale, 2), class: taken ? 'capture' : 'target' }));
    }
    return group;
  }

  #folds(columns, rows) {
    const { width, height } = this.#size;
    const bands = (axis, tracks, upright) => tracks.filter(({ fold }) => fold).map(({ fold }) => {
      const centre = upright ? this.#centre.x : this.#centre.y;
      const sign = (this.#flip ? -1 : 1) * (upright ? 1 : -1);
      const pixels = (place) => (upright ? width : height) / 2 + (Number(place - centre) / Number(UNIT)) * this.#scale * sign;
      const [a, b] = [pixels(axis.place(fold.first)), pixels(axis.place(fold.last + 1n))].sort((p, q) => p - q);
      return { a, b, fold };
    });
    const [upright, flat] = [bands(this.#columns, columns, true), bands(this.#rows, rows, false)];
    const { left, below } = this.#rulerSize(columns, rows);
    // The names come last, and stand where no other fold crosses.
    const [beside, along] = [widest(flat, 0, height - below), widest(upright, left, width)];
    return s('g', { class: 'folds' },
      ...upright.flatMap(({ a, b, fold }) => drawFold(a, b, fold, true, height)), ...flat.flatMap(({ a, b, fold }) => drawFold(a, b, fold, false, width)),
      ...upright.map(({ a, b, fold }) => foldName((a + b) / 2, fold, true, beside)), ...flat.map(({ a, b, fold }) => foldName((a + b) / 2, fold, false, along)));
  }

  /** How much of the view the rulers take, and how many characters the names of columns have. */
  #rulerSize(columns, rows) {
    const longest = (tracks) => tracks.reduce((most, { line, fold }) => (fold ? most : Math.max(most, short(line).length)), 1);
    const columnText = longest(columns);
    return { left: rulerWidth(longest(rows)), below: rulerHeight(columnText, this.#scale), columnText };
  }

  #rulers(columns, rows) {
    if (this.#scale < SMALLEST_SQUARE) return null;
    const { width, height } = this.#size;
    const xs = columns.filter((track) => !track.fold).map(({ line }) => [short(line), this.#point({ x: line, y: 0n }).x]);
    const ys = rows.filter((track) => !track.fold).map(({ line }) => [short(line), this.#point({ x: 0n, y: line }).y]);
    const { left, below, columnText } = this.#rulerSize(columns, rows);
    const upright = below > FLAT_RULER;
    const every = Math.max(1, Math.ceil((upright ? 13 : columnText * 7 + 4) / this.#scale));
    const everyRow = Math.max(1, Math.ceil(13 / this.#scale));
    const group = s('g', { class: 'rulers' },
      s('rect', { width: left, height, class: 'ruler' }), s('rect', { x: left, y: height - below, width: width - left, height: below, class: 'ruler' }));
    xs.forEach(([text, x], index) => {
      if (index % every !== 0 || x < left + 4 || x > width - 2) return;
      const at = upright ? { transform: `translate(${x + 4} ${height - below + 4}) rotate(-90)`, 'text-anchor': 'end' } : { x, y: height - 5, 'text-anchor': 'middle' };
      group.append(s('text', at, text));
    });
    ys.forEach(([text, y], index) => {
      if (index % everyRow === 0 && y < height - below - 4 && y > 6) group.append(s('text', { x: left - 5, y: y + 4, 'text-anchor': 'end' }, text));
    });
    return group;
  }

  #listen() {
    const options = { signal: this.gestures.signal };
    const pointers = new Map();
    let moved = 0;
    const point = (event) => {
      const box = this.svg.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      this.zoom(Math.exp(-event.deltaY * lines * 0.0016), point(event));
    }, { ...options, passive: false });
    this.svg.addEventListener('pointerdown', (event) => {
      if (pointers.size === 0) moved = 0;
      pointers.set(event.pointerId, point(event));
      this.svg.setPointerCapture(event.pointerId);
    }, options);
    this.svg.addEventListener('pointermove', (event) => {
      const [before, now] = [pointers.get(event.pointerId), point(event)];
      if (!before) return this.#tell(this.#squareAt(now));
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) this.zoom(distance(now, other) / Math.max(distance(before, other), 1), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      moved += distance(before, now);
      pointers.set(event.pointerId, now);
      if (moved > 4) this.pan(before.x - now.x, before.y - now.y);
    }, options);
    const up = (event) => {
      const here = pointers.get(event.pointerId);
      pointers.delete(event.pointerId);
      const square = here && moved <= 4 && event.type === 'pointerup' && this.#squareAt(here);
      if (square) {
        this.#cursor = square;
        this.#draw();
        this.events.choose(square);
      }
    };
    this.svg.addEventListener('pointerup', up, options);
    this.svg.addEventListener('pointercancel', up, options);
    this.svg.addEventListener('pointerleave', () => this.#tell(this.#cursor), options);
  }
}

/** The height of a ruler whose names lie flat. */
const FLAT_RULER = 18;
/** The width of a ruler for names of so many characters. */
const rulerWidth = (characters) => characters * 6.6 + 8;
/** The height of the ruler below: long names of columns stand upright where squares are narrow. */
const rulerHeight = (characters, scale) => (characters > 5 && characters * 7 > scale + 2 ? rulerWidth(characters) : FLAT_RULER);

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** The line one step further; a fold is left on its other side. */
function skip(axis, line, step) {
  const next = line + step;
  const { fold } = axis.at(axis.place(next));
  return step === 0n || !fold ? next : step > 0n ? fold.last + 1n : fold.first - 1n;
}

const PLUS = 'M35.5 7h7M39 3.5v7';
const plus = () => s('g', { fill: 'none', 'stroke-linecap': 'round' }, s('path', { d: PLUS, stroke: '#fff', 'stroke-width': 4 }), s('path', { d: PLUS, stroke: '#2e7d4f', 'stroke-width': 2.2 }));

/** A band with torn edges from `a` to `b` pixels across a picture of some length. */
function drawFold(a, b, fold, upright, length) {
  const tooth = 12;
  const teeth = Math.ceil(length / tooth);
  const at = (across, along) => (upright ? `${across.toFixed(1)} ${along}` : `${along} ${across.toFixed(1)}`);
  const edge = (base) => Array.from({ length: teeth + 1 }, (_, i) => at(base + (i % 2 ? 4 : 0), i * tooth));
  const [first, second] = [edge(a), edge(b - 4)];
  return [
    s('path', { class: 'band', d: `M${first.join(' ')} ${second.reverse().join(' ')}z` }, s('title', {}, `${upright ? 'columns' : 'rows'} ${fold.first} to ${fold.last} are empty`)),
    s('path', { class: 'torn', d: `M${first.join(' ')}M${second.join(' ')}` }),
  ];
}

/** How many lines a fold hides, on the middle of its band and of a stretch along it. */
function foldName(middle, fold, upright, along) {
  const number = fold.last - fold.first + 1n;
  const at = upright ? { transform: `translate(${middle + 4} ${along}) rotate(-90)` } : { x: along, y: middle + 4 };
  return s('text', { ...at, 'text-anchor': 'middle' }, `${short(number, 12)} ${upright ? 'column' : 'row'}${number === 1n ? '' : 's'}`);
}

/** The middle of the longest stretch between two pixels that no band crosses. */
function widest(bands, from, to) {
  let [start, best] = [from, [from, from]];
  for (const { a, b } of [...bands, { a: to, b: to }].sort((p, q) => p.a - q.a)) {
    if (Math.min(a, to) - start > best[1] - best[0]) best = [start, Math.min(a, to)];
    start = Math.max(start, b);
  }
  return (best[0] + best[1]) / 2;
}
