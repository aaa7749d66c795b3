import assert from 'node:assert/strict';
import test from 'node:test';
import { accessible, api, ask, onPage, open, press, settled, shot, text } from './browser.js';

test('a game is stepped through with the arrows', onPage('/games?player=Tom', async (page) => {
  await page.click('.games tbody tr');
  await settled(page);
  const id = Number(new URL(page.url()).searchParams.get('game'));
  const game = await api(`/games/${id}`);
  assert.equal(await text(page, '.tags h2'), 'Tom – Ben');
  for (let ply = 1; ply <= game.moves.length; ply++) {
    await press(page, 'ArrowRight');
    assert.equal(new URL(page.url()).pathname, `/p/${game.moves[ply - 1].hash}`);
    assert.equal(await text(page, '.move-line .where'), `Ply ${ply} of ${game.moves.length}`);
    if (ply === 9) await shot(page, 'game');
  }
  await page.click('button[aria-label="First position"]');
  await settled(page);
  assert.equal(new URL(page.url()).pathname, `/p/${game.start.hash}`);
  await page.click('.line li:nth-child(6) .ply');
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get('ply'), '6');
  await page.reload();
  await settled(page);
  assert.equal(await text(page, '.move-line .where'), `Ply 6 of ${game.moves.length}`);
  await accessible(page);
}));

test('keys that come faster than answers end where the last one says', onPage('/games?player=Tom', async (page) => {
  await page.click('.games tbody tr');
  await settled(page);
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.equal(await text(page, '.move-line .where'), 'Ply 11 of 22');
  const game = await api(`/games/${new URL(page.url()).searchParams.get('game')}`);
  assert.equal(new URL(page.url()).pathname, `/p/${game.moves[10].hash}`);
  assert.equal(await text(page, '.notations code'), game.moves[10].hash);
}));

test('the games page lists, filters and sorts', onPage('/games', async (page) => {
  assert.equal(await text(page, '.total'), '22 games');
  assert.equal(await page.locator('.games tbody tr').count(), 22);
  await page.selectOption('.single select[name=result]', 'draw');
  await page.click('.single .filters button.main');
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 3);
  assert.equal(new URL(page.url()).search, '?result=draw');
  await page.click('.single .filters button[type=reset]');
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 22);
  await page.fill('.single input[name=since]', '2024');
  await page.fill('.single input[name=until]', '2024-02-04');
  await page.press('.single input[name=until]', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 4);
  await open(page, '/games?minRating=2000');
  assert.equal(await page.locator('.games tbody tr').count(), 4);
  await open(page, '/games?order=plies');
  assert.match(await text(page, '.games tbody tr'), /Tom – Ben/);
  await open(page, '/games');
  await accessible(page);
  await shot(page, 'games');
}));

test('the health page shows numbers, duplicates side by side and findings', onPage('/health', async (page) => {
  await page.waitForSelector('.pair');
  assert.match(await text(page, '.facts'), /games ?22/);
  const pair = page.locator('.pair', { hasText: 'Club evening, copied' });
  assert.match((await pair.textContent()).replace(/\s+/g, ' '), /all 10 plies are equal/);
  await pair.locator('summary').click();
  await page.waitForSelector('.compare');
  assert.equal(await pair.locator('.compare tbody tr').count(), 10);
  // The list is scrolled to its end; what its columns are stays in sight.
  const [head, top] = await pair.locator('.compare').evaluate((table) => [table.querySelector('th').getBoundingClientRect().top, table.parentElement.getBoundingClientRect().top]);
  assert.ok(Math.abs(head - top) < 8, `${head} ${top}`);
  assert.match(await text(page, '.findings'), /missing-check/);
  assert.match(await text(page, '.findings'), /22 of 22 games checked/);
  await accessible(page);
  await shot(page, 'health', { fullPage: true });
  await page.locator('.finding a', { hasText: 'Ply 3' }).first().click();
  await settled(page);
  assert.equal(await text(page, '.move-line .where'), 'Ply 3 of 3');
}));

for (const colorScheme of ['light', 'dark']) {
  test(`a phone of 390 by 844 in ${colorScheme} colours`, onPage('/games', async (page) => {
    // The games come first: the filters are folded away, unless one is set.
    assert.equal(await page.locator('.single .filters').isVisible(), false);
    await shot(page, `phone-390-games-${colorScheme}`);
    await accessible(page);
    await page.click('.single summary');
    await page.fill('.single input[name=player]', 'tom');
    await page.press('.single input[name=player]', 'Enter');
    await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 1);
    await page.reload();
    await settled(page);
    assert.equal(await page.locator('.single .filters').isVisible(), true);
    await open(page, '/');
    const tops = await page.evaluate(() => ['.board-card', '.moves', '.games', '.notations'].map((name) => document.querySelector(name).getBoundingClientRect().top));
    assert.deepEqual(tops, tops.toSorted((a, b) => a - b));
    assert.deepEqual(await page.locator('.part > span:visible').evaluateAll((texts) => texts.filter((text) => text.offsetWidth > text.parentElement.clientWidth).map((text) => text.textContent)), []);
    await accessible(page);
    await shot(page, `phone-390-explore-${colorScheme}`, { fullPage: true });
    await open(page, '/health');
    await page.waitForSelector('.pair');
    await page.locator('summary', { hasText: 'source' }).click();
    await accessible(page);
    await shot(page, `phone-390-health-${colorScheme}`);
  }, { width: 390, height: 844, colorScheme, hasTouch: true, isMobile: true }));

  test(`a desktop of 1280 by 800 in ${colorScheme} colours`, onPage('/', async (page) => {
    await shot(page, `desktop-explore-${colorScheme}`);
    await page.click('.games tbody tr');
    await settled(page);
    await accessible(page);
    await shot(page, `desktop-game-${colorScheme}`, { fullPage: true });
    await open(page, '/games');
    await shot(page, `desktop-games-${colorScheme}`);
    await open(page, '/health');
    await page.waitForSelector('.pair');
    await shot(page, `desktop-health-${colorScheme}`);
  }, { width: 1280, height: 800, colorScheme }));

  test(`a phone in ${colorScheme} colours`, onPage('/games?player=Tom', async (page) => {
    const fits = async () => assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth), page.url());
    await fits();
    await accessible(page);
    await page.click('.games tbody tr');
    await settled(page);
    await press(page, 'ArrowRight');
    await fits();
    await accessible(page);
    await shot(page, `phone-${colorScheme}`, { fullPage: true });
    await open(page, '/health');
    await page.waitForSelector('.pair');
    await fits();
    await accessible(page);
    await ask(page, 'K1000000000000000,-999999999999999|R1000000000000000,7|k0,0');
    await fits();
  }, { width: 360, height: 740, colorScheme, hasTouch: true, isMobile: true }));
}

