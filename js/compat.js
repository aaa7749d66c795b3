// The functions of FormatConverter.js by their own names and arguments, answered by the core.
//
// The long form is an object here, as it was there: pieces and rights are written in the order in which the object has them.

import { BoardprintError, Record, convert } from './api.js';
import { asField, ask, core, exactly, fetched, put, restarts } from './core.js';

/** Codes and names of pieces; upper case and `W` are white, lower case and `B` black, `N` nobody. */
const KINDS = {
  k: 'kings', p: 'pawns', n: 'knights', b: 'bishops', r: 'rooks', q: 'queens', am: 'amazons', ha: 'hawks', ch: 'chancellors', ar: 'archbishops',
  gu: 'guards', ca: 'camels', gi: 'giraffes', ze: 'zebras', ce: 'centaurs', rq: 'royalQueens', rc: 'royalCentaurs', nr: 'knightriders',
  hu: 'huygens', ro: 'roses', ob: 'obstacles', vo: 'voids',
};
const CODES = Object.fromEntries(Object.entries(KINDS).map(([code, name]) => [name, code]));
const NEUTRAL = new Set(['ob', 'vo']);
const USUAL = ['queens', 'rooks', 'bishops', 'knights'];

const unknown = (message) => new BoardprintError({ kind: 'unknown-piece', message });

/** `queensW` → `Q` */
export function LongToShort_Piece(longpiece) {
  const [, name, owner] = /^(.*?)([WBN]|\d+)$/.exec(longpiece) ?? [];
  const code = Object.hasOwn(CODES, name ?? '') ? CODES[name] : undefined;
  if (code === undefined || (owner === 'N') !== NEUTRAL.has(code)) throw unknown(`unknown piece \`${longpiece}\``);
  if (/\d/.test(owner)) return owner + code;
  return owner === 'W' ? code.toUpperCase() : code;
}

/** `Q` → `queensW` */
export function ShortToLong_Piece(shortpiece) {
  const [, owner, code] = /^(\d*)([A-Za-z]+)$/.exec(shortpiece) ?? [];
  const lower = code?.toLowerCase();
  const same = code === lower || code === code?.toUpperCase();
  if (!same || !Object.hasOwn(KINDS, lower ?? '')) throw unknown(`unknown piece \`${shortpiece}\``);
  if (owner) return KINDS[lower] + owner;
  return KINDS[lower] + (NEUTRAL.has(lower) ? 'N' : code === lower ? 'B' : 'W');
}

/** A move of the older form as `a,b>c,dX`. */
export function LongToShort_CompactMove(longmove) {
  const { startCoords, endCoords, promotion } = longmove;
  for (const square of [startCoords, endCoords]) {
    if (!/^-?\d+,-?\d+$/.test(square)) throw new BoardprintError({ kind: 'syntax', message: `\`${square}\` is not a square \`[4,2]\` or \`"4,2"\`` });
  }
  return `${startCoords}>${endCoords}${promotion ? LongToShort_Piece(promotion) : ''}`;
}

/** `a,b>c,dX` as a move of the older form; its squares are strings. */
export function ShortToLong_CompactMove(shortmove) {
  const [, startCoords, endCoords, promoted] = /^(-?\d+,-?\d+)>(-?\d+,-?\d+)=?(\d*[A-Za-z]+)?$/.exec(shortmove.trim()) ?? [];
  if (startCoords === undefined) throw new BoardprintError({ kind: 'syntax', message: `\`${shortmove}\` is not a move \`a,b>c,dX\`` });
  return promoted ? { startCoords, endCoords, promotion: ShortToLong_Piece(promoted) } : { startCoords, endCoords };
}

/** Pieces and rights of the long form as a list in ICN. */
export function LongToShort_Position(position, specialRights = {}) {
  return Object.entries(position ?? {}).map(([square, name]) => `${LongToShort_Piece(name)}${square}${specialRights?.[square] ? '+' : ''}`).join('|');
}

/**
 * A game or position of the long form in ICN.
 * @param compact_moves 0: numbered and decorated, 1: decorated, 2: bare; or an object with these arguments by name
 */
