// The functions of FormatConverter.js: what its Usage page prints, and agreement with the core on every game.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  GameToPosition, LongToShort_CompactMove, LongToShort_Format, LongToShort_Piece, LongToShort_Position, ShortToLong_CompactMove, ShortToLong_Format,
  ShortToLong_Piece, canon, convert, gameHash, positionAt, read,
} from '../node.js';
import { all, file, rows, thrown } from './corpus.js';

// The page writes the tenth move with a comma too many, which the reader passes over.
const page = () => JSON.parse(file('corpus/json/usage.json'));
const clean = () => {
  const game = page();
  game.moves[9] = game.moves[9].replace(/,$/, '');
  return game;
};
const legacy = () => ({ ...page(), moves: JSON.parse(file('corpus/json/usage-legacy-moves.json')).moves });

const START = 'P1,2+|P2,2+|P3,2+|P4,2+|P5,2+|P6,2+|P7,2+|P8,2+|p1,7+|p2,7+|p3,7+|p4,7+|p5,7+|p6,7+|p7,7+|p8,7+|R1,1+|R8,1+|r1,8+|r8,8+|N2,1|N7,1|n2,8|n7,8|B3,1|B6,1|b3,8|b6,8|Q4,1|q4,8|K5,1+|k5,8+';
const BARE = '4,2>4,4|4,7>4,6|4,4>4,5|3,7>3,5|4,5>3,6|6,8>3,11|3,6>2,7|3,11>-4,4|2,7>1,8Q|-4,4>2,-2|5,1>4,2|7,8>6,6|1,8>2,8|5,8>7,8|2,8>1,7|4,8>0,4|1,7>7,13|7,8>8,8|7,13>7,7|8,8>7,7|8,2>8,4|0,4>4,4';

test('the page: the game of the long form in ICN', () => {
  const text = LongToShort_Format(page(), 2);
  const [tags, position, moves] = text.split('\n\n');
  assert.equal(tags.split('\n').length, 10);
  assert.equal(position, `w 0/100 1 (8|1) {"slideLimit":100,"cannotPassTurn":true} ${START}`);
  assert.equal(moves, BARE);
  assert.equal(gameHash(text), gameHash(page()));
});

test('the page: levels of compactness and lines', () => {
  const moves = (...options) => LongToShort_Format(legacy(), ...options).split('k5,8+')[1].trim();
  assert.ok(moves(0).startsWith('1. P4,2 > 4,4 | p4,7 > 4,6\n2. P4,4 > 4,5 | p3,7 > 3,5\n3. P4,5 x 3,6 | b6,8 > 3,11\n'));
  assert.ok(moves(0).endsWith('11. P8,2 > 8,4 | q0,4 > 4,4 #'));
  assert.ok(moves(0).includes('5. P2,7 x 1,8 =Q | b-4,4 > 2,-2 +\n'));
  assert.ok(moves(1).startsWith('P4,2>4,4|p4,7>4,6|P4,4>4,5|p3,7>3,5|P4,5x3,6|'));
  assert.ok(moves(1).includes('|P2,7x1,8=Q|b-4,4>2,-2+|'));
  assert.ok(!LongToShort_Format(legacy(), 0, false).includes('\n'));
  assert.equal(LongToShort_Format(legacy(), { compact_moves: 1, make_new_lines: false }), LongToShort_Format(legacy(), 1, false));
  for (const level of [0, 1, 2]) {
    for (const lines of [true, false]) assert.equal(gameHash(LongToShort_Format(legacy(), level, lines), { from: 'icn' }), gameHash(page()));
  }
});

test('the page: ICN back to the long form', () => {
  const long = ShortToLong_Format(LongToShort_Format(page()));
  assert.deepEqual(long, clean());
});

test('the page: moves of the older form', () => {
  const long = ShortToLong_Format(LongToShort_Format(legacy()), true);
  assert.deepEqual(long.moves, legacy().moves);
  const squares = ShortToLong_Format(LongToShort_Format(legacy()), false, false);
  assert.deepEqual(squares.moves[8], { startCoords: [2, 7], endCoords: [1, 8], promotion: 'queensW' });
});

test('the page: a player without a rank', () => {
  const text = LongToShort_Format({ gameRules: { promotionRanks: [8, undefined] }, startingPosition: { '5,1': 'kingsW', '5,8': 'kingsB' } });
  assert.equal(text, '(8|) K5,1|k5,8');
  assert.deepEqual(ShortToLong_Format(text).gameRules.promotionRanks, [8, undefined]);
});

