/**
 * Why a text has no answer. `kind` is a short name for programs, `line` and `column` count from 1 in characters, `start` and `end` are
 * the part of the text as JavaScript counts, `hint` says what to do about it.
 */
export class BoardprintError extends Error {
  constructor(problem) {
    super(problem.message);
    this.name = 'BoardprintError';
    this.kind = problem.kind;
    for (const name of ['line', 'column', 'start', 'end', 'hint', 'also']) this[name] = problem[name] ?? null;
  }
}
