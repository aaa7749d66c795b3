// boardprint: names for chess positions and games in every notation.

/** The notations. */
export type Format = 'icn' | 'json' | 'cpn' | 'fen' | 'sfen' | 'pgn' | 'csa' | 'kif' | 'usi' | 'uci';
/** Who wrote an ICN, where dialects differ. */
export type Dialect = 'readme-2024-03' | 'readme-2024-08' | 'format-converter' | 'site-2025' | 'site' | 'redesign' | 'engine';
/** The games: the open board, the finite games, and boards of others. */
export type GameName = 'infinite' | 'western' | 'makruk' | 'shogi' | 'xiangqi' | 'janggi' | 'other';
/** A square of the open board, `4,-2`; exact at any size. */
export type Square = string;
/** A text of any notation, an object of the JSON long form, or a record that is open. */
export type Readable = string | LongFormat | Record;

/** A place in a text: line and column from 1 in characters, `start` and `end` as JavaScript counts. */
export interface Place { line: number; column: number; start: number; end: number }

/** Why a text has no answer. */
export class BoardprintError extends Error {
  /** A short name for programs: `syntax`, `illegal-move`, `unknown-format`, `no-such-form`, `no-such-ply`, `usage`, `freed` and so on. */
  readonly kind: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly hint: string | null;
  /** A second place that has to do with it. */
  readonly also: (Place & { message: string }) | null;
}

export interface ReadOptions {
  /** The notation; told from the text unless given. */
  from?: Format;
  /** The game that a FEN is of, where its shape and letters leave it open. */
  game?: Exclude<GameName, 'infinite' | 'other'>;
  /** How ICN is read where dialects differ. */
  dialect?: Dialect;
  /** Refuses whatever gives a warning. */
  strict?: boolean;
  /** Takes any actor names in CPN. */
  freeNames?: boolean;
}
export interface CpnOptions {
  /** Carries castling rights and en passant of finite games. */
  rights?: boolean;
  /** Keeps marks that nothing can use. */
  asGiven?: boolean;
  /** The royal prefix: `_` of 2014, `^` of 2015, `-` of 2019. */
  revision?: 2014 | 2015 | 2019;
}
export interface PlyOptions {
  /** The position after so many half-moves; the last one unless given. */
  ply?: number | 'last';
}
export interface ConvertOptions extends CpnOptions, PlyOptions {
  /** How ICN is written. */
  style?: 'canonical' | 'compact' | 'readable';
  /** How moves are written in the long form. */
  moves?: 'strings' | 'objects';
  /** Writes CPN as a dense board: of all pieces, or of the squares between two corners. */
  grid?: boolean | string | [left: number, bottom: number, right: number, top: number];
}
export interface SvgOptions extends PlyOptions {
  theme?: 'light' | 'dark' | 'plain' | 'print' | 'page';
  /** The part of the board to show: the lower left and the upper right corner. */
  window?: string | [number, number, number, number];
  /** Black at the bottom. */
  flip?: boolean;
  /** Pixels of a square. */
  square?: number;
  /** Pixels of the picture from left to right. */
  width?: number;
  coordinates?: boolean;
  /** Whether it says who is to move. */
  legend?: boolean;
  /** Stands before every id, for several pictures on one page. */
  idPrefix?: string;
}
export interface PieceOptions {
  /** Where the piece stands; `0,0` unless given. */
  at?: Square | [number, number];
  friends?: string | (Square | [number, number])[];
  enemies?: string | (Square | [number, number])[];
  /** The whole board; with `unbounded`, the part of it to look at. */
  window?: string | [number, number, number, number];
  unbounded?: boolean;
  /** Whether the piece has its special right. */
  right?: boolean;
  /** Adds a diagram. */
  svg?: boolean;
}

