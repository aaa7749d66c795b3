// Finite boards: Western chess and Makruk, Shogi with hands, Xiangqi and Janggi with river and palaces, and any other board.

import { put, s } from './dom.js';
import { letters } from './label.js';
import { GRID, Shapes } from './pieces.js';

const EDGE = 20;
const HAND = 44;

/** What a square of a finite board is called, as its rulers do: `e4`; `7g` in Shogi. */
export function squareName(board, { x, y }) {
  return columnName(board, Number(x)) + rowName(board, Number(y));
}

/** The square that a move means, such as `e4`: letters from the left, ranks from the bottom. Null if it is not on the board. */
export function squareOf(board, name) {
  const match = /^([a-z])(\d{1,2})$/.exec(name);
  if (match === null) return null;
  const square = { x: BigInt(match[1].charCodeAt(0) - 96), y: BigInt(match[2]) };
  return square.x <= board.columns && square.y >= 1n && square.y <= board.rows ? square : null;
}

/** How moves write a square. */
export const moveSquare = ({ x, y }) => letters(Number(x)) + y;

const columnName = (board, x) => (board.labels === 'shogi' ? String(board.columns + 1 - x) : letters(x));
const rowName = (board, y) => (board.labels === 'shogi' ? letters(board.rows + 1 - y) : String(y));

export class PlainBoard {
  #board = null;
  #marks = { last: [], from: null, targets: [], held: null };
  #cursor = null;
  #flip = false;

