// boardprint in JavaScript: what the core answers as text, as objects.
//
// In a browser call `await init()` once before anything else; in node that has been done.

import { BoardprintError } from './error.js';
import init, { Question, asField, asText, ask, core, fetched, initSync, later, pack, packed, put, restarts } from './core.js';

export { BoardprintError, initSync };
export default init;

/** Answers a question about a record that is open. */
let answerRecord;

/** A record that was read once, for many questions. `free()` gives its memory back; so does the collector, later. */
export class Record {
  #record;
  #restarts = restarts;

  constructor(text, options) {
    this.#record = text instanceof core.Record ? text : ask(() => core.Record.open(put(text), pack(options)));
  }

  static {
    answerRecord = (record, question, options) => ask(() => record.#held.answer(question, options));
  }

  get #held() {
    if (this.#record === null || this.#restarts !== restarts) throw new BoardprintError({ kind: 'freed', message: 'this record was freed', hint: 'open it again' });
    return this.#record;
  }

  get plies() { return this.#held.plies; }

  read(options) { return read(this, options); }

  canon() { return canon(this); }

  cph(options) { return cph(this, options); }

  hashes(options) { return hashes(this, options); }

  gameHash() { return gameHash(this); }

  exactHash(options) { return exactHash(this, options); }

  convert(to, options) { return convert(this, to, options); }

  convertWithLoss(to, options) { return convertWithLoss(this, to, options); }

  positionAt(ply, options) { return positionAt(this, ply, options); }

  legalMoves(options) { return legalMoves(this, options); }

  check() { return check(this); }

  svg(options) { return svg(this, options); }

  play(moves) { return new Record(ask(() => this.#held.play(Array.isArray(moves) ? moves.join('|') : String(moves)))); }

  free() {
    if (this.#restarts === restarts) this.#record?.free();
    this.#record = null;
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.free(); }
}

/** Reads one record of any notation and keeps it for many questions. */
export const open = (text, options) => new Record(text, options);

/** Canonical ICN: two texts of the same game give the same one. */
export const canon = (text, options) => answer(Question.Canon, text, options);

/** The hash of a position (CPH): of the last one, or of the one after `options.ply` half-moves. */
export const cph = (text, options) => answer(Question.Hash, text, options);

/** The hash of every position of a game, the start first. */
export const hashes = (text, options) => answer(Question.Hashes, text, options).split('\n');

/** The hash of a whole game: start, laws and moves. */
export const gameHash = (text, options) => answer(Question.GameHash, text, options);

/** The hash of the canonical ICN of a position, counters and laws included. */
export const exactHash = (text, options) => answer(Question.ExactHash, text, options);

/** A record in another notation: `icn`, `json`, `cpn`, `fen`, `sfen`, `pgn`, `csa`, `kif`, `usi`, `uci`. */
export const convert = (text, to, options) => convertWithLoss(text, to, options).text;

/** As `convert`, with the list of what that notation does not carry. */
export const convertWithLoss = (text, to, options) => JSON.parse(answer(Question.Convert, text, options, pack({ to })));

/** Tags, moves, result, and warnings with their places. The objects of moves are made when somebody looks at them. */
export function read(text, options) {
  if (typeof text === 'string') {
    const reading = skimmed(text, options);
    if (reading !== null) return reading;
  }
  // By the time somebody looks a record may be gone, and hashes take longer than moves.
  const described = answer(Question.Read, text, options, text instanceof Record || options?.hashes ? MOVES : '');
  const end = described.indexOf('\n');
  const reading = JSON.parse(end < 0 ? described : described.slice(0, end));
  if (end >= 0) withMoves(reading, described);
  else if (reading.plies === 0 || text instanceof Record) reading.moves = [];
  else withMovesToRead(reading, { text: asText(text), options: { ...options } });
  return reading;
}

/** What a text in plain spelling holds, which the core finds without making a game of it; `null` if it is not plain. */
function skimmed(text, options) {
  let isIcn = false;
  for (const name in options) {
    if (name === 'from' && options.from === 'icn') isIcn = true;
    else if (options[name] !== undefined && options[name] !== null) return null;
  }
  if (!ask(() => core.skim_read(put(text), isIcn))) return null;
  const { text: described, plies, hasLetters, more } = fetched();
  const tags = JSON.parse(plies > 0 ? described.slice(0, described.indexOf('\n')) : described);
  const reading = { format: 'icn', game: 'infinite', variant: tags.find(({ name }) => name === 'Variant')?.value ?? null, tags, result: RESULTS[more], plies };
  // Letters are compared with the board when somebody asks for warnings.
  if (hasLetters) withWarnings(reading, text);
  else reading.warnings = [];
  if (plies > 0) withMoves(reading, described);
  else reading.moves = [];
  return reading;
}

const RESULTS = [null, '1-0', '0-1', '1/2-1/2', '*'];

const withWarnings = later('warnings', (text) => JSON.parse(answer(Question.Read, text, { from: 'icn' }).split('\n', 1)[0]).warnings);
const withMoves = later('moves', (described) => asMoves(described));
const withMovesToRead = later('moves', ({ text, options }) => asMoves(answer(Question.Read, text, options, MOVES)));

/** The position after so many half-moves (`Infinity` for the last one) in the notations of its board. */
export const positionAt = (text, ply, options) => JSON.parse(answer(Question.Position, text, { ...options, ply: asPly(ply) }));

/** The legal moves of a position; on the open board single moves, and rays in closed form. */
export const legalMoves = (text, options) => JSON.parse(answer(Question.Legal, text, options));

/** What is wrong with a record. A text that cannot be read is a finding, too; nothing is thrown for it. */
export const check = (text, options) => JSON.parse(answer(Question.Check, text, options));

/** A picture of a position as SVG. */
export const svg = (text, options) => answer(Question.Svg, text, options);

/** A game with more moves played at its end. The caller frees the new record. */
export function play(text, moves, options) {
  if (text instanceof Record) return text.play(moves);
  const record = new Record(text, options);
  try {
    return record.play(moves);
  } finally {
    record.free();
  }
}

/** The squares that a movement (`[1,2]|-/`) or a named piece (`rose`) reaches; with `to`, whether it reaches that one. */
export const piece = (movement, options) => JSON.parse(ask(() => core.piece(asText(movement), pack(options))));

/** The records of a text, each with its format, text and place. */
export const split = (text, options) => JSON.parse(ask(() => core.split(put(text), pack(options))));

/** The option that adds moves to the reading of a finite game. */
const MOVES = 'moves\u001ftrue\u001e';

/** The moves of a reading, which are on all lines but the first. */
const asMoves = (described) => described.split('\n').slice(1).map(asMove);

/** The move of a line: its text, and perhaps more fields behind it. */
function asMove(line, index) {
  const ply = index + 1;
  const end = line.indexOf('\u001f');
  const move = end < 0 ? line : line.slice(0, end);
  const arrow = move.indexOf('>');
  const equals = move.indexOf('=', arrow);
  const made = arrow < 0 ? { ply, move } : { ply, move, from: move.slice(0, arrow), to: equals < 0 ? move.slice(arrow + 1) : move.slice(arrow + 1, equals) };
  if (end >= 0) line.split('\u001f').forEach((field, place) => { if (place > 0 && field !== '') made[FIELDS[place]] = asField(field); });
  return made;
}

const FIELDS = ['move', 'uci', 'san', 'marks', 'comment', 'clock', 'hash'];

const asPly = (ply) => (ply === undefined || ply === Infinity ? 'last' : ply);

/** Options that say how a text is read; the others belong to the question. */
const READING = new Set(['from', 'game', 'dialect', 'strict', 'freeNames']);

/** Answers a question about a text or about a record that is open; `more` are options that the question brings. */
function answer(question, text, options, more = '') {
  let reading = '';
  let rest = more;
  for (const name in options) {
    if (READING.has(name)) reading += packed(name, options[name]);
    else rest += packed(name, options[name]);
  }
  if (text instanceof Record) return answerRecord(text, question, rest);
  return ask(() => core.answer(question, put(text), reading, rest));
}
