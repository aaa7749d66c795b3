// Parts of the page that need no browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { Axis, UNIT } from '../assets/axis.js';
import { readBoard } from '../assets/cpn.js';
import { figures, makruk } from '../assets/glyphs.js';
import { letters, moveName, readSquare, short } from '../assets/label.js';
import { Line } from '../assets/line.js';
import { squareName, squareOf } from '../assets/plain-board.js';
import { isOnRay, readRay } from '../assets/rays.js';

const repository = new URL('../../../', import.meta.url);
const lines = (path) => fs.readFileSync(new URL(path, repository), 'utf8').trim().split('\n').map((line) => JSON.parse(line));

test('a place leads back to its line, at any distance', () => {
  const far = [10n ** 15n, -(10n ** 15n) + 1n, 10n ** 40n, -(2n ** 63n), 0n, 3n, 9n, 20n];
  for (const fold of [true, false]) {
    const axis = new Axis(far, fold);
    for (const line of far.flatMap((line) => [line - 1n, line, line + 1n])) {
      assert.equal(axis.at(axis.place(line)).line, line);
      assert.equal(axis.at(axis.place(line) + UNIT - 1n).line, line);
    }
  }
});

test('lines and folds follow each other without a hole', () => {
  const axis = new Axis([0n, 5n, 100n, 10n ** 20n], true);
  let next = null;
  let folds = 0;
  for (const { line, fold } of axis.between(...axis.ends, 1000)) {
    const first = fold ? fold.first : line;
    if (next !== null) assert.equal(first, next);
    if (fold) folds += 1;
    next = (fold ? fold.last : line) + 1n;
  }
  assert.equal(folds, 2);
  assert.ok(next > 10n ** 20n);
});

test('beyond the pieces the board goes on', () => {
  const axis = new Axis([0n], true);
  assert.equal(axis.place(10n ** 30n) - axis.place(0n), 10n ** 30n * UNIT);
  assert.equal(axis.at(axis.place(-(10n ** 30n))).line, -(10n ** 30n));
});

test('short labels are those of the pictures', () => {
  const labels = { 1000000000000000: '10^15', 1000000000000012: '10^15+12', 999999999999999: '10^15-1', '-999999999999999': '-10^15+1', 7000000000000: '7*10^12', 123456: '123456', '9223372036854775807': '9223..75807', '-9223372036854775807': '-9223..5807' };
  for (const [digits, label] of Object.entries(labels)) assert.equal(short(BigInt(digits)), label);
  assert.deepEqual([1, 26, 27, 52, 703].map(letters), ['a', 'z', 'aa', 'az', 'aaa']);
  assert.equal(moveName({ move: '1000000000000000,7>0,7' }), '10^15,7>0,7');
});

test('a short label reads back as the square it means', () => {
  for (const [label, x, y] of [['10^15+12,-3', 10n ** 15n + 12n, -3n], ['-10^15+1, 2*10^9', 1n - 10n ** 15n, 2n * 10n ** 9n], ['1e15,+7', 10n ** 15n, 7n]]) {
    assert.deepEqual(readSquare(label), { x, y });
  }
  for (const wrong of ['', '1', '1,2,3', 'a,b', '1.5,2', '10^99999,1', '1,']) assert.equal(readSquare(wrong), null);
});

test('every CPN of the vectors becomes a board with as many pieces', () => {
  let boards = 0;
  for (const { cpn, occupied, hand } of lines('corpus/fen/fen.jsonl')) {
    const board = readBoard(cpn);
    assert.equal(board.pieces.length, occupied, cpn);
    assert.equal(board.hand.reduce((sum, { count }) => sum + count, 0), hand.length, cpn);
    assert.ok(board.pieces.every((piece) => piece.look !== 'card'), cpn);
    boards += 1;
  }
  assert.ok(boards > 100);
});

test('the pieces of an open board are where their names say', () => {
  const board = readBoard('B--3--INFINITE:^K_0_0,infinite:+p_1000000000000000_n999,infinite_0:ep_3_N4--');
  assert.ok(board.open);
  assert.deepEqual(board.pieces.map(({ x, y, name, right }) => [x, y, name, right]), [[0n, 0n, 'white king', false], [10n ** 15n, -999n, 'black pawn', true]]);
  assert.deepEqual(board.enPassant, { x: 3n, y: -4n });
});