test('dark colours pass, and the choice is kept', onPage('/', async (page) => {
  await page.click('#theme');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  await accessible(page);
  await shot(page, 'explore-dark');
  await page.reload();
  await settled(page);
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  for (const address of ['/games', '/health']) {
    await open(page, address);
    await accessible(page);
  }
}));

for (const width of [360, 800, 1000, 1280]) {
  test(`the box has room on a page ${width} wide`, onPage('/', async (page) => {
    const box = await page.evaluate(() => document.querySelector('#box').clientWidth);
    assert.ok(box >= 240, String(box));
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
  }, { width }));
}

test('Tab goes from the box over the pages to the board', onPage('/', async (page) => {
  const visited = [];
  for (let i = 0; i < 10; i++) {
    await page.keyboard.press('Tab');
    visited.push(await page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.textContent));
  }
  assert.deepEqual(visited, ['skip', 'brand', 'box', 'kind', 'tool main', 'Explore', 'Games', 'Health', 'theme', 'board-frame']);
}));

test('results are those of the players of the game', onPage('/', async (page) => {
  const said = await page.evaluate(async () => {
    const [{ bar, legend, outcome }, { SIDES }] = await Promise.all([import('/assets/results.js'), import('/assets/cpn.js')]);
    const results = { white: 2, draw: 0, black: 1, unknown: 0 };
    return ['western', 'xiangqi', 'shogi'].map((game) => [bar(results, 3, SIDES[game]).title, legend(SIDES[game]).textContent, outcome('white', SIDES[game]).title]);
  });
  assert.deepEqual(said, [
    ['2 White won, 1 Black won', 'WhiteDrawBlackUnknown', 'White won'], ['2 Red won, 1 Black won', 'RedDrawBlackUnknown', 'Red won'],
    ['2 Sente won, 1 Gote won', 'SenteDrawGoteUnknown', 'Sente won'],
  ]);
}));

test('links between the pages need no new page', onPage('/', async (page) => {
  await page.evaluate(() => { window.same = true; });
  await page.click('nav.main >> text=Games');
  await settled(page);
  assert.equal(await page.getAttribute('nav.main [aria-current]', 'href'), '/games');
  await page.click('nav.main >> text=Health');
  await page.waitForSelector('.pair');
  await page.goBack();
  await settled(page);
  assert.equal(new URL(page.url()).pathname, '/games');
  assert.ok(await page.evaluate(() => window.same));
}));

test('the views work on a source without a database', onPage('/', async (page) => {
  const seen = await page.evaluate(async () => {
    const [{ ExploreView }, { HttpSource }] = await Promise.all([import('/assets/explore.js'), import('/assets/source-http.js')]);
    const http = new HttpSource();
    const none = { occurrences: 0, game_count: 0, results: { white: 0, black: 0, draw: 0, unknown: 0 }, moves: [], more_moves: 0, games: [], nextCursor: null };
    const source = { database: false, explore: async (question) => ({ ...(await http.explore(question)), ...none }), read: (text) => http.read(text), moves: (question) => http.moves(question), picture: () => null };
    const addresses = [];
    const view = new ExploreView(source, { say() {}, remember: (address) => addresses.push(address) });
    document.querySelector('main').replaceChildren(view.element);
    await view.ask('K5,1|Q4,1|k5,8 4,1>4,7|5,8>6,8');
    await view.go(1);
    return { addresses, side: view.side.hidden, where: view.element.querySelector('.where').textContent, board: view.element.querySelector('.board-frame').getAttribute('aria-label') };
  });
  assert.equal(seen.side, true);
  assert.equal(seen.where, 'Ply 1 of 2');
  assert.match(seen.board, /Black to move, 3 pieces/);
  assert.equal(new URL(seen.addresses.at(-1), 'http://host').searchParams.get('play'), '4,1>4,7|5,8>6,8');
}));

test('the page comes with a strict policy and nothing inline', async () => {
  const response = await fetch(`${process.env.BOARDPRINT_URL}/`);
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) {
    assert.ok(policy.split('; ').includes(part), `${part} in ${policy}`);
  }
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.doesNotMatch(await response.text(), /<style|<script>| style=| on[a-z]+=/);
});
