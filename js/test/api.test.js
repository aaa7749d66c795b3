// What the calls promise.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { ask, core } from '../core.js';
import init, * as boardprint from '../node.js';
import { all, file, rows, thrown } from './corpus.js';

const { BoardprintError, check, convert, convertWithLoss, cph, legalMoves, open, piece, play, positionAt, read, split, svg } = boardprint;
const GAME = file('corpus/games/tom-ben-today.icn');
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

test('a position hash is the SHA-1 of its CPN', () => {
  for (const text of ['K0,0|k1000000000000000,3', START, GAME]) {
    assert.equal(cph(text), createHash('sha1').update(convert(text, 'cpn')).digest('hex'));
  }
});

test('read gives tags, moves, clocks and warnings', () => {
  const { format, game, variant, tags, result, plies, moves, warnings } = read(GAME);
  assert.deepEqual([format, game, variant, result, plies, warnings.length], ['icn', 'infinite', 'Classical', '0-1', 22, 0]);
  assert.deepEqual(tags[0], { name: 'Event', value: 'Casual infinite chess game' });
  assert.deepEqual(moves[0], { ply: 1, move: '4,2>4,4', from: '4,2', to: '4,4', clock: '0:09:58.2' });
  assert.equal(moves[8].move, '2,7>1,8=Q');
  const hashed = read(GAME, { hashes: true });
  assert.equal(hashed.moves[21].hash, cph(GAME));
  assert.equal(hashed.hash, cph(GAME, { ply: 0 }));
});

test('moves that nobody has looked at yet do not depend on what happens meanwhile', () => {
  const record = open(GAME);
  const reading = record.read();
  record.free();
  assert.deepEqual(reading, read(GAME));
  const long = JSON.parse(convert(GAME, 'json'));
  const [before, after] = [read(long), structuredClone(long)];
  long.moves.pop();
  assert.deepEqual(before, read(after));
  assert.equal(JSON.parse(JSON.stringify(read(GAME))).moves.length, 22);
  assert.deepEqual(read('K0,0|k9,9').moves, []);
});

// A record that is open is described by other code than a text in plain spelling.
test('icn.jsonl, replay.jsonl: a text is read as a record is', () => {
  all([...rows('icn/icn.jsonl').filter((row) => row.verdict !== 'error'), ...rows('replay/replay.jsonl')], ({ icn }) => {
    const record = open(icn, { from: 'icn' });
    const expected = JSON.stringify(record.read());
    record.free();
    for (let time = 0; time < 2; time += 1) assert.equal(JSON.stringify(read(icn, { from: 'icn' })), expected);
  });
});

test('the format of a plain text is found out, too', () => {
  const game = '[Event "x"] K5,1|k5,8 5,1>5,2';
  assert.equal(read(game).format, 'icn');
  assert.deepEqual(read(game), read(game, { from: 'icn', dialect: undefined }));
  assert.equal(thrown(() => read(game, { from: 'pgn' })).kind, 'not-a-move');
  assert.equal(thrown(() => read(game, { form: 'icn' })).kind, 'usage');
  assert.equal(read(game, { hashes: true }).moves[0].hash, cph(game));
});