test('squares of finite boards have the names of their rulers', () => {
  const western = readBoard(lines('corpus/fen/fen.jsonl')[0].cpn);
  assert.equal(squareName(western, { x: 5n, y: 4n }), 'e4');
  assert.deepEqual(squareOf(western, 'e4'), { x: 5n, y: 4n });
  for (const wrong of ['i1', 'a9', 'a0', '@', '']) assert.equal(squareOf(western, wrong), null);
  const shogi = readBoard(lines('corpus/fen/fen.jsonl').find(({ variant }) => variant === 'shogi').cpn);
  assert.equal(squareName(shogi, { x: 3n, y: 3n }), '7g');
});

test('the page draws the shapes of the pictures', () => {
  const source = fs.readFileSync(new URL('crates/render/src/svg/shapes.rs', repository), 'utf8');
  const paths = (shape) => [...(shape[1].d ? [shape[1].d] : []), ...shape.slice(2).flatMap(paths)];
  for (const shape of [...Object.values(figures), ...Object.values(makruk)].flat()) {
    for (const d of paths(shape)) assert.ok(source.includes(`d="${d}"`), d);
  }
  assert.equal(Object.keys(figures).length, 22);
});

test('the address of a position says how to get it back', () => {
  const start = { hash: 'a'.repeat(40), game: 'infinite', turn: 'white', icn: 'K5,1|k5,8', cpn: '', lost: [] };
  const line = new Line(start, [{ move: '5,1>5,2', hash: 'b'.repeat(40), stored: false }]);
  const said = (line, filters = {}) => Object.fromEntries(new URL(line.address(filters), 'http://host').searchParams);
  assert.equal(new URL(line.address({}), 'http://host').pathname, `/p/${'b'.repeat(40)}`);
  assert.deepEqual(said(line, { player: 'Ada & Bo' }), { player: 'Ada & Bo', text: 'K5,1|k5,8', of: 'infinite', play: '5,1>5,2', ply: '1' });
  // A hash alone stands for what the database has, and the usual start needs no text where there is a database.
  assert.equal(new Line(start, [], { given: false }).address({}), `/p/${'a'.repeat(40)}`);
  const usual = { ...start, game: 'western', icn: undefined, fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' };
  assert.equal(new Line(usual).address({}), `/p/${'a'.repeat(40)}`);
  const [e4, e5] = [{ move: 'e2e4', hash: 'c', stored: true }, { move: 'e7e5', hash: 'd', stored: true }];
  assert.deepEqual(said(new Line(usual, [e4, e5])), { play: 'e2e4|e7e5', ply: '2' });
  assert.equal(new URL(new Line(usual, [e4]).address({}, false), 'http://host').searchParams.get('text'), usual.fen);
  // A position that another game leads to is where the line goes on from.
  const base = { ...usual, fen: 'other' };
  const led = new Line(usual, [{ ...e4, base }, e5]);
  assert.deepEqual(led.question(), { position: 'other', play: 'e7e5', game: 'western' });
  assert.deepEqual(said(led), { text: 'other', of: 'western', play: 'e7e5', ply: '1' });
  led.ply = 0;
  assert.deepEqual(led.question(), { position: usual.fen, play: '', game: 'western' });
  assert.deepEqual(said(led), {});
  const long = new Line({ ...start, icn: 'K5,1|'.repeat(2000) });
  assert.match(long.address({}), /^\/p\/a{40}#text=/);
});

test('a ray has gaps: primes, squares left out, squares of other lines', () => {
  const reached = (more, most = 12) => {
    const ray = readRay({ from: '4,1', step: '0,1', first: '1', last: null, ...more });
    return Array.from({ length: most }, (_, index) => index + 1).filter((k) => isOnRay(ray, { x: 4n, y: 1n + BigInt(k) }));
  };
  assert.deepEqual(reached({ last: '3' }), [1, 2, 3]);
  assert.deepEqual(reached({ first: '2', prime: true }), [2, 3, 5, 7, 11]);
  assert.deepEqual(reached({ except: ['4,3'], exceptLines: [{ origin: '4,6', step: '0,2', first: '0', last: '1' }] }, 8), [1, 3, 4, 6, 8]);
  assert.deepEqual(reached({ only: [{ origin: '0,5', step: '4,0', first: '1', last: null }] }), [4]);
  const far = readRay({ from: '0,0', step: '1,0', first: '2', last: null, prime: true });
  assert.ok(isOnRay(far, { x: 2n ** 89n - 1n, y: 0n }));
  assert.ok(!isOnRay(far, { x: 2n ** 89n + 1n, y: 0n }));
  assert.ok(!isOnRay(far, { x: 3n, y: 1n }));
});
