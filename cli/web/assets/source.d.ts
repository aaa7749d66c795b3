// What the views ask for data. `source-http.js` answers over the network; another source may answer from the text alone
// (then `database` is false and the calls about stored games are never made). Shapes are those of docs/api/openapi.json.

export interface Position {
  hash: string;
  game: string;
  turn: string;
  icn?: string;
  fen?: string;
  sfen?: string;
  cpn: string;
  lost: string[];
  conclusion?: Conclusion | null;
}
export interface Conclusion { condition: string; winner: string | null }
export interface Move { move: string; uci?: string; from?: string; to?: string; san?: string }
export interface Ply extends Move { ply: number; hash: string; comment?: string; clock?: string }
export interface Results { white: number; black: number; draw: number; unknown: number }
export interface NextMove extends Move {
  occurrences: number; games: number; results: Results; rating: number | null; hash: string; reached: number;
}
export interface RecordPlace { path: string; record: number; line: number | null }
export interface GameRow {
  id: number; ply: number | null; plies: number; game: string; variant: string | null;
  white: string | null; black: string | null; white_rating: number | null; black_rating: number | null;
  date: string | null; event: string | null; result: keyof Results; record: RecordPlace;
}
export interface Warning { kind: string; message: string; line: number | null; column: number | null }
export interface Explore {
  schema: number; generation: number; taken_as: string; position: Position; line: Ply[]; start: Position | null;
  occurrences: number; game_count: number; results: Results; moves: NextMove[]; more_moves: number;
  games: GameRow[]; nextCursor: string | null; warnings: Warning[];
}
export interface Filters {
  laws?: string; player?: string; color?: string; since?: string; until?: string; result?: string; minRating?: string; source?: string;
}
export interface ExploreQuestion extends Filters {
  position?: string; play?: string; from?: string; game?: string; moves?: number; games?: number; cursor?: string;
}
export interface Games { total: number | null; games: GameRow[]; nextCursor: string | null }
export interface StoredGame {
  id: number; hash: string; game: string; variant: string | null; tags: { name: string; value: string }[]; result: keyof Results;
  conclusion: Conclusion | null; record: RecordPlace; start: Position; plies: number; moves: Ply[];
}
export interface Finding { kind: string; ply: number | null; message: string; line?: number | null; column?: number | null }
export interface Reading { more_records: boolean; records: (ReadRecord | BadRecord)[] }
export interface ReadRecord {
  record: { record: number; line: number }; format: string; game: string; variant: string | null; tags: { name: string; value: string }[];
  start: Position; position: Position; moves: Ply[]; game_hash: string | null; legal: boolean | null;
  notations: { [form: string]: string }; warnings: Warning[]; lost: string[]; findings: Finding[]; conclusion: Conclusion | null;
}
export interface BadRecord { record: { record: number; line: number }; error: Problem }
export interface Problem { kind: string; message: string; line?: number | null; column?: number | null; hint?: string | null }
/** Squares in a line: `origin + k · step`, where `origin` is the square of the piece unless given. */
export interface Squares { origin?: string; step: string; first: string; last: string | null; prime?: boolean }
export interface Ray extends Squares { from: string; only?: Squares[]; except?: string[]; except_lines?: Squares[]; exceptLines?: Squares[] }
export interface LegalMoves { count: number | null; moves: Move[]; rays: Ray[]; complete: boolean }
export interface Pair {
  kept: GameRow;
  copy: { id: number | null; record: RecordPlace; plies: number; white: string | null; black: string | null; date: string | null; event: string | null; result: keyof Results };
  by: string; confidence: string; same_plies: number; truncated: boolean; next: { kept: Move | null; copy: Move | null };
}

/** Every call rejects with the `SourceError` of source-error.js, whose `problem` is a `Problem`, when there is no answer. */
export interface Source {
  /** Whether there are stored games: next moves, lists, health. */
  readonly database: boolean;
  explore(question: ExploreQuestion, signal?: AbortSignal): Promise<Explore>;
  read(text: string, options?: { from?: string; game?: string; limit?: number }): Promise<Reading>;
  moves(question: { position: string; play?: string; from?: string; game?: string }): Promise<LegalMoves>;
  /** The address of a picture of the position, or null if there is none. */
  picture(position: Position): string | null;

  games(question: Filters & { game?: string; order?: string; games?: number; cursor?: string }, signal?: AbortSignal): Promise<Games>;
  game(id: number): Promise<StoredGame>;
  /** The address of a stored game in another form, or null if there is none. */
  gameIn(id: number, form: string): string | null;
  prefix(hex: string): Promise<{ prefix: string; positions: { hash: string; occurrences: number; games: number }[]; nextCursor: string | null }>;
  stats(): Promise<{
    games: number; positions: number; distinct_positions: number | null; duplicates: number; rejected: number; results: Results;
    disk_bytes: number; profile: string; variants: { [name: string]: number }; sources: { path: string; bytes: number; records: number }[];
  }>;
  variants(): Promise<{ variants: { code: string; name: string; pieces: number; revisions: number; games: number }[] }>;
  duplicates(question: { cursor?: string; limit?: number }): Promise<{ total: number | null; pairs: Pair[]; nextCursor: string | null }>;
  findings(question: { kind?: string; cursor?: string; limit?: number }): Promise<{
    checked: number; total: number; kinds: { [kind: string]: number };
    games: { id: number; record: RecordPlace; white: string | null; black: string | null; ok: boolean; legal: boolean; first_illegal_ply: number | null; conclusion: Conclusion | null; findings: Finding[] }[];
    nextCursor: string | null;
  }>;
}