test('moves and warnings that are made when somebody looks are ordinary members', () => {
  // The second letter is wrong.
  const text = '[Result "1-0"] K5,1|k5,8 K5,1>5,2{hm}|q5,8>5,7!';
  const reading = read(text);
  assert.deepEqual(Object.keys(reading), ['format', 'game', 'variant', 'tags', 'result', 'plies', 'warnings', 'moves']);
  assert.deepEqual([reading.result, reading.plies, reading.warnings.length, reading.warnings[0].kind], ['1-0', 2, 1, 'piece-letter']);
  assert.equal(text.slice(reading.warnings[0].start, reading.warnings[0].end), 'q');
  assert.deepEqual(reading.moves.map(({ move, comment, marks }) => [move, comment, marks]), [['5,1>5,2', 'hm', undefined], ['5,8>5,7', undefined, '!']]);
  assert.ok(reading.moves === reading.moves && reading.warnings === reading.warnings);
  for (const copy of [{ ...read(text) }, structuredClone(read(text)), JSON.parse(JSON.stringify(read(text))), Object.assign({}, read(text))]) assert.deepEqual(copy, reading);
  assert.deepEqual(read(text), reading);
  // A reactive object is a proxy.
  for (const other of [Object.create(read(text)), new Proxy(read(text), {})]) {
    assert.deepEqual([other.moves, other.warnings], [reading.moves, reading.warnings]);
    other.moves = [];
    assert.deepEqual(other.moves, []);
  }
  const changed = read(text);
  changed.moves = [];
  changed.warnings.push('one more');
  delete changed.tags;
  assert.deepEqual([changed.moves, changed.warnings.length, 'tags' in changed], [[], 2, false]);
  delete changed.moves;
  assert.ok(!('moves' in changed));
  const frozen = Object.freeze(read(text));
  assert.equal(frozen.moves, frozen.moves);
  assert.throws(() => { frozen.moves = []; }, TypeError);
  assert.deepEqual(read('K5,1|k5,8 K5,1>5,2').warnings, []);
});

test('texts of any length and script cross as they are', () => {
  const list = Array.from({ length: 30000 }, (_, x) => `p${x},7`).join('|');
  const [small, large] = ['[Event "große 将棋 😀"] K0,0|k9,9', `[Event "große 将棋 😀"] K0,0|k9,9|${list}`];
  for (const text of [small, large, small, large]) {
    assert.equal(read(text).tags[0].value, 'große 将棋 😀');
    assert.equal(cph(text), createHash('sha1').update(convert(text, 'cpn')).digest('hex'));
  }
  assert.equal(read('[Event "\ud800"] K0,0').tags[0].value, '\ufffd');
});

test('read gives SAN and UCI of finite games', () => {
  const { format, game, moves, result } = read('[White "Ann"]\n\n1. e4 e5 2. Nf3 1-0');
  assert.deepEqual([format, game, result], ['pgn', 'western', '1-0']);
  assert.deepEqual(moves[2], { ply: 3, move: 'g1f3', uci: 'g1f3', san: 'Nf3' });
});

test('errors have kind, place and hint', () => {
  const error = thrown(() => read('[Event "😀"]\nK0,0|Kx'));
  assert.ok(error instanceof BoardprintError && error instanceof Error);
  assert.deepEqual([error.kind, error.line], ['syntax', 2]);
  const twice = thrown(() => read('K1,1|Q1,1'));
  assert.deepEqual(['K1,1|Q1,1'.slice(twice.start, twice.end), 'K1,1|Q1,1'.slice(twice.also.start, twice.also.end)], ['Q1,1', 'K1,1']);
  assert.ok(twice.message.length > 0 && !twice.message.includes('{'));
  assert.equal(thrown(() => read('Dear reader')).kind, 'unknown-format');
  assert.equal(thrown(() => positionAt(GAME, 23)).kind, 'no-such-ply');
  // The game leaves the usual board.
  assert.equal(thrown(() => convert(GAME, 'fen')).kind, 'other-board');
  assert.equal(thrown(() => cph(GAME, { plyy: 1 })).kind, 'usage');
  assert.equal(thrown(() => cph(GAME, { ply: -1 })).kind, 'usage');
  assert.throws(() => cph(7), TypeError);
  // A file that nobody has decoded.
  for (const bytes of [Buffer.from('K1,1|k3,3'), new Uint8Array(9), new ArrayBuffer(9)]) assert.throws(() => cph(bytes), { name: 'TypeError', message: /decode/ });
  assert.equal(cph(new String('K1,1|k3,3')), cph('K1,1|k3,3'));
});