export function LongToShort_Format(longformat, compact_moves = 0, make_new_lines = true) {
  if (typeof compact_moves === 'object' && compact_moves !== null) ({ compact_moves = 0, make_new_lines = true } = compact_moves);
  compact_moves = Number(compact_moves);
  const moves = longformat.moves ? playedMoves(longformat) : null;
  const line = make_new_lines ? '\n' : ' ';
  const tags = Object.entries(longformat.metadata ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = tags.map(([name, value]) => `[${name} "${value}"]${line}`).join('') + (longformat.metadata ? line : '');
  const { startingPosition, specialRights } = longformat;
  const pieces = typeof startingPosition === 'string' ? startingPosition : LongToShort_Position(startingPosition, specialRights);
  const head = [...(isBeyond(longformat) ? canonicalFields(longformat) : fields(longformat)), pieces].join(' ');
  if (moves === null) {
    // Nothing was played; that the rest can be read is worth a look.
    opened(longformat, () => null);
    return text + head;
  }
  return text + head + line + line + writeMoves(moves, longformat, compact_moves, make_new_lines);
}

/**
 * ICN as an object of the long form; moves are strings. With a second argument moves are objects of the older form, as the function of
 * that time gave them: `true` with what a replay says of them, `false` with their squares alone; the third says whether `+` and `#` count.
 */
export function ShortToLong_Format(shortformat, reconstruct_optional_move_flags = undefined, trust_check_and_mate_symbols = true) {
  if (reconstruct_optional_move_flags === undefined) return inParts(shortformat);
  const long = withRanks(JSON.parse(convert(icn(shortformat), 'json', { from: 'icn', moves: 'objects' })));
  if (long.moves) long.moves = long.moves.map((move) => bare(move, reconstruct_optional_move_flags, trust_check_and_mate_symbols));
  return long;
}

/** A text of ICN; an object would be read as JSON. */
function icn(shortformat) {
  if (typeof shortformat === 'string' || shortformat instanceof String) return String(shortformat);
  throw new TypeError('the short format is a string');
}

/** The long form of ICN. The core finds what is in a text in plain spelling without making a game of it. */
function inParts(shortformat) {
  const length = ask(() => put(icn(shortformat)));
  if (!ask(() => core.skim_long(length))) {
    const [head, rights, pieces, moves, notes] = ask(() => core.long(length)).split('\n');
    const long = withPieces(JSON.parse(head), rights, pieces);
    if (moves !== '') long.moves = moves.split('|');
    if (notes !== '{}') long.notes = JSON.parse(notes);
    return long;
  }
  const { text, slot, number, more: moves } = fetched();
  const end = text.indexOf('\n', moves + 1);
  const long = startOf(slot, number).begin(text.slice(moves + 1, end < 0 ? undefined : end));
  if (moves > 0) long.moves = text.slice(0, moves).split('|');
  if (end >= 0) long.notes = asNotes(text.slice(end + 1));
  return long;
}

/** The notes of lines: half-move, marks and comment. */
function asNotes(lines) {
  const notes = {};
  for (const line of lines.split('\n')) {
    const marks = line.indexOf('\u001f') + 1;
    const comment = line.indexOf('\u001f', marks) + 1;
    const note = {};
    if (comment - marks > 1) note.marks = line.slice(marks, comment - 1);
    if (comment < line.length) note.comments = [asField(line.slice(comment))];
    notes[line.slice(0, marks - 1)] = note;
  }
  return notes;
}

function withPieces(long, rights, pieces) {
  long.specialRights = JSON.parse(rights);
  long.startingPosition = JSON.parse(pieces);
  return withRanks(long);
}

/** A player who never promotes has the rank `undefined`, which JSON has no word for. */
function withRanks(long) {
  const ranks = long.gameRules?.promotionRanks;
  if (Array.isArray(ranks)) long.gameRules.promotionRanks = ranks.map((rank) => rank ?? undefined);
  return long;
}

/** A start that the core remembers. Most games begin as others did, and a copy is made much faster than an object is read. */
class Start {
  #head;
  #rights;
  #pieces;
  #isKnown = false;
  #patterns = [null, null];

  constructor(number, head, rights, pieces) {
    this.number = number;
    this.#head = head;
    this.#rights = rights;
    this.#pieces = pieces;
  }

  /** The long form of a game with these tags before its first move. */
  begin(tags) {
    const hasTags = tags !== '{}';
    if (!this.#isKnown) {
      this.#isKnown = true;
      return this.#read(hasTags, tags);
    }
    const { long, nested, rights, pieces } = this.#patterns[Number(hasTags)] ??= this.#pattern(hasTags);
    const copy = { ...long };
    if (hasTags) copy.metadata = JSON.parse(tags);
    for (const name of nested) copy[name] = deepCopy(long[name]);
    copy.specialRights = copyOf(rights);
    copy.startingPosition = copyOf(pieces);
    return copy;
  }

  #read(hasTags, tags) {
    return withPieces(JSON.parse(hasTags ? `{"metadata":${tags},${this.#head.slice(1)}` : this.#head), this.#rights, this.#pieces);
  }

  /** What copies are made of. */
  #pattern(hasTags) {
    const long = this.#read(hasTags, '{}');
    const nested = Object.keys(long).filter((name) => typeof long[name] === 'object' && !MADE.has(name));
    return { long, nested, rights: pattern(long.specialRights), pieces: pattern(long.startingPosition) };
  }
}

const MADE = new Set(['metadata', 'specialRights', 'startingPosition']);

/** The starts in the slots of the core. */
const STARTS = [];
let startsOf = restarts;

function startOf(slot, number) {
  if (startsOf !== restarts) {
    STARTS.length = 0;
    startsOf = restarts;
  }
  if (STARTS[slot]?.number !== number) STARTS[slot] = new Start(number, ...core.skim_start(slot).split('\n'));
  return STARTS[slot];
}

/** Engines copy an object of up to so many members at once, and a larger one member by member. */
const MEMBERS_AT_ONCE = 100;

/** What copies of an object are made of. One that was read from JSON is copied fast, one to which members were added is not. */
function pattern(object) {
  const names = Object.keys(object);
  return names.length > MEMBERS_AT_ONCE ? { object: null, names, values: Object.values(object) } : { object, names: null, values: null };
}

function copyOf({ object, names, values }) {
  if (object !== null) return { ...object };
  const copy = {};
  for (let index = 0; index < names.length; index += 1) copy[names[index]] = values[index];
  return copy;
}

/** A copy of what JSON can hold. */
function deepCopy(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy);
  const copy = { ...value };
  for (const name in copy) if (typeof copy[name] === 'object') copy[name] = deepCopy(copy[name]);
  return copy;
}

