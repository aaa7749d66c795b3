// A source of data (cli/web/assets/source.d.ts) that answers from the text alone: the core runs in the page, and there is no database.

import { SourceError } from '../../cli/web/assets/source-error.js';
import { BoardprintError, check, legalMoves, open, split, svg } from '../index.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const NOBODY = { white: 0, black: 0, draw: 0, unknown: 0 };
const NO_DATABASE = { kind: 'no-database', message: 'this page has no database' };
/** The whole record in other forms: name, format, options. */
const FORMS = [
  ['icn', 'icn', {}], ['compact', 'icn', { style: 'compact' }], ['readable', 'icn', { style: 'readable' }], ['json', 'json', {}], ['pgn', 'pgn', {}],
  ['csa', 'csa', {}], ['kif', 'kif', {}], ['usi', 'usi', {}], ['uci', 'uci', {}],
];

export class WasmSource {
  database = false;

  async explore({ position = START, play = '', from, game }, signal) {
    return answer(() => {
      signal?.throwIfAborted();
      return withRecord(position, { from, game }, play, (record, warnings) => {
        const { format, moves } = record.read({ hashes: true });
        return {
          schema: 1, generation: 0, taken_as: format, position: record.positionAt(Infinity), line: moves, start: record.plies > 0 ? record.positionAt(0) : null,
          occurrences: 0, game_count: 0, results: NOBODY, moves: [], more_moves: 0, games: [], nextCursor: null, warnings,
        };
      });
    });
  }

  async read(text, { from, game, limit = 1 } = {}) {
    return answer(() => {
      const parts = split(text, { from, limit: limit + 1 });
      const records = parts.slice(0, limit).map((part, index) => readPart(part, index + 1, game));
      return { more_records: parts.length > limit, records };
    });
  }

  async moves({ position, play = '', from, game }) {
    return answer(() => withRecord(position, { game }, play, (record) => legalMoves(record, { square: from })));
  }

  picture(position) {
    const text = position.icn ?? position.fen ?? position.sfen ?? position.cpn;
    try {
      return `data:image/svg+xml,${encodeURIComponent(svg(text, position.game === 'infinite' || position.game === 'other' ? {} : { game: position.game }))}`;
    } catch {
      return null;
    }
  }

  games() { return refuse(); }
  game() { return refuse(); }
  gameIn() { return null; }
  prefix() { return refuse(); }
  stats() { return refuse(); }
  variants() { return refuse(); }
  duplicates() { return refuse(); }
  findings() { return refuse(); }
}

const refuse = () => Promise.reject(new SourceError(NO_DATABASE));

/** Opens a text, plays on, asks, and gives the memory back. */
function withRecord(text, options, play, question) {
  // The views name the game of every position; only a FEN may need it.
  const known = Object.fromEntries(Object.entries(options).filter(([, value]) => value && value !== 'infinite' && value !== 'other'));
  if (/^\s*[0-9a-f]{6,40}\s*$/i.test(text)) {
    throw new SourceError({ kind: 'unknown-hash', message: 'only a database can find the position of a hash', hint: 'paste the position itself' });
  }
  const held = [open(text, known)];
  try {
    const { warnings } = held[0].read();
    if (play) held.push(held[0].play(play));
    return question(held.at(-1), warnings);
  } finally {
    for (const record of held) record.free();
  }
}

function readPart({ format, text, line }, number, game) {
  const place = { record: number, line };
  try {
    return withRecord(text, { from: format, game }, '', (record, warnings) => {
      const { tags, variant, moves, game: name } = record.read({ hashes: true });
      const { legal, findings, conclusion } = record.check();
      const position = record.positionAt(Infinity);
      return {
        record: place, format, game: name, variant, tags, start: record.positionAt(0), position, moves, game_hash: record.gameHash(), legal,
        notations: notations(record, name), warnings, lost: position.lost, findings, conclusion,
      };
    });
  } catch (error) {
    return { record: place, error: problem(error) };
  }
}

function notations(record, game) {
  const found = {};
  for (const [name, format, options] of FORMS) {
    // In JSON other games are boards.
    if (format === 'json' && game !== 'infinite' && game !== 'western') continue;
    try {
      found[name] = record.convert(format, options);
    } catch {
      // A form that cannot hold the record is not one of its forms.
    }
  }
  return found;
}

/** What `check` says about a text, its warnings among it. */
export function findings(text, game) {
  return answer(() => check(text, game ? { game } : {}));
}

function answer(work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof BoardprintError ? new SourceError(problem(error)) : error;
  }
}

function problem(error) {
  if (error instanceof SourceError) return error.problem;
  if (!(error instanceof BoardprintError)) throw error;
  const { kind, message, line, column, hint } = error;
  return { kind, message, line, column, hint };
}