  constructor(svg, events) {
    this.svg = svg;
    this.events = events;
    this.shapes = new Shapes();
    this.scene = s('g');
    put(svg, this.shapes.element, this.scene);
    this.gestures = new AbortController();
    const options = { signal: this.gestures.signal };
    svg.addEventListener('pointermove', (event) => this.#tell(this.#squareAt(event)), options);
    svg.addEventListener('pointerleave', () => this.#tell(this.#cursor), options);
    svg.addEventListener('click', (event) => {
      const square = this.#squareAt(event);
      if (square) this.events.choose(square);
    }, options);
  }

  destroy() {
    this.gestures.abort();
    this.svg.removeAttribute('viewBox');
  }

  show(board, last = []) {
    this.#board = board;
    this.#marks = { last, from: null, targets: [], held: null };
    this.#cursor = null;
    this.byPlace = new Map(board.pieces.map((piece) => [`${piece.x},${piece.y}`, piece]));
    this.#render();
  }

  mark(from, targets, _rays, held = null) {
    this.#marks = { ...this.#marks, from, targets, held };
    this.#render();
  }

  set flip(flip) {
    this.#flip = flip;
    if (this.#board) this.#render();
  }

  set fold(_fold) {}

  get scale() {
    return GRID;
  }

  fit() {}

  pan() {}

  zoom() {}

  goTo(square) {
    if (!this.#isOn(square)) return;
    this.#cursor = square;
    this.#render();
    this.#tell(square);
  }

  step(right, up) {
    const sign = this.#flip ? -1 : 1;
    const from = this.#cursor ?? { x: 1n, y: 1n };
    const moved = this.#cursor ? { x: from.x + BigInt(right * sign), y: from.y + BigInt(up * sign) } : from;
    if (this.#isOn(moved)) this.goTo(moved);
  }

  press() {
    if (this.#cursor) this.events.choose(this.#cursor);
  }

  #isOn({ x, y }) {
    return x >= 1n && y >= 1n && x <= this.#board.columns && y <= this.#board.rows;
  }

  #tell(square) {
    this.events.hover(square, square && (this.byPlace?.get(`${square.x},${square.y}`) ?? null));
  }

  #squareAt(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.#board) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [column, row] = [Math.floor((x - EDGE) / GRID), Math.floor((y - this.#top) / GRID)];
    const { columns, rows } = this.#board;
    const square = this.#flip ? { x: columns - column, y: row + 1 } : { x: column + 1, y: rows - row };
    const exact = { x: BigInt(square.x), y: BigInt(square.y) };
    return this.#isOn(exact) ? exact : null;
  }

  get #top() {
    return EDGE / 2 + (this.#board.hand.length > 0 ? HAND : 0);
  }

  /** The upper left corner of a square. */
  #corner({ x, y }) {
    const { columns, rows } = this.#board;
    const [column, row] = this.#flip ? [columns - Number(x), Number(y) - 1] : [Number(x) - 1, rows - Number(y)];
    return [EDGE + column * GRID, this.#top + row * GRID];
  }

  #render() {
    const board = this.#board;
    const hands = board.hand.length > 0 ? HAND : 0;
    const [width, height] = [board.columns * GRID + EDGE * 1.5, board.rows * GRID + EDGE * 1.5 + 2 * hands];
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.dataset.scale = '1';
    const box = (square, name) => {
      const [x, y] = this.#corner(square);
      return s('rect', { x, y, width: GRID, height: GRID, class: name });
    };
    put(this.scene,
      s('rect', { width, height, class: 'frame' }),
      ...this.#surface(),
      ...this.#marks.last.map((square) => box(square, 'moved')),
      this.#marks.from ? box(this.#marks.from, 'chosen') : null,
      ...board.pieces.map((piece) => this.#piece(piece, this.#corner(piece))),
      ...this.#hands(height),
      ...this.#marks.targets.map((square) => this.#target(square)),
      board.enPassant ? this.#circle(board.enPassant, 11, 'passing') : null,
      this.#cursor ? box(this.#cursor, 'cursor') : null,
      this.#labels(height - hands));
  }

  #piece(piece, [x, y]) {
    return s('g', { transform: `translate(${x} ${y})` }, this.shapes.draw(piece, (piece.player === 1) !== this.#flip));
  }

  #circle(square, r, name) {
    const [x, y] = this.#corner(square);
    return s('circle', { cx: x + GRID / 2, cy: y + GRID / 2, r, class: name });
  }

  #target(square) {
    return this.byPlace.has(`${square.x},${square.y}`) ? this.#circle(square, 19.5, 'capture') : this.#circle(square, 7, 'target');
  }

  #surface() {
    const { columns, rows, surface } = this.#board;
    const [width, height] = [columns * GRID, rows * GRID];
    const area = { x: EDGE, y: this.#top, width, height };
    if (surface === 'chequered') {
      let path = '';
      for (let row = 0; row < rows; row++) {
        for (let column = (row + rows + 1) % 2; column < columns; column += 2) path += `M${EDGE + column * GRID} ${this.#top + row * GRID}h${GRID}v${GRID}h-${GRID}z`;
      }
      // A board with an odd number of columns changes its colours when it is turned.
      const turn = this.#flip ? `rotate(180 ${EDGE + width / 2} ${this.#top + height / 2})` : null;
      return [s('rect', { ...area, class: 'light' }), s('path', { d: path, class: 'dark', transform: turn })];
    }
    return [s('rect', { ...area, class: 'wood' }), s('path', { d: surface === 'grid' ? this.#grid() : this.#crossings(), class: 'lines' })];
  }

  #grid() {
    const { columns, rows } = this.#board;
    let path = '';
    for (let row = 0; row <= rows; row++) path += `M${EDGE} ${this.#top + row * GRID}h${columns * GRID}`;
    for (let column = 0; column <= columns; column++) path += `M${EDGE + column * GRID} ${this.#top}v${rows * GRID}`;
    return path;
  }

  /** The lines of Xiangqi and Janggi go through the middle of the squares; those of Xiangqi stop at the river. */
  #crossings() {
    let path = '';
    const line = (x0, y0, x1, y1) => {
      const at = (x, y) => this.#corner({ x, y }).map((value) => value + GRID / 2).join(' ');
      path += `M${at(x0, y0)}L${at(x1, y1)}`;
    };
    for (let y = 1; y <= 10; y++) line(1, y, 9, y);
    for (let x = 1; x <= 9; x++) {
      if (this.#board.surface === 'janggi' || x === 1 || x === 9) line(x, 1, x, 10);
      else {
        line(x, 1, x, 5);
        line(x, 6, x, 10);
      }
    }
    for (const bottom of [1, 8]) {
      line(4, bottom, 6, bottom + 2);
      line(4, bottom + 2, 6, bottom);
    }
    return path;
  }

  #hands(height) {
    const drawn = [];
    for (const player of [1, 2]) {
      const top = (player === 2) !== this.#flip;
      const y = top ? 2 : height - HAND - 2;
      let x = EDGE;
      for (const { piece, count } of this.#board.hand.filter(({ piece }) => piece.player === player)) {
        const number = `×${count}`;
        const chosen = this.#marks.held === piece ? s('rect', { x, y, width: GRID, height: GRID, class: 'chosen' }) : null;
        drawn.push(s('g', { class: 'in-hand', on: { click: () => this.events.take(piece) } }, chosen, this.#piece(piece, [x, y]), s('text', { x: x + GRID - 4, y: y + 27, class: 'held' }, number), s('title', {}, `${count} ${piece.name} in hand`)));
        // Eight pixels for a character; all seven kinds of Shogi have room, with eighteen pawns.
        x += GRID - 5 + 8 * number.length;
      }
    }
    return drawn;
  }

  #labels(bottom) {
    const { columns, rows } = this.#board;
    const group = s('g', { class: 'rulers' });
    for (let x = 1; x <= columns; x++) {
      const [left] = this.#corner({ x, y: 1 });
      group.append(s('text', { x: left + GRID / 2, y: bottom - 6, 'text-anchor': 'middle' }, columnName(this.#board, x)));
    }
    for (let y = 1; y <= rows; y++) {
      const [, top] = this.#corner({ x: 1, y });
      group.append(s('text', { x: EDGE - 6, y: top + GRID / 2 + 4, 'text-anchor': 'end' }, rowName(this.#board, y)));
    }
    return group;
  }
}