test('options are checked, values too', () => {
  for (const options of [{ strict: 'yes' }, { strict: 1 }, { freeNames: 0 }, { rights: 'on' }, { asGiven: 'x' }, { ply: NaN }]) assert.equal(thrown(() => cph(GAME, options)).kind, 'usage');
  assert.equal(thrown(() => svg(GAME, { flip: 'yes' })).message, 'option `flip` cannot be `yes`');
  assert.equal(cph(GAME, { strict: false, rights: true, freeNames: undefined }), cph(GAME));
  assert.equal(thrown(() => read('K05,1|k5,8', { strict: true })).kind, 'syntax');
  assert.equal(thrown(() => boardprint.gameHash(GAME, { ply: 1 })).hint, 'this call knows from, game, dialect, strict, freeNames');
  assert.equal(thrown(() => check(GAME, { ply: 1 })).kind, 'usage');
  assert.match(thrown(() => legalMoves(GAME, { square: 'x' })).message, /`square`/);
});

test('places count as JavaScript does', () => {
  const text = '[Event "😀"]\n[White "x"] K01,1|k5,8';
  const [warning] = read(text).warnings;
  assert.equal(text.slice(warning.start, warning.end), '01');
  assert.deepEqual([warning.kind, warning.line, warning.column], ['leading-zero', 2, 14]);
});