/** The position of a game after so many half-moves, `Infinity` for the last one, as an object of the long form without moves. */
export function GameToPosition(longformat, halfmoves = 0, modify_input = false) {
  if (!longformat.moves) return longformat;
  // Moves that come later may be anything, and notes are about moves.
  const moves = playedMoves({ ...longformat, moves: longformat.moves.slice(0, Math.max(0, Number(halfmoves))), notes: undefined });
  const game = modify_input ? longformat : structuredClone(longformat);
  for (const move of moves) playOn(game, move);
  game.moves = [];
  // Notes are about moves, by their half-move.
  delete game.notes;
  return game;
}

/** The moves of a game as objects, completed by a replay of the core. */
function playedMoves(longformat) {
  return opened(longformat, (record) => JSON.parse(record.convert('json', { moves: 'objects' })).moves ?? []);
}

function opened(longformat, work) {
  const record = new Record(JSON.stringify(longformat, exactly), { from: 'json' });
  try {
    return work(record);
  } finally {
    record.free();
  }
}

/** Whether there are rules that the original had no words for: other players, several ranks, a border. */
function isBeyond({ turn, gameRules = {} }) {
  const { promotionRanks, turnOrder, worldBorder, extraRules } = gameRules;
  return Boolean(turnOrder || worldBorder || extraRules || (promotionRanks && !Array.isArray(promotionRanks)) || (turn && turn !== 'white' && turn !== 'black'));
}

/** The fields before the pieces as the core writes them; the list of pieces has no blank. */
function canonicalFields({ metadata, moves, notes, ...position }) {
  const text = opened(position, (record) => record.canon());
  return text.includes(' ') ? [text.slice(0, text.lastIndexOf(' '))] : [];
}