test('the page: en passant is a square', () => {
  const long = { turn: 'black', enpassant: [4, 3], startingPosition: { '4,4': 'pawnsW', '5,4': 'pawnsB' } };
  assert.equal(LongToShort_Format(long), 'b 4,3 P4,4|p5,4');
  assert.deepEqual(ShortToLong_Format('b 4,3 P4,4|p5,4').enpassant, [4, 3]);
});

test('the page: single moves', () => {
  const long = { startCoords: '2,-3', endCoords: '2,-4', promotion: 'hawksB' };
  assert.deepEqual(ShortToLong_CompactMove('2,-3>2,-4ha'), long);
  assert.equal(JSON.stringify(ShortToLong_CompactMove('2,-3>2,-4ha')), '{"startCoords":"2,-3","endCoords":"2,-4","promotion":"hawksB"}');
  assert.equal(LongToShort_CompactMove(long), '2,-3>2,-4ha');
  assert.equal(LongToShort_CompactMove({ startCoords: [4, 2], endCoords: [4, 4] }), '4,2>4,4');
  assert.deepEqual(ShortToLong_CompactMove('4,2>4,4'), { startCoords: '4,2', endCoords: '4,4' });
  assert.equal(thrown(() => ShortToLong_CompactMove('4,2>4')).kind, 'syntax');
  for (const wrong of [{}, { startCoords: [4, 2] }, { startCoords: [4, 2], endCoords: [4] }, { startCoords: '4;2', endCoords: '4,4' }]) assert.equal(thrown(() => LongToShort_CompactMove(wrong)).kind, 'syntax');
  for (const wrong of [undefined, null, 7, {}]) assert.throws(() => ShortToLong_Format(wrong), TypeError);
});

test('the page: positions of a game', () => {
  assert.deepEqual(GameToPosition(legacy()), { ...legacy(), moves: [] });
  // The last but one position as the README of that time prints it; its extra rules have a blank after the colon there.
  const { metadata, ...game } = legacy();
  delete game.gameRules.cannotPassTurn;
  const before = LongToShort_Format(GameToPosition(game, 21), 2).trimEnd();
  assert.equal(before, 'b 8,3 0/100 11 (8|1) {"slideLimit":100} P1,2+|P2,2+|P3,2+|P5,2+|P6,2+|P7,2+|p5,7+|p6,7+|k7,7|p8,7+|R1,1+|R8,1+|N2,1|N7,1|B3,1|B6,1|b3,8|Q4,1|p4,6|b2,-2|K4,2|n6,6|r6,8|q0,4|P8,4');
  assert.deepEqual(GameToPosition(legacy(), Infinity), GameToPosition(legacy(), 22));
  const input = legacy();
  assert.equal(GameToPosition(input, 3, true), input);
  assert.deepEqual(input, GameToPosition(legacy(), 3));
  const kept = legacy();
  GameToPosition(kept, 3);
  assert.deepEqual(kept, legacy());
  // A move that nobody can make spoils no position before it.
  const broken = { ...legacy(), moves: [...legacy().moves.slice(0, 3), { startCoords: [9, 9], endCoords: [9, 8] }] };
  assert.deepEqual(GameToPosition(broken, 3), GameToPosition(legacy(), 3));
  assert.equal(thrown(() => GameToPosition(broken, 4)).kind, 'empty-square');
  const still = { startingPosition: { '5,1': 'kingsW' } };
  assert.equal(GameToPosition(still, 3), still);
});

test('replay.jsonl: positions of a game are those of the core, both ways are one game', () => {
  const two = rows('replay/replay.jsonl').filter((row) => / [wb] /.test(row.icn) && row.plies > 0);
  all(two.slice(0, 120), (row) => {
    const long = ShortToLong_Format(row.icn);
    assert.equal(gameHash(long), gameHash(row.icn));
    assert.equal(gameHash(LongToShort_Format(long)), gameHash(row.icn));
    for (const ply of [1, Math.floor(row.plies / 2), row.plies]) {
      assert.equal(canon(GameToPosition(long, ply)), positionAt(row.icn, ply).icn);
    }
  });
});

