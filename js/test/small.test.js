// The small build of `js/build.sh --small` answers about the open board as the whole package does, and refuses everything else.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';
import * as whole from '../node.js';
import { all, rows, thrown } from './corpus.js';

const home = new URL('../target/small-package/node.js', import.meta.url);
const skip = existsSync(home) ? false : 'not built: js/build.sh --small';
const small = skip ? null : await import(home);

const texts = () => [
  ...rows('identity/identity.jsonl').map((row) => ({ name: row.name, text: row.icn, from: 'icn' })),
  ...rows('icn/icn.jsonl').map((row) => ({ name: row.name, text: row.icn, from: 'icn' })),
  ...rows('replay/replay.jsonl').map((row) => ({ name: row.id, text: row.icn, from: 'icn' })),
  ...rows('cpn/cpn.jsonl').map((row) => ({ name: row.name, text: row.cpn, from: 'cpn' })),
];

/** What a call gives or throws, as something to compare. */
function outcome(work) {
  try {
    return JSON.parse(JSON.stringify(work() ?? null));
  } catch (error) {
    return { ...error, message: error.message };
  }
}

const same = (work) => assert.deepEqual(outcome(() => work(small)), outcome(() => work(whole)));

test('the same answers about the open board', { skip }, () => {
  all(texts().filter(({ from }) => from === 'icn'), ({ text, from }) => {
    same((core) => core.read(text, { from }));
    same((core) => core.canon(text, { from }));
    same((core) => core.cph(text, { from }));
    same((core) => core.gameHash(text, { from }));
    same((core) => core.convert(text, 'json', { from }));
    same((core) => core.convert(text, 'cpn', { from }));
    same((core) => core.ShortToLong_Format(text));
    same((core) => core.check(text, { from }));
  });
});

test('the same hashes, moves and pictures', { skip }, () => {
  all(rows('replay/replay.jsonl').slice(0, 60), ({ icn }) => {
    same((core) => core.hashes(icn));
    same((core) => core.legalMoves(icn));
    same((core) => core.positionAt(icn, 1));
    same((core) => core.svg(icn));
  });
  for (const word of ['rose', 'hu', '[1,2]^*|-/']) same((core) => core.piece(word, { svg: true }));
});

test('the same hashes of CPN, whatever its game', { skip }, () => {
  all(texts().filter(({ from }) => from === 'cpn'), ({ text, from }) => {
    same((core) => core.cph(text, { from }));
    same((core) => core.convert(text, 'cpn', { from }));
  });
});

test('finite games are refused with a clear word', { skip }, () => {
  const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const sfen = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
  const known = [['fen', fen], ['sfen', sfen], ['pgn', '1. e4 e5 2. Nf3'], ['csa', 'V2.2\nPI\n+\n+7776FU\n'], ['usi', 'startpos moves 7g7f'], ['uci', 'e2e4 e7e5'], ['kif', '手合割：平手\n']];
  for (const [from, text] of known) {
    for (const ask of [small.cph, small.read, small.gameHash, small.legalMoves, small.svg, small.open]) {
      const error = thrown(() => ask(text, { from }));
      assert.equal(error.kind, 'unknown-format');
      assert.equal(error.message, `this build does not know ${from.toUpperCase()}, only ICN, its long form and CPN`);
    }
    assert.equal(small.check(text, { from }).ok, false);
    assert.equal(small.split(text, { from })[0].format, from);
    assert.equal(thrown(() => small.convert('K5,1|k5,8', from)).kind, 'no-such-form');
  }
  assert.match(thrown(() => small.cph(fen)).message, /does not know FEN/);
  const board = small.positionAt(whole.convert(fen, 'cpn'));
  assert.deepEqual([board.game, board.hash], ['other', whole.cph(fen)]);
  assert.ok(small.svg(whole.convert(sfen, 'cpn')).startsWith('<svg'));
});
