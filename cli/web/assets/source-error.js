/** Why a source of data has no answer. `problem` has `kind`, `message` and perhaps `line`, `column` and `hint`. */
export class SourceError extends Error {
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}