/** The fields before the pieces, in the order of the original. */
function fields({ turn, enpassant, moveRule, fullMove, gameRules = {} }) {
  const { promotionRanks, promotionsAllowed, winConditions, ...extra } = gameRules;
  const rank = (index, player, owner) => {
    if (promotionRanks[index] === null || promotionRanks[index] === undefined) return '';
    const allowed = promotionsAllowed?.[player];
    const usual = !allowed || (allowed.length === USUAL.length && USUAL.every((name) => allowed.includes(name)));
    return usual ? `${promotionRanks[index]}` : `${promotionRanks[index]};${allowed.map((name) => LongToShort_Piece(name + owner)).join(',')}`;
  };
  return [
    { white: 'w', black: 'b' }[turn],
    enpassant && String(enpassant),
    moveRule && String(moveRule),
    fullMove && String(fullMove),
    promotionRanks && `(${rank(0, 'white', 'W')}|${rank(1, 'black', 'B')})`,
    wins(winConditions),
    Object.keys(extra).length > 0 && JSON.stringify(extra, exactly),
  ].filter(Boolean);
}

function wins({ white, black } = {}) {
  if (!white || !black) return null;
  const equal = white.length === black.length && white.every((word) => black.includes(word));
  if (!equal) return `(${white}|${black})`;
  return white[0] === 'checkmate' ? null : String(white);
}

function writeMoves(moves, { turn, fullMove = 1 }, compact, lines) {
  const isWhite = (index) => (index % 2 === 0) !== (turn === 'black');
  if (compact > 0) return moves.map((move) => writeMove(move, compact)).join('|');
  let number = Number(fullMove);
  let text = '';
  moves.forEach((move, index) => {
    if (isWhite(index)) text += `${lines || index === 0 ? '' : ' '}${number}. `;
    else text += index === 0 ? `${number}.   ...   | ` : ' | ';
    text += writeMove(move, compact);
    if (isWhite(index)) return;
    number += 1;
    if (index < moves.length - 1) text += lines ? '\n' : ' |';
  });
  return text;
}

function writeMove({ type, startCoords, endCoords, captured, promotion, check, mate }, compact) {
  const blank = compact === 0 ? ' ' : '';
  if (compact === 2) return LongToShort_CompactMove({ startCoords, endCoords, promotion });
  const end = `${promotion ? `=${LongToShort_Piece(promotion)}` : ''}${mate ? '#' : check ? '+' : ''}`;
  return `${LongToShort_Piece(type)}${startCoords}${blank}${captured ? 'x' : '>'}${blank}${endCoords}${end === '' ? '' : blank + end}`;
}

/** A move of the older form without what was not asked for. */
function bare({ type, startCoords, endCoords, captured, promotion, enpassant, castle, check, mate }, flags, marks) {
  const said = { ...(flags ? { type } : {}), startCoords, endCoords, ...(flags ? { captured, enpassant } : {}), promotion, ...(flags ? { castle } : {}), ...(marks ? { check, mate } : {}) };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Plays a move on an object. A square that is captured on keeps its place in the list, any other one comes last. */
function playOn(game, { type, startCoords, endCoords, captured, promotion, enpassant, castle }) {
  const [pieces, rights] = [game.startingPosition, game.specialRights ?? {}];
  const [from, to] = [String(startCoords), String(endCoords)];
  const mover = pieces[from];
  const pawn = type.startsWith('pawns');
  if (enpassant) {
    const taken = `${endCoords[0]},${plus(endCoords[1], enpassant)}`;
    delete pieces[taken];
    delete rights[taken];
  }
  pieces[to] = promotion ?? mover;
  for (const square of [from, to]) delete rights[square];
  delete pieces[from];
  if (castle) {
    const partner = String(castle.coord);
    pieces[`${plus(endCoords[0], -castle.dir)},${endCoords[1]}`] = pieces[partner];
    delete pieces[partner];
    delete rights[partner];
  }
  if (game.moveRule) {
    const [count, limit] = game.moveRule.split('/');
    game.moveRule = `${captured || pawn ? 0 : plus(count, 1)}/${limit}`;
  }
  const [before, after] = [BigInt(startCoords[1]), BigInt(endCoords[1])];
  if (pawn && (after - before === 2n || before - after === 2n)) game.enpassant = [endCoords[0], plus(startCoords[1], Number((after - before) / 2n))];
  else delete game.enpassant;
  const black = game.turn === 'black';
  if (black && game.fullMove) game.fullMove = plus(game.fullMove, 1);
  game.turn = black ? 'white' : 'black';
}

/** A sum that is exact at any size: a number while JavaScript can tell it from its neighbours, a string beyond. */
function plus(value, more) {
  const sum = BigInt(value) + BigInt(more);
  return sum >= -9007199254740991n && sum <= 9007199254740991n ? Number(sum) : String(sum);
}