export interface Warning extends Place { kind: string; message: string }
export interface Conclusion { condition: string; winner: string | null }
/** A move: the open board has `from` and `to`, finite games have `uci` and perhaps `san`. */
export interface Move { move: string; from?: Square; to?: Square; uci?: string; san?: string }
export interface PlayedMove extends Move {
  ply: number;
  /** The marks after it, such as `+` or `!?`. */
  marks?: string;
  comment?: string;
  /** The clock after it, such as `0:09:58.2`. */
  clock?: string;
  /** The hash of the position after it, if hashes were asked for. */
  hash?: string;
}
/** What a record holds. */
export interface Reading {
  format: Format;
  game: GameName;
  variant: string | null;
  tags: { name: string; value: string }[];
  result: '1-0' | '0-1' | '1/2-1/2' | '*' | null;
  plies: number;
  /** The hash of the start, if hashes were asked for. */
  hash?: string;
  /** Made when they are first looked at. */
  moves: PlayedMove[];
  warnings: Warning[];
}
/** A position in the notations of its board; `convert` takes it to others. */
export interface Position {
  hash: string;
  game: GameName;
  turn: string;
  icn?: string;
  fen?: string;
  sfen?: string;
  cpn: string;
  /** What decides moves and is not in the CPN, such as `castling`. */
  lost: string[];
  conclusion: Conclusion | null;
}
/** The squares `origin + n · step` for n from `first` to `last`, without end if `last` is null; `origin` is the square of the piece unless given. */
export interface Line { origin?: Square; step: string; first: string; last: string | null; prime?: true }
/** The legal moves along a line: those that lie on every line of `only` and neither among `except` nor on a line of `exceptLines`. */
export interface Ray extends Line { from: Square; only?: Line[]; except?: Square[]; exceptLines?: Line[] }
export interface LegalMoves {
  /** How many there are; null if there is no end to them. */
  count: number | null;
  moves: Move[];
  rays: Ray[];
  complete: boolean;
}
export interface Finding extends Partial<Place> { kind: string; ply: number | null; message: string; square?: Square; hint?: string }
/** What was found out about a record. */
export interface Verdict { ok: boolean; legal: boolean | null; firstIllegalPly: number | null; conclusion: Conclusion | null; findings: Finding[] }
/** Where a movement goes. */
export interface Reach { expr: string; moves: [number | string, number | string][]; captures: [number | string, number | string][]; complete: boolean; svg?: string }
export interface Part extends Place { format: Format; text: string }

/**
 * What the core is loaded from: an address, a `Request`, a `Response` or the promise of one, bytes, or a `WebAssembly.Module`. Not every project has
 * the types of these.
 */
export type Source = string | object;
/** Loads the core, from beside the module unless told from where. In node this has been done. */
export default function init(source?: Source): Promise<void>;
/** Loads the core from bytes or a `WebAssembly.Module` without waiting. */
export function initSync(bytes: object): void;

/** A record that was read once, for many questions. */
export class Record {
  constructor(text: string | LongFormat, options?: ReadOptions);
  /** How many half-moves were played. */
  readonly plies: number;
  read(options?: { hashes?: boolean; rights?: boolean }): Reading;
  canon(): string;
  cph(options?: CpnOptions & PlyOptions): string;
  hashes(options?: { rights?: boolean }): string[];
  gameHash(): string;
  exactHash(options?: PlyOptions): string;
  convert(to: Format, options?: ConvertOptions): string;
  convertWithLoss(to: Format, options?: ConvertOptions): { text: string; lost: string[] };
  positionAt(ply?: number, options?: { rights?: boolean }): Position;
  legalMoves(options?: PlyOptions & { square?: Square }): LegalMoves;
  check(): Verdict;
  svg(options?: SvgOptions): string;
  /** A game with more moves at its end, as a new record. */
  play(moves: string | string[]): Record;
  /** Gives the memory back; after that the record answers nothing. */
  free(): void;
}

/** Reads one record and keeps it for many questions. */
export function open(text: string | LongFormat, options?: ReadOptions): Record;
/** Canonical ICN. */
export function canon(text: Readable, options?: ReadOptions): string;
/** The hash of a position (CPH). */
export function cph(text: Readable, options?: ReadOptions & CpnOptions & PlyOptions): string;
/** The hash of every position, the start first. */
export function hashes(text: Readable, options?: ReadOptions & { rights?: boolean }): string[];
/** The hash of a whole game. */
export function gameHash(text: Readable, options?: ReadOptions): string;
/** The hash of the canonical ICN of a position. */
export function exactHash(text: Readable, options?: ReadOptions & PlyOptions): string;
/**
 * A record in another notation. ICN, the long form, PGN, CSA, KIF, USI and UCI carry whole games, the others the last position, or the one of `ply`. In JSON
 * a game that is neither of the open board nor Western chess is the board of its last position.
 */
