// The page: a text goes in, the explorer's views show what it means.

import assert from 'node:assert/strict';
import test from 'node:test';
import { accessible, onPage, shot, squareAt, text } from './browser.js';

const settled = (page) => page.waitForFunction(() => document.querySelector('.explore') && !document.querySelector('[aria-busy="true"]'));
/** What stands under a name in the list of notations. */
const notation = (page, name) => page.evaluate((name) => [...document.querySelectorAll('dl.notations dt')].find((term) => term.textContent === name)?.nextElementSibling.querySelector('code')?.textContent ?? null, name);

async function paste(page, value) {
  await page.fill('#text', value);
  await page.press('#text', 'Control+Enter');
  await settled(page);
}

test('shows a game, steps through it, gives every notation', onPage('/js/demo/', async (page) => {
  await settled(page);
  await page.waitForFunction(() => document.querySelector('.where')?.textContent === 'Ply 22 of 22');
  await page.waitForFunction(() => [...document.querySelectorAll('dl.notations dt')].some((term) => term.textContent === 'Game, readable'));
  assert.ok((await notation(page, 'Game, icn')).endsWith('8,2>8,4|0,4>4,4'));
  assert.match(await text(page, '#verdict'), /All moves are legal\. On the board: checkmate, black wins\./);
  assert.match(await text(page, '.move-line .comment'), /Checkmate, black wins/);
  const last = await notation(page, 'Hash');
  await page.click('[aria-label="Previous position"]');
  await page.waitForFunction(() => document.querySelector('.where').textContent === 'Ply 21 of 22');
  assert.notEqual(await notation(page, 'Hash'), last);
  await page.click('[aria-label="First position"]');
  await page.waitForFunction(() => document.querySelector('.where').textContent === 'Ply 0 of 22');
  assert.equal(await notation(page, 'Hash'), '6941f50c6860326714ffb7aad3662e1429c7fb38');
  await shot(page, 'game');
  await accessible(page);
}));

test('shows warnings and findings at their place', onPage('/js/demo/', async (page) => {
  await settled(page);
  await paste(page, '[Event: An old tag]\nw K05,1|R8,1|P8,2|k5,8\n1. R8,1 > 8,9');
  assert.match(await text(page, '#verdict'), /Not every move is legal/);
  const marks = await page.$$eval('#list li[data-kind]', (items) => items.map((item) => [item.dataset.kind, item.querySelector('mark')?.textContent ?? null]));
  assert.ok(marks.some(([kind, mark]) => kind === 'leading-zero' && mark === '0'), JSON.stringify(marks));
  assert.ok(marks.some(([kind]) => kind === 'colon-tag') && marks.some(([kind]) => kind === 'illegal-move'), JSON.stringify(marks));
  await shot(page, 'findings');
}));

test('an unreadable text says where and what to do', onPage('/js/demo/', async (page) => {
  await settled(page);
  await paste(page, 'K1,1|Q1,1');
  assert.match(await text(page, '.notice'), /Line 1, column 6/);
  assert.equal(await page.textContent('.notice mark'), 'Q');
}));

test('takes finite games, plays a move on the board, keeps its place in the address', onPage('/js/demo/', async (page) => {
  await settled(page);
  await paste(page, '1. e4 e5 2. Nf3');
  await page.waitForFunction(() => document.querySelector('.where')?.textContent === 'Ply 3 of 3');
  assert.equal(await notation(page, 'FEN'), 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2');
  await page.waitForFunction(() => [...document.querySelectorAll('dl.notations dt')].some((term) => term.textContent === 'Game, uci'));
  assert.equal(await notation(page, 'Game, uci'), 'position startpos moves e2e4 e7e5 g1f3');
  const hash = await notation(page, 'Hash');
  await page.reload();
  await settled(page);
  await page.waitForFunction(() => document.querySelector('.where')?.textContent === 'Ply 3 of 3');
  assert.equal(await notation(page, 'Hash'), hash);
  const at = [await squareAt(page, 8, 8, 2, 8), await squareAt(page, 8, 8, 3, 6)];
  await page.mouse.click(at[0].x, at[0].y);
  await page.waitForFunction(() => document.getElementById('status').textContent === '2 legal moves.');
  await page.mouse.click(at[1].x, at[1].y);
  await page.waitForFunction(() => document.querySelector('.where')?.textContent === 'Ply 4 of 4');
  assert.match(await notation(page, 'FEN'), /^r1bqkbnr\/pppp1ppp\/2n5\//);
}));

test('every example is read', onPage('/js/demo/', async (page) => {
  await settled(page);
  const count = await page.$$eval('#sample option', (options) => options.length);
  for (let index = 0; index + 1 < count; index += 1) {
    await page.selectOption('#sample', String(index));
    await settled(page);
    assert.equal(await page.$eval('.notice', (notice) => notice.querySelector('.problem') === null), true, `sample ${index}`);
    assert.match(await notation(page, 'Hash'), /^[0-9a-f]{40}$/);
  }
}));

test('a piece goes to the squares of its rays alone', onPage('/js/demo/', async (page) => {
  await settled(page);
  await paste(page, 'K5,1|HU4,1|k50,80');
  const keys = async (...names) => {
    for (const name of names) await page.keyboard.press(name);
  };
  // A huygen goes any prime distance.
  for (const [steps, move] of [[4, ''], [5, '1.4,1>4,6']]) {
    await page.fill('.go input', '4,1');
    await page.press('.go input', 'Enter');
    await page.focus('.board-frame');
    await keys('d', 'a', 'Enter');
    await page.waitForSelector('svg.board .target');
    await keys(...Array(steps).fill('w'), 'Enter');
    await page.waitForFunction((move) => document.querySelector('.line').textContent === move && !document.querySelector('svg.board .target'), move);
  }
  assert.match(await text(page, '#status'), /^Black to move/);
}));
