// What went wrong, and where in the text.

import { capital, h } from './dom.js';

/** A problem of a source with its place in the text that was sent. */
export function problemCard(problem, text = '') {
  const line = problem.line ? text.split('\n')[problem.line - 1] : undefined;
  return h('div', { class: 'problem' },
    h('p', {}, h('strong', {}, ...prose(sentence(problem.message))), problem.line ? h('span', { class: 'muted' }, ` Line ${problem.line}, column ${problem.column}.`) : null),
    line === undefined ? null : excerpt(line, problem.column ?? 1),
    problem.hint ? h('p', {}, ...prose(sentence(problem.hint))) : null);
}

/** Warnings of a reader. */
export const warningList = (warnings) => h('details', { class: 'warnings' },
  h('summary', {}, `Read with ${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`),
  h('ul', {}, ...warnings.map((warning) => h('li', {}, ...prose(sentence(warning.message)), warning.line ? h('span', { class: 'muted' }, ` Line ${warning.line}, column ${warning.column}.`) : null))));

/** The part of a line around a column, with that character marked. */
function excerpt(line, column) {
  const characters = [...line];
  const at = Math.min(column - 1, characters.length);
  const [from, to] = [Math.max(0, at - 40), at + 40];
  const part = (a, b) => characters.slice(a, b).join('');
  return h('pre', {}, from > 0 ? '…' : '', part(from, at), h('mark', {}, part(at, at + 1) || ' '), part(at + 1, to), to < characters.length ? '…' : '');
}

/** A message as text and code: what stands in backquotes is code. */
export const prose = (text) => text.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part));

const sentence = (text) => capital(text) + (/[.?!]$/.test(text) ? '' : '.');
