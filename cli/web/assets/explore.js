// The explore page: a position on the board, what was played from it, and by whom.

import { BoardView } from './board-view.js';
import { brief, count, counted, facts, h, player, players, put } from './dom.js';
import { Filters } from './filters.js';
import { GameList } from './game-list.js';
import { readSquare } from './label.js';
import { Line, notation } from './line.js';
import { MoveLine, lastMoves } from './move-line.js';
import { MoveTable } from './move-table.js';
import { Notations } from './notations.js';
import { problemCard, prose, warningList } from './problem.js';
import { isOnRay, readRay } from './rays.js';
import { bar, legend } from './results.js';
import { SourceError } from './source-error.js';

const GAMES = 10;
/** Problems of a server, not of what it was asked. */
const NO_ANSWER = ['network', 'busy', 'too-many-requests', 'timeout', 'internal'];
/** The most games of a text that are offered. */
const OFFERED = 100;

/** What stands in the address of a page after its name, whatever it is: the source says what is wrong with it. */
export function named(path, page) {
  const text = new RegExp(`^/${page}/([^/]+)$`).exec(path)?.[1];
  if (text === undefined) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export class ExploreView {
  #line = null;
  #answer = null;
  #asking = new AbortController();
  #legal = null;
  #lines = new Map();
  #newest = 0;
  #whole = {};

  /**
   * @param {import('./source').Source} source
   * @param {{ say: (text: string) => void, remember: (address: string, state: object, replace: boolean) => void }} page what speaks
   *   to screen readers, and what keeps the address of the position: the history here, anything else on another page
   */
  constructor(source, page) {
    this.source = source;
    this.page = page;
    this.board = new BoardView({ choose: (square) => this.#choose(square), take: (piece) => this.#take(piece) });
    this.moveLine = new MoveLine({ go: (ply) => this.go(ply), step: (by) => this.step(by) });
    this.notations = new Notations(source);
    this.table = new MoveTable({ play: (move) => this.play(move), say: page.say });
    this.filters = new Filters(source, () => this.#filter());
    this.list = new GameList({ caption: 'Games with this position', open: (game) => this.openGame(game.id, game.ply), page: () => this.#refresh({}) });
    this.head = h('div', { class: 'head' });
    this.notice = h('div', { class: 'notice', role: 'alert' });
    this.choices = h('div', { class: 'choices', role: 'group', 'aria-label': 'Promotion' });
    this.tags = h('div', { class: 'tags' });
    this.side = h('div', { class: 'side' },
      h('section', { class: 'card', 'aria-labelledby': 'played' }, h('h2', { id: 'played' }, 'Moves'), this.head, this.filters.element, this.table.element),
      h('section', { class: 'card', 'aria-labelledby': 'games' }, h('h2', { id: 'games' }, 'Games'), this.list.element));
    this.side.hidden = !source.database;
    this.element = h('div', { class: 'explore' },
      h('h1', { class: 'hidden' }, 'Explore a position'),
      this.notice,
      h('div', { class: 'columns' }, h('div', { class: 'card board-card' }, this.tags, this.board.element, this.choices, this.moveLine.element, this.board.inWords), this.side, this.notations.element));
  }

  /** Shows what an address says. `state` is the entry of the history, if the address is from there. */
  async open(url, state) {
    const parameters = new URLSearchParams(url.search);
    for (const [name, value] of new URLSearchParams(url.hash.slice(1))) parameters.set(name, value);
    this.filters.value = this.filters.of(parameters);
    this.list.restart();
    const kept = this.#lines.get(state?.line);
    if (kept) {
      this.#line = kept;
      kept.ply = state.ply;
      return this.#refresh({ replace: true });
    }
    const hash = named(url.pathname, 'p');
    if (parameters.has('game')) return this.openGame(parameters.get('game'), parameters.get('ply'), true);
    if (parameters.has('text') || parameters.has('play')) return this.#openText(parameters);
    if (hash !== null) return this.ask(hash, { replace: true });
    return this.#openStart();
  }

  /** Asks again with other filters. Where they are refused, nothing stays that was counted with others. */
  async #filter() {
    if (await this.#refresh({ restart: true }) || this.#asking.signal.aborted || !this.notice.hasChildNodes()) return;
    put(this.head);
    this.table.clear();
    this.list.clear();
  }

  /** Takes any notation, a hash or moves. */
  async ask(text, { game, replace = false } = {}) {
    this.list.restart();
    return this.#attempt(text, async (signal) => {
      const answer = await this.#explore({ position: text, game }, signal);
      this.#line = Line.ofAnswer(answer, text);
      this.#whole = {};
      this.#show(answer, replace);
      if (answer.line.length > 0) this.#readWhole(text, game);
    }, game);
  }

  /** Opens a stored game at a ply. */
  async openGame(id, ply, replace = false) {
    await this.#attempt('', async (signal) => {
      const game = await this.source.game(id);
      signal.throwIfAborted();
      this.#line = Line.ofGame(game);
      // What is no number is none.
      this.#line.ply = Math.min(Math.max(Math.trunc(Number(ply ?? 0)) || 0, 0), game.moves.length);
      this.#whole = {};
      this.list.restart();
      await this.#load({ replace });
    });
  }

  /** Steps along the line. */
  step(by) {
    const ply = (this.#line?.ply ?? 0) + by;
    if (this.#line && ply >= 0 && ply <= this.#line.plies.length) this.go(ply);
  }

  /** Goes to a ply of the line. */
  async go(ply) {
    const line = this.#line;
    if (!line) return;
    const before = line.ply;
    line.ply = ply;
    this.list.restart();
    // What cannot be had stays undone; who went on meanwhile is further.
    if (await this.#refresh({ replace: true }) === false) line.ply = before;
  }

  /** Plays a move: one of the table, which has the hash of what it leads to, or one of the board, which has not. */
  async play(move) {
    const before = this.#line;
    const known = this.#answer.moves.find((other) => other.move === move.move) ?? move;
    const ply = before.ply;
    this.#line = before.played({ ...known, hash: known.hash ?? '' }, Boolean(known.hash));
    this.list.restart();
    const done = await this.#refresh({ replace: false });
    if (!done) {
      this.#line = before;
      before.ply = ply;
    }
  }

  /** Keys of the page; says whether it used the key. */
  key(event) {
    if (event.shiftKey) return this.#pan(event.key);
    if (event.key === 'ArrowLeft') this.step(-1);
    else if (event.key === 'ArrowRight') this.step(1);
    else if (event.key === 'ArrowDown') this.table.choose(1);
    else if (event.key === 'ArrowUp') this.table.choose(-1);
    else if (event.key === 'Enter') return this.table.playChosen();
    else if (event.key === 'Escape') this.#unmark();
    else return false;
    return true;
  }

  #pan(key) {
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!directions[key] || !this.board.isOpen) return false;
    this.board.pan(...directions[key]);
    return true;
  }

  /** The start of Western chess; if the database has other games only, the start of its first one. */
  async #openStart() {
    await this.#attempt('', async (signal) => {
      const answer = await this.#explore({}, signal);
      if (answer.occurrences === 0 && this.source.database && Object.keys(this.filters.value).length === 0) {
        const { games } = await this.source.games({ games: 1 }, signal);
        if (games.length > 0) return this.openGame(games[0].id, 0, true);
        signal.throwIfAborted();
        this.#line = Line.ofAnswer(answer, null);
        this.#show(answer, true);
        put(this.head, h('p', { class: 'muted' }, 'There are no games in the database yet.'));
        return;
      }
      this.#line = Line.ofAnswer(answer, null);
      this.#show(answer, true);
    });
  }

  async #openText(parameters) {
    const [text, play, game] = [parameters.get('text') ?? '', parameters.get('play') ?? '', parameters.get('of') ?? undefined];
    await this.#attempt(text, async (signal) => {
      const answer = await this.#explore({ position: text, play, game }, signal);
      this.#line = Line.ofAnswer(answer, text);
      const ply = Number(parameters.get('ply') ?? this.#line.plies.length);
      if (ply >= this.#line.plies.length || !(ply >= 0)) {
        this.#show(answer, true);
      } else {
        this.#line.ply = ply;
        await this.#load({ replace: true });
      }
      // A position of the open board with its moves is a text again.
      if (play !== '' && answer.position.game === 'infinite') this.#readWhole(`${text} ${play}`, game);
    });
  }

  /** The forms of a whole game are read after the position is shown, and its moves are checked: nobody waits for that. */
  async #readWhole(text, game) {
    const line = this.#line;
    const reading = await this.source.read(text, { game }).catch(() => null);
    if (this.#line !== line || !reading) return;
    const record = reading.records[0];
    this.#whole = record?.notations ?? {};
    // A page without a database has the findings beside the board.
    line.illegal = (this.source.database ? (record?.findings ?? []) : []).filter((finding) => finding.kind === 'illegal-move');
    this.notations.show(this.#answer.position, { game: line.game, whole: this.#whole });
    this.#warn();
  }

  /** What has to be known about the position on the board. */
  #warn() {
    const line = this.#line;
    put(this.notice,
      line.last?.base ? h('p', { class: 'warnings' }, 'This move is of another game than this line: castling rights, clocks and laws are those of the first game that has the position.') : null,
      line.illegal?.length > 0 ? h('div', { class: 'warnings' }, h('p', {}, 'Not every move is legal.'), h('ul', {}, ...line.illegal.map((finding) => h('li', {}, finding.ply ? `Ply ${finding.ply}: ` : null, ...prose(finding.message))))) : null,
      this.#answer.warnings.length > 0 ? warningList(this.#answer.warnings) : null);
  }

  async #refresh({ replace = true, restart = false }) {
    if (!this.#line) return false;
    if (restart) this.list.restart();
    return this.#attempt('', () => this.#load({ replace }));
  }

  /**
   * Asks for the position on the board. A move that other games have from a position with this hash need not be legal in this one,
   * and a stored game may be longer than a question: then the database says what it has under the hash.
   */
  async #load({ replace }) {
    const { signal } = this.#asking;
    const line = this.#line;
    let answer;
    try {
      answer = await this.#explore(line.question(), signal);
    } catch (error) {
      if (!line.last?.stored || !line.last.hash || !['unreadable', 'too-large', 'unsupported'].includes(error.problem?.kind)) throw error;
      answer = await this.#explore({ position: line.last.hash }, signal);
      line.last.base = answer.position;
    }
    if (line.last) line.last.hash = answer.position.hash;
    this.#show(answer, replace);
  }

  /** Asks under the filters; an answer that nobody waits for any more is dropped. */
  async #explore(question, signal) {
    const answer = await this.source.explore({ ...question, games: GAMES, cursor: this.list.cursor ?? undefined, ...this.filters.value }, signal);
    signal.throwIfAborted();
    return answer;
  }

  /** Says whether it was done: not if it failed, and null if something else was asked meanwhile. */
  async #attempt(text, work, game = undefined) {
    this.#asking.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.element.setAttribute('aria-busy', 'true');
    try {
      await work(asking.signal);
      return true;
    } catch (error) {
      if (error.name === 'AbortError') return null;
      if (!(error instanceof SourceError)) throw error;
      await this.#fail(error.problem, text, game);
      return false;
    } finally {
      if (this.#asking === asking) this.element.setAttribute('aria-busy', 'false');
    }
  }

  async #fail(problem, text, game) {
    put(this.notice, problemCard(problem, text));
    this.notice.scrollIntoView({ block: 'nearest' });
    if (problem.kind === 'several-games') return this.#offerGames(text, game);
    if (problem.kind !== 'ambiguous-prefix') return;
    const { positions } = await this.source.prefix(text.trim().toLowerCase()).catch(() => ({ positions: [] }));
    this.notice.append(h('ul', { class: 'prefix' }, ...positions.map(({ hash, occurrences }) => h('li', {}, h('a', { href: `/p/${hash}` }, hash), ` ${counted(occurrences, 'occurrence')}`))));
  }

  /** The games of a text, to choose one from. */
  async #offerGames(text, game) {
    const { records, more_records: more } = await this.source.read(text, { game, limit: OFFERED }).catch(() => ({ records: [] }));
    const offer = (record, index) => {
      const place = `Record ${record.record.record}`;
      if (record.error) return h('li', { value: index + 1 }, `${place}: ${record.error.message}`);
      const tag = (name) => record.tags.find((other) => other.name === name)?.value;
      const named = [tag('White'), tag('Black')].some(Boolean) ? players(tag('White'), tag('Black')) : place;
      const whole = record.notations[record.format] ?? Object.values(record.notations)[0];
      const open = () => this.ask(whole, { game });
      return h('li', { value: index + 1 }, h('button', { type: 'button', class: 'link', on: { click: open } }, named), h('span', { class: 'muted' }, ' ', ...facts(tag('Event'), tag('UTCDate') ?? tag('Date'), counted(record.moves.length, 'ply').replace('plys', 'plies'))));
    };
    this.notice.append(h('ol', { class: 'offered' }, ...records.map(offer)), more ? h('p', { class: 'muted' }, 'And more.') : '');
  }

  #show(answer, replace) {
    const line = this.#line;
    this.#answer = answer;
    this.#unmark();
    this.board.show(answer.position, line.last);
    this.moveLine.show(line, answer.position, this.board.sides);
    this.notations.show(answer.position, { game: line.game, whole: this.#whole });
    this.#warn();
    this.#showTags(line.game);
    put(this.head,
      h('p', { class: 'total' }, h('strong', {}, count(answer.occurrences)), ` occurrence${answer.occurrences === 1 ? '' : 's'} in ${counted(answer.game_count, 'game')}`),
      answer.occurrences > 0 ? bar(answer.results, answer.occurrences, this.board.sides) : h('p', { class: 'muted' }, Object.keys(this.filters.value).length > 0 ? 'No game under these filters has this position.' : 'This position is not in the database.'),
      answer.occurrences > 0 ? legend(this.board.sides) : null);
    this.table.show(answer, this.board.sides);
    this.list.show(answer.games, answer.nextCursor);
    this.#remember(line, answer, replace);
    this.page.say(`${this.board.turn}. ${counted(answer.occurrences, 'occurrence')}, ${counted(answer.moves.length, 'move')}.`);
  }

  #remember(line, answer, replace) {
    // Entries of the history name their line; the oldest lines are forgotten and come back from their address.
    const id = [...this.#lines].find(([, other]) => other === line)?.[0] ?? ++this.#newest;
    this.#lines.set(id, line);
    if (this.#lines.size > 200) this.#lines.delete(this.#lines.keys().next().value);
    const address = line.address(this.filters.value, this.source.database);
    this.page.remember(address, { line: id, ply: line.ply }, replace);
    document.title = `${title(line, answer.position, this.board.turn)} · boardprint`;
  }

  #showTags(game) {
    if (!game) return put(this.tags);
    const tag = (name) => game.tags.find((other) => other.name === name)?.value;
    const about = facts(tag('Event'), tag('UTCDate') ?? tag('Date'));
    put(this.tags,
      h('h2', {}, ...players(tag('White'), tag('Black'))),
      h('details', { class: 'fine' }, h('summary', {}, about.length > 0 ? about : 'Tags'),
        h('dl', {}, ...game.tags.flatMap(({ name, value }) => [h('dt', {}, name), h('dd', {}, value)]), h('dt', {}, 'Source'), h('dd', {}, `${game.record.path}, record ${game.record.record}`))));
  }

  /** A square was chosen: plays a move that ends there, or shows where its piece may go. */
  async #choose(square) {
    const legal = this.#legal;
    if (legal) {
      this.#unmark();
      const moves = movesTo(legal, square);
      if (moves.length === 1) return this.play(moves[0]);
      if (moves.length > 1) return this.#offer(moves);
      if (legal.from === square) return;
    }
    if (!this.board.pieceOn(square)) return;
    const found = await this.#movesFrom(square);
    if (found) this.#showMoves({ ...found, from: square });
  }

  /** A piece in hand was chosen: shows where it may be dropped. */
  async #take(piece) {
    const again = this.#legal?.held === piece;
    this.#unmark();
    if (again) return;
    const found = await this.#movesFrom();
    if (!found) return;
    // A drop is written as `P@e5`, and is one of the player to move.
    const mover = this.#answer.position.turn === 'white' ? 1 : 2;
    const isDrop = (move) => mover === piece.player && move.uci?.toLowerCase().startsWith(`${piece.code}@`);
    const moves = found.moves.filter(isDrop);
    this.#showMoves({ ...found, moves, count: moves.length, from: null, held: piece });
  }

  /** The legal moves of the position, or of the piece on a square; null if they cannot be had, or are not wanted any more. */
  async #movesFrom(square) {
    const answer = this.#answer;
    const found = await this.source.moves({ position: notation(answer.position), from: square, game: answer.position.game === 'other' ? undefined : answer.position.game }).catch((error) => {
      if (!(error instanceof SourceError)) throw error;
      // That a board has no known rules is nothing to complain of.
      if (NO_ANSWER.includes(error.problem.kind) && this.#answer === answer) this.#fail(error.problem, '');
      return null;
    });
    return this.#answer === answer ? found : null;
  }

  #showMoves(legal) {
    this.#legal = legal;
    this.board.mark(legal.from, legal.moves.map(targetOf).filter(Boolean), legal.rays, legal.held);
    this.page.say(legal.count === 0 ? 'This piece has no legal move.' : legal.count === null ? 'Moves without end.' : `${counted(legal.count, 'legal move')}.`);
  }

  #offer(moves) {
    // Enter takes the first one.
    const isQueen = (move) => /=q\b/i.test(move.san ?? move.move);
    moves.sort((a, b) => isQueen(b) - isQueen(a));
    put(this.choices, h('span', {}, 'Which move? '), ...moves.map((move) => h('button', { type: 'button', class: 'tool', on: { click: () => this.play(move) } }, move.san ?? move.move)));
    this.choices.querySelector('button').focus();
  }

  #unmark() {
    put(this.choices);
    if (this.#legal) this.board.mark(null, [], []);
    this.#legal = null;
  }
}