test('names of pieces are those of the core', () => {
  const codes = ['k', 'p', 'n', 'b', 'r', 'q', 'am', 'ha', 'ch', 'ar', 'gu', 'ca', 'gi', 'ze', 'ce', 'rq', 'rc', 'nr', 'hu', 'ro'];
  const list = [...codes.map((code, x) => `${code}${x},1`), ...codes.map((code, x) => `${code.toUpperCase()}${x},2`), 'ob0,0', 'vo1,0'].join('|');
  const { startingPosition } = ShortToLong_Format(list);
  assert.equal(canon(LongToShort_Position(startingPosition)), canon(list));
  for (const name of Object.values(startingPosition)) assert.equal(ShortToLong_Piece(LongToShort_Piece(name)), name);
  for (const wrong of ['queens', 'queensX', 'obstaclesW', '']) assert.throws(() => LongToShort_Piece(wrong), { kind: 'unknown-piece' });
  for (const wrong of ['x', 'Am', '', '1']) assert.throws(() => ShortToLong_Piece(wrong), { kind: 'unknown-piece' });
});

test('icn.jsonl, replay.jsonl: the long form is that of convert, the first time and later', () => {
  all([...rows('icn/icn.jsonl').filter((row) => row.verdict !== 'error'), ...rows('replay/replay.jsonl')], ({ icn }) => {
    const long = JSON.parse(convert(icn, 'json', { from: 'icn' }));
    const ranks = long.gameRules.promotionRanks;
    if (Array.isArray(ranks)) long.gameRules.promotionRanks = ranks.map((rank) => rank ?? undefined);
    for (let time = 0; time < 3; time += 1) {
      const made = ShortToLong_Format(icn);
      assert.deepEqual(made, long);
      for (const name of ['startingPosition', 'specialRights', 'metadata']) assert.equal(JSON.stringify(made[name]), JSON.stringify(long[name]));
    }
  });
});

test('the long form is plain data, whoever else has the same start', () => {
  for (const text of ['K5,1|k5,8+ 5,1>5,2{hm}', '[White "Tom"] K5,1|k5,8+ 5,1>5,2{hm}', 'K05,1|k5,8+ 5,1>5,2{hm}']) {
    const first = ShortToLong_Format(text);
    const expected = JSON.stringify(first);
    for (let time = 0; time < 3; time += 1) {
      const long = ShortToLong_Format(text);
      assert.ok(Object.values(Object.getOwnPropertyDescriptors(long)).every((member) => 'value' in member));
      assert.equal(JSON.stringify(long), expected);
      assert.deepEqual(structuredClone(long), first);
      assert.deepEqual({ ...long }, first);
      assert.deepEqual(Object.keys(long).slice(-4), ['specialRights', 'startingPosition', 'moves', 'notes']);
      // Nothing that somebody does to one result is seen in another one.
      long.moves.push('5,8>5,7');
      long.notes[1].comments.push('!');
      long.gameRules.winConditions.white.push('koth');
      long.gameRules.slideLimit = 5;
      long.specialRights['9,9'] = true;
      delete long.startingPosition['5,1'];
      delete long.turn;
      if (long.metadata) long.metadata.White = 'Ben';
    }
    assert.equal(JSON.stringify(first), expected);
  }
  assert.ok(!('moves' in ShortToLong_Format('K5,1|k5,8')) && !('notes' in ShortToLong_Format('K5,1|k5,8 5,1>5,2')));
});

test('texts of every size one after the other', () => {
  const large = Array.from({ length: 100_000 }, (_, x) => `p${x},7`).join('|');
  const start = { '5,8': 'kingsB', '5,1': 'kingsW' };
  for (let time = 0; time < 3; time += 1) {
    assert.deepEqual(ShortToLong_Format('K5,1|k5,8 5,1>5,2').startingPosition, start);
    assert.equal(Object.keys(ShortToLong_Format(`K5,1|k5,8|${large} 5,1>5,2`).startingPosition).length, 100_002);
    const many = Array.from({ length: 50_000 }, (_, ply) => (ply % 2 === 0 ? '5,1>5,2' : '5,8>5,7'));
    assert.deepEqual(ShortToLong_Format(`K5,1|k5,8 ${many.join('|')}`).moves, many);
  }
});

test('an object that inherits has what is made later, and members of its own', () => {
  for (const made of [read('K5,1|k5,8 5,1>5,2'), read('K05,1|k5,8 5,1>5,2'), read('e4 e5', { from: 'pgn' })]) {
    const heir = Object.create(made);
    assert.equal(heir.moves, made.moves);
    heir.moves = [];
    assert.deepEqual([heir.moves.length, Object.keys(heir)], [0, ['moves']]);
    assert.ok(made.moves.length > 0);
  }
});

test('the game of the page reads with one warning', () => {
  assert.deepEqual(read(page()).warnings.map(({ kind }) => kind), ['trailing-comma']);
});

