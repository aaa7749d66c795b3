// The same answers as the program, on every row. BOARDPRINT is its path; without it, what cargo has built.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import * as boardprint from '../node.js';
import { all, rows } from './corpus.js';

const built = ['release', 'debug'].map((profile) => fileURLToPath(new URL(`../../target/${profile}/boardprint`, import.meta.url)));
const program = process.env.BOARDPRINT ?? built.find(existsSync);
const skip = program ? false : 'the program is not built: cargo build, or set BOARDPRINT';

/** One line of JSON for each text, in order. Texts are given in files of their own, so that each is one record. */
function answers(texts, command, ...options) {
  const folder = mkdtempSync(join(tmpdir(), 'boardprint-js-'));
  try {
    const files = texts.map((text, index) => {
      const path = join(folder, `${String(index).padStart(5, '0')}.txt`);
      writeFileSync(path, text);
      return path;
    });
    const { stdout, error } = spawnSync(program, [command, ...options, ...files], { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (error) throw error;
    return stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Answers by the number of their text. */
function byFile(lines) {
  const found = new Map();
  for (const line of lines) {
    const path = typeof line.record === 'string' ? line.record : (line.record.source ?? line.record.path ?? line.record.name ?? JSON.stringify(line.record));
    const number = Number(/(\d{5})\.txt/.exec(path)[1]);
    found.set(number, [...(found.get(number) ?? []), line]);
  }
  return found;
}

const texts = () => [
  ...rows('identity/identity.jsonl').map((row) => ({ name: row.name, text: row.icn, from: 'icn' })),
  ...rows('icn/icn.jsonl').filter((row) => row.verdict !== 'error').map((row) => ({ name: row.name, text: row.icn, from: 'icn' })),
  ...rows('replay/replay.jsonl').map((row) => ({ name: row.id, text: row.icn, from: 'icn' })),
  ...rows('cpn/cpn.jsonl').filter((row) => row.valid).map((row) => ({ name: row.name, text: row.cpn, from: 'cpn' })),
];

test('hashes of positions and games', { skip }, () => {
  for (const from of ['icn', 'cpn']) {
    const list = texts().filter((row) => row.from === from);
    for (const [of, ours] of [['position', (text) => boardprint.cph(text, { from })], ['game', (text) => boardprint.gameHash(text, { from })]]) {
      const found = byFile(answers(list.map(({ text }) => text), 'hash', '--json', '--from', from, '--of', of));
      all(list.map((row, index) => ({ ...row, index })), (row) => {
        // A row whose text the program takes for several records is answered several times; such rows are not one text.
        const lines = found.get(row.index) ?? [];
        if (lines.length !== 1) return;
        if (lines[0].error) assert.throws(() => ours(row.text), { kind: lines[0].error.kind });
        else assert.equal(ours(row.text), lines[0].hash);
      });
      assert.ok([...found.values()].filter((lines) => lines.length === 1).length > list.length * 0.95, 'too few single records');
    }
  }
});

test('positions of finite games: hashes with and without rights, CPN, findings', { skip }, () => {
  const list = rows('fen/fen.jsonl');
  for (const game of new Set(list.map(({ variant }) => variant))) {
    const texts = list.filter(({ variant }) => variant === game).map(({ name, fen }) => ({ name, fen }));
    const ask = (command, ...options) => byFile(answers(texts.map(({ fen }) => fen), command, '--json', '--game', game, ...options));
    const [plain, rights, cpn, checked] = [ask('hash'), ask('hash', '--rights'), ask('convert', '--to', 'cpn'), ask('check')];
    all(texts.map((row, index) => ({ ...row, index })), ({ fen, index }) => {
      for (const found of [plain, rights, cpn, checked]) assert.equal(found.get(index)?.length, 1);
      assert.equal(boardprint.cph(fen, { game }), plain.get(index)[0].hash);
      assert.equal(boardprint.cph(fen, { game, rights: true }), rights.get(index)[0].hash);
      assert.equal(boardprint.convert(fen, 'cpn', { game }), cpn.get(index)[0].text);
      const kinds = ({ findings }) => findings.map(({ kind, message }) => ({ kind, message }));
      assert.deepEqual(kinds(boardprint.check(fen, { game })), kinds(checked.get(index)[0]));
    });
  }
});

test('findings', { skip }, () => {
  // The program takes a byte order mark off a file before its text is read.
  const list = texts().filter((row) => row.from === 'icn' && !row.text.startsWith('\ufeff'));
  const found = byFile(answers(list.map(({ text }) => text), 'check', '--json', '--from', 'icn', '--max-findings', '1000000'));
  all(list.map((row, index) => ({ ...row, index })), (row) => {
    const lines = found.get(row.index) ?? [];
    if (lines.length !== 1) return;
    const [theirs] = lines;
    const ours = boardprint.check(row.text, { from: 'icn' });
    assert.equal(ours.legal, theirs.legal);
    assert.equal(ours.firstIllegalPly, theirs.first_illegal_ply);
    assert.deepEqual(ours.conclusion, theirs.conclusion);
    assert.deepEqual(ours.findings.map(({ kind, ply, message }) => ({ kind, ply, message })), theirs.findings.map(({ kind, ply, message }) => ({ kind, ply, message })));
    assert.deepEqual(ours.findings.map(({ line, column }) => [line, column]), theirs.findings.map(({ line, column }) => [line, column]));
  });
});
