// The line that is on the board: where it starts, its moves, how far it is played, and how to ask for each of its positions.

/** The longest text in the part of an address that is sent to a server. */
const LONGEST = 3000;

/** The text that says most about a position. */
export const notation = (position) => position.icn ?? position.fen ?? position.sfen ?? position.cpn;

export class Line {
  /**
   * @param {import('./source').Position} start
   * @param {(import('./source').Move & { hash: string, stored: boolean })[]} plies
   * @param {{ stored?: boolean, game?: import('./source').StoredGame | null, text?: string | null }} more
   */
  constructor(start, plies = [], { stored = false, game = null, text = null } = {}) {
    this.start = start;
    this.plies = plies;
    this.startStored = stored;
    this.game = game;
    this.text = text;
    this.ply = plies.length;
  }

  static ofGame(game) {
    return new Line(game.start, game.moves.map((move) => ({ ...move, stored: true })), { stored: true, game });
  }

  /** From the answer to a question: its start and the moves that the text had. */
  static ofAnswer(answer, text) {
    const stored = ['hash', 'prefix'].includes(answer.taken_as) || (answer.line.length === 0 && answer.occurrences > 0);
    return new Line(answer.start ?? answer.position, answer.line.map((move) => ({ ...move, stored: false })), { stored, text });
  }

  /** The move that led to the position on the board. */
  get last() {
    return this.plies[this.ply - 1] ?? null;
  }

  get hash() {
    return this.last?.hash ?? this.start.hash;
  }

  get moves() {
    return this.plies.slice(0, this.ply).map((ply) => ply.move).join('|');
  }

  /** The question for the position on the board: its hash if that is stored, else start and moves. */
  question(byText = false) {
    const stored = this.last ? this.last.stored : this.startStored;
    if (stored && !byText) return { position: this.hash };
    return { position: notation(this.start), play: this.moves, game: this.start.game === 'other' ? undefined : this.start.game };
  }

  /** A line that goes on with another move from here; the same one if that is its next move anyway. */
  played(move, stored) {
    const next = this.plies[this.ply];
    if (next?.move === move.move) {
      this.ply += 1;
      return this;
    }
    const line = new Line(this.start, [...this.plies.slice(0, this.ply), { ...move, stored }], { stored: this.startStored });
    return line;
  }

  /** The address of the position on the board. */
  address(isStored, filters) {
    const parameters = new URLSearchParams(filters);
    let fragment = '';
    if (this.game) {
      parameters.set('game', this.game.id);
      parameters.set('ply', this.ply);
    } else if (!isStored) {
      const text = new URLSearchParams({ text: notation(this.start) });
      if (this.start.game !== 'other') text.set('of', this.start.game);
      if (this.plies.length > 0) {
        text.set('play', this.plies.map((ply) => ply.move).join('|'));
        text.set('ply', this.ply);
      }
      // What follows # never leaves the browser, so no server minds its length.
      if (text.toString().length > LONGEST) fragment = `#${text}`;
      else for (const [name, value] of text) parameters.set(name, value);
    }
    const query = parameters.toString();
    return `/p/${this.hash}${query ? `?${query}` : ''}${fragment}`;
  }
}
