// The vectors of the repository.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The text of a file of the repository. */
export const file = (path) => readFileSync(new URL(path, root), 'utf8');

/** The rows of a file of `corpus/`. */
export const rows = (path) => file(`corpus/${path}`).split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** Fails with every row that fails, not only the first. */
export function all(list, work) {
  assert.ok(list.length > 0, 'no rows');
  const failures = [];
  for (const row of list) {
    try {
      work(row);
    } catch (error) {
      failures.push(`${row.name ?? row.id ?? row.group ?? row.fen}: ${error.message}`);
    }
  }
  assert.equal(failures.length, 0, `${failures.length} of ${list.length} rows:\n${failures.slice(0, 10).join('\n')}`);
}

/** What a call throws. */
export function thrown(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}