export function convert(text: Readable, to: Format, options?: ReadOptions & ConvertOptions): string;
/** As `convert`, with what that notation does not carry. */
export function convertWithLoss(text: Readable, to: Format, options?: ReadOptions & ConvertOptions): { text: string; lost: string[] };
/** Tags, moves, result, and warnings with their places. */
export function read(text: Readable, options?: ReadOptions & { hashes?: boolean; rights?: boolean }): Reading;
/** The position after so many half-moves, `Infinity` for the last one. */
export function positionAt(text: Readable, ply?: number, options?: ReadOptions & { rights?: boolean }): Position;
/** The legal moves of a position, or of the piece on one square of it. */
export function legalMoves(text: Readable, options?: ReadOptions & PlyOptions & { square?: Square }): LegalMoves;
/** What is wrong with a record; a text that cannot be read is a finding. */
export function check(text: Readable, options?: ReadOptions): Verdict;
/** A picture of a position. */
export function svg(text: Readable, options?: ReadOptions & SvgOptions): string;
/** A game with more moves at its end; the caller frees it. */
export function play(text: Readable, moves: string | string[], options?: ReadOptions): Record;
/** Whether a movement reaches a square. */
export function piece(movement: string, options: PieceOptions & { to: Square | [number, number] }): { expr: string; answer: string };
/** The squares that a movement of the Fairy language, or a piece by its name or code, reaches. */
export function piece(movement: string, options?: PieceOptions): Reach;
/** The records of a text. */
export function split(text: string, options?: { from?: Format; limit?: number }): Part[];

// The functions of FormatConverter.js.

type Coords = [number | string, number | string] | string;
/** A move of the older form. */
export interface LongMove {
  type?: string; startCoords: Coords; endCoords: Coords; captured?: string; promotion?: string; enpassant?: 1 | -1;
  castle?: { dir: 1 | -1; coord: Coords }; check?: true; mate?: true;
}
/** A game or position of the JSON long form. */
export interface LongFormat {
  metadata?: { [name: string]: string };
  turn?: string;
  enpassant?: Coords;
  moveRule?: string;
  fullMove?: number | string;
  gameRules?: {
    promotionRanks?: (number | string | null | undefined)[] | { [player: string]: unknown };
    promotionsAllowed?: { [player: string]: string[] };
    winConditions?: { [player: string]: string[] };
    [rule: string]: unknown;
  };
  specialRights?: { [square: string]: boolean };
  startingPosition?: { [square: string]: string } | string;
  moves?: (string | LongMove)[];
  [field: string]: unknown;
}
/** A game or position of the long form in ICN; moves numbered and decorated (0), decorated (1) or bare (2). */
export function LongToShort_Format(longformat: LongFormat, compact_moves?: 0 | 1 | 2 | { compact_moves?: 0 | 1 | 2; make_new_lines?: boolean }, make_new_lines?: boolean): string;
/** ICN as an object of the long form. With a second argument moves are objects of the older form. */
export function ShortToLong_Format(shortformat: string, reconstruct_optional_move_flags?: boolean, trust_check_and_mate_symbols?: boolean): LongFormat;
/** The position of a game after so many half-moves. */
export function GameToPosition(longformat: LongFormat, halfmoves?: number, modify_input?: boolean): LongFormat;
export function LongToShort_CompactMove(longmove: LongMove): string;
export function ShortToLong_CompactMove(shortmove: string): LongMove;
export function LongToShort_Position(position: { [square: string]: string }, specialRights?: { [square: string]: boolean }): string;
export function LongToShort_Piece(longpiece: string): string;
export function ShortToLong_Piece(shortpiece: string): string;
