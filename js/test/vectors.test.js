// Every row of the vectors has the answer that its row says.

import assert from 'node:assert/strict';
import test from 'node:test';
import * as boardprint from '../node.js';
import { all, rows, thrown } from './corpus.js';

const { BoardprintError, canon, check, convert, cph, exactHash, gameHash, hashes, read } = boardprint;

test('icn.jsonl: verdict, warnings, canonical text, hashes, place of the error', () => {
  all(rows('icn/icn.jsonl'), (row) => {
    const from = 'icn';
    if (row.verdict === 'error') {
      const error = thrown(() => canon(row.icn, { from }));
      assert.ok(error instanceof BoardprintError, error);
      assert.deepEqual([error.line, error.column], row.error_at);
      return;
    }
    assert.equal(canon(row.icn, { from }), row.canonical);
    assert.deepEqual([...new Set(read(row.icn, { from }).warnings.map(({ kind }) => kind))].sort(), [...row.warnings].sort());
    if (row.game !== null) assert.equal(gameHash(row.icn, { from }), row.game);
    // The hashes of a row are those of its start.
    if (row.exact !== null) assert.equal(exactHash(row.icn, { from, ply: 0 }), row.exact);
    if (row.cph !== null) assert.equal(cph(row.icn, { from, ply: 0 }), row.cph);
  });
});

test('icn.jsonl: places are those of the text as JavaScript counts', () => {
  all(rows('icn/icn.jsonl').filter((row) => row.verdict === 'warn'), (row) => {
    for (const { line, column, start, end } of read(row.icn, { from: 'icn' }).warnings) {
      const before = row.icn.slice(0, start);
      assert.equal(before.split('\n').length, line);
      assert.equal([...before.slice(before.lastIndexOf('\n') + 1)].length + 1, column);
      assert.ok(end >= start && end <= row.icn.length);
    }
  });
});

test('icn-equal.jsonl: texts of one game have one hash', () => {
  all(rows('icn/icn-equal.jsonl'), ({ texts, equal }) => {
    const found = new Set(texts.map((text) => gameHash(text)));
    assert.equal(found.size === 1, equal);
  });
});

test('identity.jsonl: CPN and CPH, as identity and as given', () => {
  all(rows('identity/identity.jsonl'), (row) => {
    assert.equal(convert(row.icn, 'cpn'), row.cpn);
    assert.equal(cph(row.icn), row.cph);
    assert.equal(cph(row.cpn), row.cph);
    if (row.cpn_as_given === null) return;
    assert.equal(convert(row.icn, 'cpn', { asGiven: true }), row.cpn_as_given);
    assert.equal(cph(row.icn, { asGiven: true }), row.cph_as_given);
  });
});

test('cpn.jsonl: validity, and the hash of what is valid', () => {
  // These hold for a reader that was told the revision.
  const told = ['actor-underscore-king-2015', 'actor-dash-king-2015', 'actor-caret-king-2019'];
  all(rows('cpn/cpn.jsonl').filter((row) => !told.includes(row.name)), (row) => {
    if (!row.valid) {
      const error = thrown(() => cph(row.cpn, { from: 'cpn' }));
      assert.equal(error.kind, 'syntax');
      assert.ok(error.line >= 1 && error.column >= 1);
      return;
    }
    assert.equal(cph(row.cpn, { from: 'cpn' }), row.cph);
    assert.equal(convert(row.cpn, 'cpn', { from: 'cpn' }), row.cpn);
  });
});

test('fen.jsonl: CPN and CPH of finite games', () => {
  all(rows('fen/fen.jsonl'), (row) => {
    const options = { game: row.variant };
    assert.equal(convert(row.fen, 'cpn', options), row.cpn);
    assert.equal(cph(row.fen, options), row.cph);
    assert.equal(read(row.fen, options).game, row.variant);
  });
});

test('fen-invalid.jsonl: refused', () => {
  all(rows('fen/fen-invalid.jsonl').filter((row) => row.expect === 'reject'), (row) => {
    const from = row.variant === 'shogi' ? undefined : 'fen';
    assert.ok(thrown(() => cph(row.fen, { game: row.variant, from })) instanceof BoardprintError);
  });
});

test('replay.jsonl: the hash of every position, legality, the end', () => {
  all(rows('replay/replay.jsonl'), (row) => {
    assert.deepEqual(hashes(row.icn), row.cph);
    assert.equal(cph(row.icn), row.cph.at(-1));
    const middle = Math.floor(row.plies / 2);
    assert.equal(cph(row.icn, { ply: middle }), row.cph[middle]);
    assert.equal(boardprint.positionAt(row.icn, middle).hash, row.cph[middle]);
    const verdict = check(row.icn);
    assert.equal(verdict.legal, row.legal);
    if (row.legal && row.conclusion) {
      const winner = [null, 'white', 'black'][row.conclusion.victor ?? 0];
      assert.deepEqual(verdict.conclusion, { condition: row.conclusion.condition, winner });
    }
  });
});
