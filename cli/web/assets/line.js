// The line that is on the board: where it starts, its moves, how far it is played, and how to ask for each of its positions.

/** The longest text in the part of an address that is sent to a server. */
const LONGEST = 3000;

/** The start of Western chess, which needs no text. */
const USUAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** The text that says most about a position. */
export const notation = (position) => position.icn ?? position.fen ?? position.sfen ?? position.cpn;

/** The game whose rules decide, as questions name it. */
const gameOf = (position) => (position.game === 'other' ? undefined : position.game);

/**
 * A ply whose move is not legal in the line, because castling rights, clocks and laws are not part of a hash: the line goes on from
 * `base`, the position that the database has after it.
 * @typedef {import('./source').Move & { hash: string, stored: boolean, base?: import('./source').Position }} Ply
 */

export class Line {
  /**
   * @param {import('./source').Position} start
   * @param {Ply[]} plies
   * @param {{ given?: boolean, game?: import('./source').StoredGame | null, text?: string | null }} more `given`: the start is what
   *   somebody gave or a stored game has, not what the database has first under a hash
   */
  constructor(start, plies = [], { given = true, game = null, text = null } = {}) {
    this.start = start;
    this.plies = plies;
    this.given = given;
    this.game = game;
    this.text = text;
    this.ply = plies.length;
  }

  static ofGame(game) {
    return new Line(game.start, game.moves.map((move) => ({ ...move, stored: true })), { game });
  }

  /** From the answer to a question: its start and the moves that the text had. */
  static ofAnswer(answer, text) {
    const given = !['hash', 'prefix'].includes(answer.taken_as);
    return new Line(answer.start ?? answer.position, answer.line.map((move) => ({ ...move, stored: false })), { given, text });
  }

  /** The move that led to the position on the board. */
  get last() {
    return this.plies[this.ply - 1] ?? null;
  }

  get hash() {
    return this.last?.hash ?? this.start.hash;
  }

  get isUsual() {
    return this.start.game === 'western' && this.start.fen === USUAL;
  }

  /** Where the moves up to a ply can be played from: the start, or the base of one of them; and these moves. */
  #way(ply) {
    const plies = this.plies.slice(0, ply);
    const after = plies.findLastIndex((other) => other.base) + 1;
    return { from: plies[after - 1]?.base ?? this.start, moves: plies.slice(after).map((other) => other.move).join('|') };
  }

  /**
   * The question for the position on the board: by start and moves, because a hash may be that of several positions, with other
   * castling rights, clocks and laws; by its hash if nothing else is known of it.
   */
  question() {
    if (!this.given && this.ply === 0) return { position: this.start.hash };
    const { from, moves } = this.#way(this.ply);
    return { position: notation(from), play: moves, game: gameOf(from) };
  }

  /** A line that goes on with another move from here; the same one if that is its next move anyway. */
  played(move, stored) {
    const next = this.plies[this.ply];
    if (next?.move === move.move) {
      this.ply += 1;
      return this;
    }
    return new Line(this.start, [...this.plies.slice(0, this.ply), { ...move, stored }], { given: this.given });
  }

  /**
   * The address of the position on the board. It brings back what is on the board, moves included. Where there is a database, a
   * hash of it and the usual start need no text.
   */
  address(filters, hasDatabase = true) {
    const parameters = new URLSearchParams(filters);
    let fragment = '';
    if (this.game) {
      parameters.set('game', this.game.id);
      parameters.set('ply', this.ply);
    } else {
      const { from, moves } = this.#way(this.plies.length);
      const ply = this.ply - this.plies.length + (moves === '' ? 0 : moves.split('|').length);
      const text = new URLSearchParams();
      // Before its base a line cannot be played from there: the hash has to do.
      if (ply >= 0 && (this.given || this.plies.length > 0)) {
        if (!hasDatabase || from !== this.start || !this.isUsual) {
          text.set('text', notation(from));
          if (gameOf(from)) text.set('of', from.game);
        }
        if (moves !== '') {
          text.set('play', moves);
          text.set('ply', ply);
        }
      }
      // What follows # never leaves the browser, so no server minds its length.
      if (text.toString().length > LONGEST) fragment = `#${text}`;
      else for (const [name, value] of text) parameters.set(name, value);
    }
    const query = parameters.toString();
    return `/p/${this.hash}${query ? `?${query}` : ''}${fragment}`;
  }
}
