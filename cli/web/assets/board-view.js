// A board with its tools: turn, fit, zoom, fold, go to a square; what is under the pointer; the position in words.

import { playerName, readBoard, SIDES } from './cpn.js';
import { capital, counted, h, put, s } from './dom.js';
import { icon } from './icons.js';
import { readSquare } from './label.js';
import { OpenBoard } from './open-board.js';
import { moveSquare, PlainBoard, squareName, squareOf } from './plain-board.js';
import { readRay } from './rays.js';

/** The most pieces that are listed in words. */
const MOST_WORDS = 1000;
const PAN = 80;

export class BoardView {
  #view = null;
  #board = null;
  #flip = false;
  #fold = true;
  /** Who is to move, in words. */
  turn = '';

  /**
   * @param {{ choose?: (square: string) => void, take?: (piece: object) => void }} events `choose` gets a square as moves write it,
   *   `take` a piece in hand
   */
  constructor(events = {}) {
    this.events = events;
    this.svg = s('svg', { class: 'board', 'aria-hidden': 'true', focusable: 'false' });
    this.readout = h('output', { class: 'readout', 'aria-live': 'polite' }, ' ');
    this.words = h('div', { class: 'words' });
    this.frame = h('div', {
      class: 'board-frame', tabindex: 0, role: 'application', 'aria-roledescription': 'board', 'aria-label': 'Board', 'aria-describedby': 'board-keys', on: { keydown: (event) => this.#key(event) },
    }, this.svg);
    this.element = h('section', { class: 'board-view', 'aria-label': 'Board' },
      this.frame,
      h('p', { id: 'board-keys', class: 'hidden' }, 'Keys W, A, S and D move the cursor, Enter chooses the square, Shift with an arrow moves the view, plus and minus zoom.'),
      h('div', { class: 'under' }, this.#tools(), this.readout));
    /** The text alternative of the board; whoever shows the board puts it where there is room. */
    this.inWords = h('details', { class: 'fine' }, h('summary', {}, 'Position in words'), this.words);
  }

  /**
   * Shows a position.
   * @param {import('./source').Position} position
   * @param {import('./source').Move | null} last the move that led to it
   */
  show(position, last) {
    const board = attempt(() => readBoard(position.cpn));
    if (board === null) {
      this.readout.textContent = 'This board cannot be drawn.';
      return;
    }
    if (this.#view === null || this.#board.open !== board.open) this.#change(board.open);
    this.#board = board;
    this.frame.classList.toggle('open', board.open);
    this.frame.classList.toggle('tall', !board.open && board.rows > board.columns);
    this.#view.show(board, this.#squaresOf(last));
    const side = position.turn === 'white' ? board.sides[0] : position.turn === 'black' ? board.sides[1] : position.turn;
    this.turn = `${capital(side)} to move`;
    this.frame.setAttribute('aria-label', `Board. ${this.turn}, ${counted(board.pieces.length, 'piece')}.`);
    this.#describe(board);
    this.#say(null, null);
  }

  /** Shows where a piece may go. Squares and rays are those of an answer about legal moves. */
  mark(from, targets, rays, held = null) {
    const square = (text) => this.#square(text);
    this.#view.mark(from === null ? null : square(from), targets.map(square).filter(Boolean), rays.map(readRay), held);
  }

  /** The piece on a square, given as moves write it. */
  pieceOn(text) {
    const square = this.#square(text);
    return square === null ? null : (this.#view.byPlace.get(`${square.x},${square.y}`) ?? null);
  }

  pan(right, down) {
    this.#view?.pan(right * PAN, down * PAN);
  }

  goTo(square) {
    this.#view?.goTo(square);
  }

  get isOpen() {
    return this.#board?.open ?? false;
  }

  /** What the players are called. */
  get sides() {
    return this.#board?.sides ?? SIDES.western;
  }

  #change(open) {
    this.#view?.destroy();
    const events = {
      hover: (square, piece) => this.#say(square, piece),
      choose: (square) => this.events.choose?.(open ? `${square.x},${square.y}` : moveSquare(square)),
      take: (piece) => this.events.take?.(piece),
    };
    this.#view = open ? new OpenBoard(this.svg, events) : new PlainBoard(this.svg, events);
    this.#view.flip = this.#flip;
    this.#view.fold = this.#fold;
    for (const tool of this.openTools) tool.hidden = !open;
  }

  #square(text) {
    return this.#board.open ? readSquare(text) : squareOf(this.#board, text);
  }

  #squaresOf(move) {
    if (!move) return [];
    if (this.#board.open) return [move.from, move.to].filter(Boolean).map((text) => readSquare(text));
    const squares = (move.uci ?? '').match(/[a-z]\d{1,2}/g) ?? [];
    return squares.map((text) => squareOf(this.#board, text)).filter(Boolean);
  }

  #tools() {
    const tool = (sign, text, title, act) => h('button', { type: 'button', class: 'tool', title, 'aria-label': title, on: { click: act } }, icon(sign), text);
    const flip = tool('flip', 'Flip', 'Flip the board', () => {
      this.#flip = !this.#flip;
      flip.setAttribute('aria-pressed', this.#flip);
      if (this.#view) this.#view.flip = this.#flip;
    });
    flip.setAttribute('aria-pressed', 'false');
    const fold = tool('fold', 'Fold', 'Fold empty stretches', () => {
      this.#fold = !this.#fold;
      fold.setAttribute('aria-pressed', this.#fold);
      if (this.#view) this.#view.fold = this.#fold;
    });
    fold.setAttribute('aria-pressed', 'true');
    const field = h('input', { type: 'text', name: 'square', 'aria-label': 'Go to square x,y', placeholder: 'x,y', autocomplete: 'off', spellcheck: 'false', size: 12 });
    const go = h('form', {
      class: 'go', on: {
        submit: (event) => {
          event.preventDefault();
          const square = readSquare(field.value);
          field.setAttribute('aria-invalid', square === null);
          if (square) this.goTo(square);
          else this.readout.textContent = 'A square looks like 4,-2 or 10^15,7.';
        },
      },
    }, field, h('button', { class: 'tool' }, 'Go'));
    this.openTools = [
      tool('fit', 'Fit', 'Fit everything into the view', () => this.#view?.fit()), fold,
      tool('in', '', 'Zoom in', () => this.#view?.zoom(1.4)), tool('out', '', 'Zoom out', () => this.#view?.zoom(1 / 1.4)), go,
    ];
    return h('div', { class: 'tools', role: 'group', 'aria-label': 'View of the board' }, flip, ...this.openTools);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.#view === null) return;
    const steps = { w: [0, 1], a: [-1, 0], s: [0, -1], d: [1, 0] };
    const step = steps[event.key.toLowerCase()];
    if (step) this.#view.step(...step);
    else if (event.key === 'Enter' && this.cursor) this.#view.press();
    else if (event.key === '+') this.#view.zoom(1.4);
    else if (event.key === '-') this.#view.zoom(1 / 1.4);
    else return;
    event.preventDefault();
    // Enter without a cursor goes on to the page, which plays the chosen move.
    event.stopPropagation();
    if (step) this.cursor = true;
  }

  #say(square, piece) {
    if (square === null) {
      this.readout.textContent = `${this.turn} · ${counted(this.#board?.pieces.length ?? 0, 'piece')}`;
      this.cursor = false;
      return;
    }
    const name = this.#board.open ? `${square.x},${square.y}` : squareName(this.#board, square);
    this.readout.textContent = piece ? `${name} · ${piece.name}${piece.right ? ' with its special right' : ''}` : name;
  }

  #describe(board) {
    const lists = new Map();
    for (const piece of board.pieces.slice(0, MOST_WORDS)) {
      const place = board.open ? `${piece.x},${piece.y}` : squareName(board, piece);
      const owner = board.open ? playerName(piece.player) : board.sides[piece.player - 1];
      const name = piece.name.replace(`${owner} `, '');
      if (!lists.has(owner)) lists.set(owner, []);
      lists.get(owner).push(`${name} ${place}${piece.right ? '+' : ''}`);
    }
    const more = board.pieces.length - MOST_WORDS;
    const held = board.hand.map(({ piece, count }) => `${count} × ${piece.name}`);
    put(this.words,
      h('p', {}, `${this.turn}.`),
      ...[...lists].map(([owner, pieces]) => h('p', {}, h('strong', {}, `${capital(owner)}: `), pieces.join(', '), '.')),
      held.length > 0 ? h('p', {}, h('strong', {}, 'In hand: '), held.join(', '), '.') : null,
      board.enPassant ? h('p', {}, `En passant on ${board.open ? `${board.enPassant.x},${board.enPassant.y}` : squareName(board, board.enPassant)}.`) : null,
      more > 0 ? h('p', {}, `And ${counted(more, 'piece')} more.`) : null);
  }
}

const attempt = (work) => {
  try {
    return work();
  } catch {
    return null;
  }
};