const GAME_NAMES = { infinite: 'Open board', western: 'Western chess', makruk: 'Makruk', shogi: 'Shogi', xiangqi: 'Xiangqi', janggi: 'Janggi' };

/** What is on the board, in a few words: the game, the moves, or which position it is. */
function title(line, position, turn) {
  if (line.game) {
    const tag = (name) => line.game.tags.find((other) => other.name === name)?.value;
    return `${brief(player(tag('White') ?? tag('Red')))} – ${brief(player(tag('Black')))}, ply ${line.ply}`;
  }
  if (line.ply > 0) return lastMoves(line);
  if (line.isUsual) return 'Start of Western chess';
  return `${GAME_NAMES[position.game] ?? 'Board'}, ${turn.charAt(0).toLowerCase()}${turn.slice(1)} (${position.hash.slice(0, 8)})`;
}

const targetOf = (move) => move.to ?? /[a-z]\d{1,2}$/.exec((move.uci ?? '').replace(/[a-z+]$/, ''))?.[0] ?? null;

/** The moves of an answer that end on a square, those of rays too. */
function movesTo(legal, square) {
  const moves = legal.moves.filter((move) => targetOf(move) === square);
  if (moves.length > 0) return moves;
  const target = readSquare(square);
  return target === null ? [] : legal.rays.filter((ray) => isOnRay(readRay(ray), target)).map((ray) => ({ move: `${ray.from}>${square}`, from: ray.from, to: square })).slice(0, 1);
}
