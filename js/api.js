// boardprint in JavaScript: what the core answers as text, as objects and errors.
//
// In a browser call `await init()` once before anything else; in node that has been done.

import load, * as core from './pkg/boardprint.js';
import { BoardprintError } from './error.js';

export { BoardprintError };

let ready = false;
let loading = null;

/**
 * Loads the core. Without an argument it is fetched from beside this module; an address, a response, bytes or a compiled module
 * take its place. Calling it again does nothing.
 */
export default async function init(source) {
  if (ready) return;
  loading ??= load({ module_or_path: source ?? new URL('./pkg/boardprint.wasm', import.meta.url) });
  try {
    await loading;
    ready = true;
  } finally {
    loading = null;
  }
}

/** Loads the core from bytes or a compiled module without waiting. */
export function initSync(bytes) {
  if (ready) return;
  core.initSync({ module: bytes });
  ready = true;
}

/** A record that was read once, for many questions. `free()` gives its memory back; so does the collector, later. */
export class Record {
  #held;

  constructor(text, options) {
    this.#held = text instanceof core.Record ? text : ask(() => core.Record.open(asText(text), pack(options)));
  }

  get plies() { return this.#held.plies; }

  read(options) { return object(() => this.#held.read(pack(options))); }

  canon() { return ask(() => this.#held.canon()); }

  cph(options) { return ask(() => this.#held.hash(pack(options))); }

  hashes(options) { return ask(() => this.#held.hashes(pack(options))).split('\n'); }

  gameHash() { return ask(() => this.#held.hash(pack({ of: 'game' }))); }

  exactHash(options) { return ask(() => this.#held.hash(pack({ ...options, of: 'exact' }))); }

  convert(to, options) { return this.convertWithLoss(to, options).text; }

  convertWithLoss(to, options) { return object(() => this.#held.convert(to, pack(options))); }

  positionAt(ply, options) { return object(() => this.#held.position(pack({ ...options, ply: asPly(ply) }))); }

  legalMoves(options) { return object(() => this.#held.legal(pack(options))); }

  check() { return object(() => this.#held.check()); }

  svg(options) { return ask(() => this.#held.svg(pack(options))); }

  play(moves) { return new Record(ask(() => this.#held.play(Array.isArray(moves) ? moves.join('|') : String(moves)))); }

  free() { this.#held.free(); }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.free(); }
}

/** Reads one record of any notation and keeps it for many questions. */
export const open = (text, options) => new Record(text, options);

/** Canonical ICN: two texts of the same game give the same one. */
export const canon = (text, options) => using(text, options, (record) => record.canon());

/** The hash of a position (CPH): of the last one, or of the one after `options.ply` half-moves. */
export function cph(text, options) {
  // The shortest way, for those who ask a hundred thousand times.
  if (options === undefined && typeof text === 'string') return ask(() => core.cph(text));
  return using(text, options, (record, rest) => record.cph(rest));
}

/** The hash of every position of a game, the start first. */
export const hashes = (text, options) => using(text, options, (record, rest) => record.hashes(rest));

/** The hash of a whole game: start, laws and moves. */
export const gameHash = (text, options) => using(text, options, (record) => record.gameHash());

/** The hash of the canonical ICN of a position, counters and laws included. */
export const exactHash = (text, options) => using(text, options, (record, rest) => record.exactHash(rest));

/** A record in another notation: `icn`, `json`, `cpn`, `fen`, `sfen`, `pgn`. */
export const convert = (text, to, options) => using(text, options, (record, rest) => record.convert(to, rest));

/** As `convert`, with the list of what that notation does not carry. */
export const convertWithLoss = (text, to, options) => using(text, options, (record, rest) => record.convertWithLoss(to, rest));

/** Tags, moves, result, and warnings with their places. */
export const read = (text, options) => using(text, options, (record, rest) => record.read(rest));

/** The position after so many half-moves (`Infinity` for the last one) in the notations of its board. */
export const positionAt = (text, ply, options) => using(text, options, (record, rest) => record.positionAt(ply, rest));

/** The legal moves of a position; on the open board single moves, and rays in closed form. */
export const legalMoves = (text, options) => using(text, options, (record, rest) => record.legalMoves(rest));

/** What is wrong with a record. A text that cannot be read is a finding, too; nothing is thrown for it. */
export function check(text, options) {
  if (text instanceof Record) return text.check();
  return object(() => core.check(asText(text), pack(options)));
}

/** A picture of a position as SVG. */
export const svg = (text, options) => using(text, options, (record, rest) => record.svg(rest));

/** A game with more moves played at its end. The caller frees the new record. */
export const play = (text, moves, options) => using(text, options, (record) => record.play(moves));

/** The squares that a movement (`[1,2]|-/`) or a named piece (`rose`) reaches; with `to`, whether it reaches that one. */
export const piece = (movement, options) => object(() => core.piece(asText(movement), pack(options)));

/** The records of a text, each with its format, text and place. */
export const split = (text, options) => object(() => core.split(asText(text), pack(options)));

/** Options that say how a text is read; the others belong to the question. */
const READING = new Set(['from', 'game', 'dialect', 'strict', 'freeNames']);

/** Answers a question about a text or about a record that is open. */
function using(text, options, question) {
  const [reading, rest] = [{}, {}];
  for (const [name, value] of Object.entries(options ?? {})) (READING.has(name) ? reading : rest)[name] = value;
  if (text instanceof Record) return question(text, rest);
  const record = new Record(text, reading);
  try {
    return question(record, rest);
  } finally {
    record.free();
  }
}

const object = (work) => JSON.parse(ask(work));

/** Asks the core; what it throws is a problem as JSON. */
function ask(work) {
  if (!ready) throw new Error('boardprint is not loaded yet: `await init()` first');
  try {
    return work();
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    throw new BoardprintError(JSON.parse(thrown));
  }
}

/** A text. The long form may also be given as an object. */
function asText(value) {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object') return JSON.stringify(value, exactly);
  throw new TypeError('boardprint reads strings, and objects of the JSON long form');
}

/** What JSON has no word for: numbers without end, and whole numbers of any size. */
export function exactly(name, value) {
  if (typeof value === 'bigint') return String(value);
  if (value === Infinity) return 'Infinity';
  return value;
}

const asPly = (ply) => (ply === undefined || ply === Infinity ? 'last' : ply);

/** Options as one text: pairs ended by U+001E, name and value parted by U+001F. */
function pack(options) {
  if (!options) return '';
  let text = '';
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    text += `${name}\u001f${Array.isArray(value) ? list(value) : value}\u001e`;
  }
  return text;
}

/** `[1, 1, 8, 8]` is one thing of several numbers, `['1,1', [8, 8]]` a list of squares. */
const list = (values) => values.map(String).join(values.every((value) => ['number', 'bigint'].includes(typeof value)) ? ',' : '|');