// Each slip of the page, in the order of the table in docs/javascript.md.
test('the slips of the page are read as they were meant', () => {
  const kinds = (text) => read(text, { from: 'json' }).warnings.map(({ kind }) => kind);
  assert.equal(page().moves[9], '-4,4>2,-2,');
  assert.equal(gameHash(page()), gameHash(clean()));

  const ranks = '{"gameRules":{"promotionRanks":[8,undefined]},"startingPosition":{"5,1":"kingsW","5,8":"kingsB"}}';
  assert.throws(() => JSON.parse(ranks));
  assert.equal(canon(ranks, { from: 'json' }), '(8|) k5,8|K5,1');
  assert.equal(kinds(ranks).length, 1);

  const move = { startCoords: [2, 7], endCoords: [1, 8] };
  const played = (name) => gameHash({ startingPosition: { '2,7': 'pawnsW', '5,8': 'kingsB' }, moves: [{ ...move, type: 'pawnsW', [name]: 'queensW' }] });
  assert.equal(played('promote'), played('promotion'));

  assert.equal(LongToShort_CompactMove({ startCoords: '4,2', endCoords: '4,4' }), LongToShort_CompactMove({ startCoords: [4, 2], endCoords: [4, 4] }));
  assert.deepEqual(ShortToLong_Format(LongToShort_Format(legacy()), true).moves[0].startCoords, [4, 2]);

  const passing = ShortToLong_Format(LongToShort_Format(legacy()), true).moves[4];
  assert.deepEqual([passing.endCoords, passing.captured, passing.enpassant], [[3, 6], 'pawnsB', -1]);

  const one = clean();
  delete one.gameRules.cannotPassTurn;
  assert.equal(gameHash(one), gameHash(clean()));

  assert.ok(LongToShort_Format(legacy(), 0).includes('1. P4,2 > 4,4 | p4,7 > 4,6\n'));

  assert.ok(LongToShort_Format(one).includes('{"slideLimit":100}'));
  assert.ok(convert(one, 'icn', { style: 'readable' }).includes('{"slideLimit": 100}'));
});

test('the same start again is another object', () => {
  const many = Array.from({ length: 150 }, (_, x) => `P${x},2+`).join('|');
  for (const list of ['K5,1+|k5,8+', `${many}|K5,1|k5,8`]) {
    const first = ShortToLong_Format(`${list} 5,1>5,2`);
    const expected = JSON.parse(convert(`${list} 5,1>5,2`, 'json'));
    for (const name of ['startingPosition', 'specialRights', 'moves']) assert.deepEqual(first[name], expected[name]);
    assert.deepEqual(Object.keys(first.startingPosition), Object.keys(expected.startingPosition));
    delete first.startingPosition['5,1'];
    first.startingPosition['9,9'] = 'queensW';
    first.specialRights['9,9'] = true;
    first.moves.pop();
    const second = ShortToLong_Format(`${list} 5,1>5,2`);
    for (const name of ['startingPosition', 'specialRights', 'moves']) assert.deepEqual(second[name], expected[name]);
  }
});

test('more starts than are kept', () => {
  for (let round = 0; round < 2; round += 1) {
    for (let x = 0; x < 120; x += 1) assert.deepEqual(ShortToLong_Format(`K${x},1|k5,8`).startingPosition, { '5,8': 'kingsB', [`${x},1`]: 'kingsW' });
  }
});

test('owners and promotions that need a number are those of the core', () => {
  for (const text of ['w:b:r K1,1|k9,9|3k5,5|3p5,6|0q7,7|ob3,3|1ob4,4|2vo4,5', 'w:b:r (8|1|9) P1,7|p3,2|3P5,8|K1,1|k9,9|3k5,5 1,7>1,8=Q|3,2>3,1q|5,8>5,9=3Q']) {
    const core = (() => {
      try {
        return JSON.parse(convert(text, 'json', { from: 'icn' }));
      } catch (error) {
        return error.kind;
      }
    })();
    if (typeof core === 'string') assert.equal(thrown(() => ShortToLong_Format(text)).kind, core);
    else assert.deepEqual(JSON.parse(JSON.stringify(ShortToLong_Format(text))), core);
  }
});

test('notes are those of convert', () => {
  const text = 'K1,1|k9,9 1,1>1,2!? {[%clk 0:10:00] "so"}|9,9>9,8 {a\tb}{c}|1,2>1,3';
  assert.deepEqual(ShortToLong_Format(text).notes, JSON.parse(convert(text, 'json')).notes);
  assert.equal('notes' in ShortToLong_Format('K1,1|k9,9 1,1>1,2'), false);
});