test('positionAt gives the notations of the board', () => {
  const open = positionAt(GAME, 0);
  assert.deepEqual([open.game, open.turn, open.fen, open.lost.length], ['infinite', 'white', undefined, 0]);
  // The start is that of Western chess, the end is not.
  assert.equal(convert(GAME, 'fen', { ply: 0 }), START);
  assert.ok(open.icn.endsWith('R8,1+'));
  assert.deepEqual(positionAt(GAME, Infinity).conclusion, { condition: 'checkmate', winner: 'black' });
  const finite = positionAt('1. e4 e5', 1);
  assert.equal(finite.fen, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
  assert.equal(finite.icn, undefined);
  assert.deepEqual(finite.lost, ['castling']);
  assert.deepEqual(positionAt('1. e4 e5', 1, { rights: true }).lost, []);
});

test('legal moves of finite games and of the open board', () => {
  assert.equal(legalMoves(START).count, 20);
  assert.deepEqual(legalMoves(START, { square: 'g1' }).moves.map(({ san }) => san).sort(), ['Nf3', 'Nh3']);
  const { count, rays, moves, complete } = legalMoves('R0,0|P0,5');
  assert.deepEqual([count, rays.length, complete], [null, 4, true]);
  assert.ok(rays.some(({ from, step, first, last }) => from === '0,0' && step === '0,1' && first === '1' && last === '4'));
  assert.deepEqual(moves, [{ move: '0,5>0,6', from: '0,5', to: '0,6' }]);
  const promotions = legalMoves('(8|1) P1,7|K5,1|k5,8', { square: '1,7' }).moves.map(({ move }) => move);
  assert.deepEqual(promotions.sort(), ['1,7>1,8=B', '1,7>1,8=N', '1,7>1,8=Q', '1,7>1,8=R']);
});

test('check finds what is wrong, unreadable texts too', () => {
  assert.deepEqual(check(START), { ok: true, legal: true, firstIllegalPly: null, conclusion: null, findings: [] });
  const illegal = check('K5,1|R8,1|P8,2|k5,8 8,1>8,9');
  assert.deepEqual([illegal.legal, illegal.firstIllegalPly, illegal.findings[0].kind], [false, 1, 'illegal-move']);
  const pgn = check('1. e4 e5 2. Ke3');
  assert.deepEqual([pgn.legal, pgn.firstIllegalPly], [false, 3]);
  const broken = check('K1,1|Q1,1');
  assert.deepEqual([broken.ok, broken.findings[0].kind, broken.findings[0].start], [false, 'syntax', 5]);
  for (const text of ['', 'Dear reader']) {
    const { ok, legal, findings: [{ kind, line, column, hint }] } = check(text);
    assert.deepEqual([ok, legal, kind, line, column], [false, null, 'unknown-format', 1, 1]);
    assert.match(hint, /`from`/);
  }
  assert.equal(thrown(() => check(START, { from: 'x' })).kind, 'usage');
});

test('pictures are SVG', () => {
  const picture = svg(GAME, { ply: 3, theme: 'dark', flip: true, width: 300 });
  assert.ok(picture.startsWith('<svg xmlns="http://www.w3.org/2000/svg"') && picture.includes('width="300"'));
  assert.ok(svg(START).includes('</svg>'));
  assert.notEqual(svg(START), svg(START, { window: [1, 1, 4, 4] }));
});

test('piece says where a movement goes', () => {
  const knight = piece('[1,2]|-/');
  assert.deepEqual([knight.moves.length, knight.complete], [8, true]);
  assert.deepEqual(piece('n').moves, knight.moves);
  assert.equal(piece('[1,2]^*|-/', { unbounded: true, to: '1000000000000000,2000000000000000' }).answer, 'quiet');
  assert.deepEqual(piece('[1,0]^*|/', { at: [1, 1], window: [1, 1, 8, 8] }).moves.length, 14);
  assert.deepEqual(piece('[1,0]^*', { enemies: ['3,0'], window: '0,0,7,7' }).captures, [[3, 0]]);
  assert.ok(piece('rose', { svg: true }).svg.startsWith('<svg'));
  assert.equal(thrown(() => piece('[1,2')).kind, 'syntax');
  assert.equal(thrown(() => piece('nosuchpiece')).kind, 'unknown-piece');
  assert.equal(thrown(() => piece('Läufer')).kind, 'unknown-piece');
  assert.equal(thrown(() => piece('rose™')).kind, 'unknown-piece');
  assert.equal(thrown(() => piece('rose!')).kind, 'syntax');
});

test('conversions say what they lose', () => {
  assert.deepEqual(convertWithLoss(START, 'cpn').lost.includes('castling'), true);
  assert.equal(convert(convert(GAME, 'json'), 'icn'), convert(GAME, 'icn'));
  assert.equal(convert(JSON.parse(convert(GAME, 'json')), 'icn'), convert(GAME, 'icn'));
  assert.ok(convert('1. e4 e5', 'pgn').includes('1. e4 e5'));
  assert.equal(convert('K1,1|k3,3|Q2,2', 'cpn', { grid: true }).split('--')[1], '3,3');
});

test('a game stays a game in every notation of games', () => {
  const western = ['1. e4 e5 2. Nf3', ['uci', 'pgn', 'icn', 'json']];
  const shogi = ['startpos moves 7g7f 3c3d', ['usi', 'uci', 'csa', 'kif', 'pgn']];
  for (const [game, formats] of [western, shogi]) {
    for (const to of formats) assert.equal(read(convert(game, to), { from: to }).plies, read(game).plies, to);
  }
  assert.equal(convert(shogi[0], 'usi'), 'position startpos moves 7g7f 3c3d');
  // In JSON other games are boards.
  const boards = [undefined, 2, 0].map((ply) => convert(shogi[0], 'json', { ply }));
  assert.deepEqual([boards[0] === boards[1], boards[0] === boards[2]], [true, false]);
});

test('a record that was freed says so', () => {
  const record = open(GAME);
  record.free();
  record.free();
  for (const ask of [() => record.canon(), () => record.plies, () => cph(record), () => record.play('5,1>5,2')]) assert.equal(thrown(ask).kind, 'freed');
});

test('a core that has stopped is started again', () => {
  const record = open(GAME);
  const [first, second] = ['K1,1|k5,8', 'K2,1|k5,8'];
  for (let time = 0; time < 3; time += 1) boardprint.ShortToLong_Format(first);
  // More than there is.
  const error = thrown(() => ask(() => core.room(2 ** 32 - 1)));
  assert.deepEqual([error instanceof BoardprintError, error.kind], [true, 'out-of-memory']);
  assert.equal(cph(GAME).length, 40);
  assert.deepEqual(read(GAME), JSON.parse(JSON.stringify(read(GAME))));
  // The start that the new core learns first is not the one that the old core had learnt first.
  for (let time = 0; time < 3; time += 1) assert.deepEqual(boardprint.ShortToLong_Format(second).startingPosition, { '5,8': 'kingsB', '2,1': 'kingsW' });
  assert.equal(thrown(() => record.canon()).kind, 'freed');
  record.free();
  const again = open(GAME);
  assert.equal(again.cph(), cph(GAME));
  again.free();
});

test('a record that is open answers as the text does', () => {
  const record = open(GAME);
  assert.equal(record.plies, 22);
  assert.equal(record.cph(), cph(GAME));
  assert.equal(cph(record, { ply: 3 }), cph(GAME, { ply: 3 }));
  assert.deepEqual(record.positionAt(5), positionAt(GAME, 5));
  record.free();
});

test('play goes on from the last position', () => {
  const game = play('1. e4', ['e7e5', 'Nf3']);
  assert.deepEqual(game.hashes(), boardprint.hashes('1. e4 e5 2. Nf3'));
  game.free();
  const infinite = play('(8|1) P1,7|K5,1|k5,8', '1,7>1,8=Q|5,8>5,7');
  assert.equal(infinite.canon(), '(8|1) k5,8|P1,7|K5,1 1,7>1,8=Q|5,8>5,7');
  infinite.free();
  assert.equal(thrown(() => play('1. e4', 'e2e4')).kind, 'illegal-move');
  assert.equal(thrown(() => play('K5,1|k5,8', '6,1>6,2')).kind, 'empty-square');
  for (const wrong of ['zz', '8', '(8|1)', 'checkmate', 'b', '[Event "x"]', ['zz'], 7]) assert.equal(thrown(() => play('K5,1|k5,8', wrong)).kind, 'illegal-move', String(wrong));
  for (const none of ['', ' ', []]) assert.equal(play('K5,1|k5,8', none).plies, 0);
});

test('a text of many records is split', () => {
  const parts = split(`${START}\n\n8/8/8/4k3/8/8/8/4K3 w - - 0 1\n`);
  assert.deepEqual(parts.map(({ format, line }) => [format, line]), [['fen', 1], ['fen', 3]]);
  const games = file('corpus/games/lines.icn');
  for (const { text, start, end } of split(games)) assert.equal(games.slice(start, end), text);
  assert.equal(split(`${START}\n${START}`, { limit: 1 }).length, 1);
});

test('loading again does nothing, from bytes too', async () => {
  await init(readFileSync(new URL('../pkg/boardprint.wasm', import.meta.url)));
  assert.equal(cph(START), '5693c349961f8bc345c6c11418aa00be3a038d8f');
});

test('hostile texts give errors and the core goes on', () => {
  for (const text of ['', '\u0000', '\ud800', '('.repeat(100_000), '{'.repeat(100_000), '['.repeat(100_000), `K${'9'.repeat(200_000)},1`, '|'.repeat(1000), '1. '.repeat(10_000)]) {
    for (const from of ['icn', 'json', 'cpn', 'fen', 'sfen', 'pgn']) {
      try {
        read(text, { from });
        svg(text, { from });
      } catch (error) {
        assert.ok(error instanceof BoardprintError, `${from} ${text.slice(0, 20)}: ${error.stack}`);
      }
    }
  }
  assert.equal(cph('K0,0|k1,3').length, 40);
});

test('what is said about moves comes through whatever it is made of', () => {
  const { moves } = read('K1,1|k9,9 1,1>1,2!? {[%clk 0:10:00] so}|9,9>9,8 {"quoted"}|1,2>1,3 {a\tb\u001fc}|9,8>9,7 {[%clk ]}|1,3>1,4');
  assert.deepEqual(moves, [
    { ply: 1, move: '1,1>1,2', from: '1,1', to: '1,2', marks: '!?', comment: 'so', clock: '0:10:00' },
    { ply: 2, move: '9,9>9,8', from: '9,9', to: '9,8', comment: '"quoted"' },
    { ply: 3, move: '1,2>1,3', from: '1,2', to: '1,3', comment: 'a\tb\u001fc' },
    { ply: 4, move: '9,8>9,7', from: '9,8', to: '9,7', clock: '' },
    { ply: 5, move: '1,3>1,4', from: '1,3', to: '1,4' },
  ]);
  assert.deepEqual(read('K1,1|k9,9').moves, []);
});
