// The pictures of docs/explorer.md, small: `cp target/explorer/explorer-*.png docs/img/` takes them over.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ask, onPage, open, press, settled, shot, text } from './browser.js';

const small = { width: 1180, height: 780, deviceScaleFactor: 0.75 };

test('picture: a position with its moves', onPage('/', async (page) => {
  await ask(page, 'd4 d5 c4');
  await press(page, 'ArrowDown');
  assert.equal(await page.locator('tr.chosen').count(), 1);
  await shot(page, 'explorer-position');
}, small));

test('picture: a king far away', onPage('/', async (page) => {
  await ask(page, 'K1000000000000000,-999999999999999|R1000000000000000,7|k0,0');
  assert.match(await text(page, '.folds'), /10\^15/);
  await shot(page, 'explorer-far');
}, { ...small, colorScheme: 'dark' }));

test('picture: a game on the open board', onPage('/games?player=Tom', async (page) => {
  await page.click('.games tbody tr');
  await settled(page);
  for (let ply = 1; ply <= 10; ply++) await press(page, 'ArrowRight');
  assert.equal(await text(page, '.move-line .where'), 'Ply 10 of 22');
  await shot(page, 'explorer-game');
}, small));

test('picture: the health of a database', onPage(null, async (page) => {
  await open(page, '/health');
  await page.waitForSelector('.pair');
  await shot(page, 'explorer-health');
}, small));

test('picture: a phone', onPage('/', async (page) => {
  await ask(page, 'e4');
  assert.equal(await text(page, '.line [aria-current]'), 'e4');
  await shot(page, 'explorer-phone');
}, { width: 380, height: 760, deviceScaleFactor: 0.75, isMobile: true, hasTouch: true }));
