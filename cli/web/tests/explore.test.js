import assert from 'node:assert/strict';
import test from 'node:test';
import { accessible, api, ask, onPage, open, press, row, settled, shot, squareAt, text } from './browser.js';

const START = '5693c349961f8bc345c6c11418aa00be3a038d8f';
const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const START_CPN = 'B--8,8--w:r,w:n,w:b,w:q,w:^k,w:b,w:n,w:r,w:p,w:p,w:p,w:p,w:p,w:p,w:p,w:p,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,W:P,W:P,W:P,W:P,W:P,W:P,W:P,W:P,W:R,W:N,W:B,W:Q,W:^K,W:B,W:N,W:R--';
const path = (page) => new URL(page.url()).pathname;
const parameters = (page) => Object.fromEntries(new URL(page.url()).searchParams);

test('the first page is the start position with its moves, results and games', onPage('/', async (page) => {
  assert.equal(path(page), `/p/${START}`);
  assert.match(await text(page, '.head'), /^14 occurrences in 14 games/);
  assert.deepEqual(await row(page, 'd2d4'), { played: 3, reached: 3 });
  assert.equal(await page.locator('.games tbody tr').count(), 10);
  assert.match(await page.locator('.head .bar').getAttribute('aria-label'), /unknown/);
  await accessible(page);
  await shot(page, 'explore');
}));

test('a deep link opens the position', onPage(`/p/${START}`, async (page) => {
  assert.match(await text(page, '.head'), /^14 occurrences/);
  assert.match(await page.getAttribute('.board-frame', 'aria-label'), /White to move, 32 pieces/);
}));

test('a click on a row plays the move, and the browser goes back', onPage('/', async (page) => {
  await page.click('tr[data-move="d2d4"] td.results');
  await settled(page);
  assert.match(await text(page, '.head'), /^3 occurrences/);
  assert.equal(await text(page, '.line [aria-current]'), 'd4');
  assert.notEqual(path(page), `/p/${START}`);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('.head').textContent.startsWith('14 occurrences'));
  assert.equal(path(page), `/p/${START}`);
}));

test('arrows choose and step, Enter plays', onPage('/', async (page) => {
  const moves = await page.locator('.moves tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.move));
  await press(page, 'ArrowDown');
  await press(page, 'ArrowDown');
  assert.equal(await page.getAttribute('tr.chosen', 'data-move'), moves[1]);
  await press(page, 'ArrowUp');
  assert.equal(await page.getAttribute('tr.chosen', 'data-move'), moves[0]);
  await press(page, 'ArrowDown');
  await press(page, 'Enter');
  const after = path(page);
  assert.notEqual(after, `/p/${START}`);
  await press(page, 'ArrowLeft');
  assert.equal(path(page), `/p/${START}`);
  await press(page, 'ArrowRight');
  assert.equal(path(page), after);
  await press(page, 'ArrowRight');
  assert.equal(path(page), after);
}));

test('a slash goes to the box, and keys in it are text', onPage('/', async (page) => {
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'box');
  await page.keyboard.type('a/b');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.inputValue('#box'), 'a/b');
  assert.equal(path(page), `/p/${START}`);
}));

for (const [name, question, hash] of [
  ['a FEN', START_FEN, START], ['a CPN', START_CPN, START], ['a hash', START, START], ['the first digits of a hash', START.slice(0, 8), START],
  ['an ICN', 'K5,1|Q4,1|k5,8', '5b08068368779ee14edd1f6d08a84df15e7f110f'],
  ['an ICN with moves', 'K5,1|Q4,1|k5,8 4,1>4,7', 'd454b11de611812cc4ca85b2adf1df1cb204e9c7'],
]) {
  test(`the box takes ${name}`, onPage('/games', async (page) => {
    await ask(page, question);
    assert.equal(path(page), `/p/${hash}`);
    assert.doesNotMatch(await text(page, '.head'), /^0 /);
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains('board-frame')));
  }));
}

for (const moves of ['d4 d5 c4', '1. d4 d5 2. c4', 'd2d4 d7d5 c2c4']) {
  test(`the box takes moves: ${moves}`, onPage('/', async (page) => {
    await ask(page, moves);
    assert.match(await text(page, '.head'), /^2 occurrences/);
    assert.equal(await text(page, '.where'), 'Ply 3 of 3');
    await press(page, 'ArrowLeft');
    assert.equal(await text(page, '.line [aria-current]'), 'd5');
  }));
}

test('a text that is pasted is looked up at once', onPage('/', async (page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((fen) => navigator.clipboard.writeText(fen), 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1');
  await page.focus('#box');
  await page.keyboard.press('Control+V');
  await page.waitForFunction(() => document.querySelector('.head').textContent.startsWith('3 occurrences'));
  await settled(page);
}));

test('played and reached are two numbers', onPage('/', async (page) => {
  await ask(page, 'd4 d5 c4');
  assert.deepEqual(await row(page, 'e7e6'), { played: 1, reached: 2 });
  assert.deepEqual(await row(page, 'c7c6'), { played: 1, reached: 1 });
}));

test('a position that is not in the database keeps its text in the address', onPage('/', async (page) => {
  const fen = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1';
  await ask(page, fen);
  assert.match(await text(page, '.head'), /^0 occurrences in 0 games/);
  assert.equal(parameters(page).text, fen);
  const address = page.url();
  await page.reload();
  await settled(page);
  assert.equal(page.url(), address);
  assert.match(await page.getAttribute('.board-frame', 'aria-label'), /3 pieces/);
  await accessible(page);
}));

test('what cannot be read is shown with its place', onPage('/', async (page) => {
  await ask(page, 'K5,1|k5,08x');
  assert.match(await text(page, '.problem'), /Line 1, column 1[01]/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'box');
  await accessible(page);
  await shot(page, 'problem');
  await ask(page, START);
  assert.equal(await page.locator('.problem').count(), 0);
}, { expect: /400/ }));

test('what was looked up is in sight, wherever the page was', onPage('/', async (page) => {
  const isInSight = (selector) => page.evaluate((selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return box.top >= document.querySelector('header').getBoundingClientRect().bottom && box.top < innerHeight;
  }, selector);
  const down = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await down();
  await ask(page, 'nonsense');
  assert.ok(await isInSight('.problem'));
  await down();
  await ask(page, 'd4 d5');
  assert.ok(await isInSight('.board-frame'));
}, { expect: /400/ }));

test('the chosen move is not under the header', onPage('/', async (page) => {
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowDown');
  for (let i = 0; i < 7; i++) {
    await page.keyboard.press('ArrowUp');
    const [row, header] = await page.evaluate(() => [document.querySelector('tr.chosen').getBoundingClientRect().top, document.querySelector('header').getBoundingClientRect().bottom]);
    assert.ok(row >= header, `${row} ${header}`);
  }
}, { height: 400 }));

test('a pawn promotes to a queen before all others', onPage('/', async (page) => {
  await ask(page, '8/P7/8/4k3/8/8/8/4K3 w - - 0 1');
  await click(page, 1, 7);
  await page.waitForSelector('svg.board .target');
  await click(page, 1, 8);
  await page.waitForSelector('.choices button');
  assert.equal(await text(page, '.choices button:focus'), 'a8=Q');
}));

test('a database without games says so', onPage(null, async (page) => {
  const without = (call, nothing) => page.route(`**/api/v1/${call}*`, async (route) => route.fulfill({ json: { ...await (await route.fetch()).json(), ...nothing } }));
  await without('explore', { occurrences: 0, game_count: 0, moves: [], games: [] });
  await without('games', { total: 0, games: [] });
  await open(page, '/');
  assert.equal(await text(page, '.head'), 'There are no games in the database yet.');
}));

test('a hash that nobody knows says so', onPage(null, async (page) => {
  await open(page, `/p/${'0'.repeat(40)}`);
  assert.ok((await text(page, '.problem')).length > 10);
  // Nothing is on the board: no tool and no key may fall over that.
  for (const tool of await page.locator('.board-view .tool:visible, .move-line .tool:enabled').all()) await tool.click();
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowDown', 'Enter', 'Shift+ArrowUp']) await page.keyboard.press(key);
  await page.focus('.board-frame');
  for (const key of ['w', '+', 'Enter']) await page.keyboard.press(key);
  await ask(page, START);
  assert.match(await text(page, '.head'), /^14 occurrences/);
}, { expect: /404/ }));

test('a piece shows its legal moves, and a click plays one', onPage('/', async (page) => {
  const click = async (x, y) => {
    const point = await squareAt(page, 8, 8, x, y);
    await page.mouse.click(point.x, point.y);
    await settled(page);
  };
  await click(5, 2);
  await page.waitForSelector('svg.board .target');
  assert.equal(await page.locator('svg.board .target').count(), 2);
  await shot(page, 'legal-moves');
  await click(5, 4);
  assert.equal(await text(page, '.line [aria-current]'), 'e4');
  const known = await api('/explore?play=e2e4');
  assert.equal(path(page), `/p/${known.position.hash}`);
}));

/** A server that can be silent. To be had before the page is open: a request may pass by a route that was just made. */
async function serverOf(page, call) {
  const server = { silent: false };
  await page.route(call, (route) => (server.silent ? route.abort() : route.continue()));
  return server;
}

test('a piece whose moves cannot be had says why', onPage(null, async (page) => {
  const server = await serverOf(page, '**/api/v1/moves');
  await open(page, '/');
  server.silent = true;
  await click(page, 5, 2);
  await page.waitForSelector('.problem');
  assert.match(await text(page, '.problem'), /server does not answer/);
}, { expect: /ERR_FAILED/ }));

test('a move is played with the keyboard alone', onPage('/', async (page) => {
  await page.focus('.board-frame');
  for (const key of ['d', 'd', 'd', 'd', 'd', 'w']) await page.keyboard.press(key);
  assert.equal(await text(page, '.readout'), 'e2 · white pawn');
  await page.keyboard.press('Enter');
  await page.waitForSelector('svg.board .target');
  for (const key of ['w', 'w', 'Enter']) await page.keyboard.press(key);
  await page.waitForSelector('.line [aria-current]');
  await settled(page);
  assert.equal(await text(page, '.line [aria-current]'), 'e4');
  assert.match(await text(page, '.head'), /^5 occurrences/);
}));

test('a game that was pasted is there in its other forms', onPage('/', async (page) => {
  await ask(page, '[White "Ida"] K5,1|Q4,1|k5,8 4,1>4,7|5,8>6,8');
  await page.waitForSelector('button[aria-label="Copy Game, json"]');
  assert.equal(await text(page, '.move-line .where'), 'Ply 2 of 2');
}));

test('a move that nobody played goes on with the text', onPage('/', async (page) => {
  const [from, to] = [await squareAt(page, 8, 8, 8, 2), await squareAt(page, 8, 8, 8, 4)];
  await page.mouse.click(from.x, from.y);
  await page.waitForSelector('svg.board .target');
  await page.mouse.click(to.x, to.y);
  await page.waitForSelector('.line [aria-current]');
  await settled(page);
  assert.equal(await text(page, '.line [aria-current]'), 'h4');
  assert.match(await text(page, '.head'), /^0 occurrences/);
  assert.equal(parameters(page).play, 'h2h4');
  await page.reload();
  await settled(page);
  assert.equal(await text(page, '.line [aria-current]'), 'h4');
}));

test('filters narrow moves and games, and stay in the address', onPage('/', async (page) => {
  await page.click('.explore .side summary');
  await page.fill('.explore input[name=player]', 'Ada');
  await page.selectOption('.explore select[name=color]', 'white');
  await page.click('.explore .filters button.main');
  await settled(page);
  assert.match(await text(page, '.head'), /^2 occurrences in 2 games/);
  assert.deepEqual(await page.locator('.moves tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.move)), ['c2c4', 'e2e4']);
  assert.deepEqual(await row(page, 'e2e4'), { played: 1, reached: 1 });
  assert.equal(parameters(page).player, 'Ada');
  await accessible(page);
  await shot(page, 'filters');
  await page.reload();
  await settled(page);
  assert.match(await text(page, '.head'), /^2 occurrences/);
  await page.click('.explore .filters button[type=reset]');
  await page.waitForFunction(() => document.querySelector('.head').textContent.startsWith('14 '));
  await settled(page);
  assert.equal(parameters(page).player, undefined);
}));

test('games have pages', onPage('/', async (page) => {
  const ids = () => page.locator('.games tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.game));
  const first = await ids();
  await page.click('text=Next games');
  await settled(page);
  const second = await ids();
  assert.equal(second.length, 4);
  assert.deepEqual(second.filter((id) => first.includes(id)), []);
  await page.click('text=Previous games');
  await settled(page);
  assert.deepEqual(await ids(), first);
}));

test('notations are copied', onPage('/', async (page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click('button[aria-label="Copy CPN"]');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), START_CPN);
  await page.click('button[aria-label="Copy Hash"]');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), START);
}));

test('tags are text, whatever they hold', onPage('/', async (page) => {
  await ask(page, 'b3 e5');
  assert.match(await text(page, '.games tbody'), /<img src=x onerror=alert\(1\)>/);
  await page.click('.games tbody tr');
  await settled(page);
  assert.match(await text(page, '.tags'), /<script>alert\(2\)<\/script>/);
  assert.equal(await page.locator('main img, main script, main b').count(), 0);
}));

test('tags of any length and direction leave the page as it is, and an empty name is none', onPage(null, async (page) => {
  const names = { White: `\u202e${'W'.repeat(10_000)}`, Black: '', Event: 'E'.repeat(10_000) };
  await page.route(/\/api\/v1\/games\/\d+$/, async (route) => {
    const game = await (await route.fetch()).json();
    game.tags = Object.entries(names).map(([name, value]) => ({ name, value }));
    return route.fulfill({ json: game });
  });
  await page.route(/\/api\/v1\/games\?/, async (route) => {
    const list = await (await route.fetch()).json();
    for (const game of list.games) [game.white, game.black, game.event] = [names.White, null, names.Event];
    return route.fulfill({ json: list });
  });
  for (const [address, line] of [['/game/0', '.tags h2'], ['/games', '.games tbody tr:first-child th']]) {
    await open(page, address);
    const { scrollHeight, scrollWidth } = await page.evaluate(() => ({ scrollHeight: document.documentElement.scrollHeight, scrollWidth: document.documentElement.scrollWidth }));
    assert.ok(scrollWidth <= 1280 && scrollHeight < 20_000, `${address} is ${scrollWidth} by ${scrollHeight}`);
    assert.match(await text(page, line), /^\u202eW{119}…( \d+)? – Unknown player/);
    // Whatever the direction of the first name, the second stands after it as it is written.
    const turned = await page.evaluate((line) => {
      const [, { firstChild }] = document.querySelectorAll(`${line} bdi`);
      const at = (index) => {
        const range = document.createRange();
        range.setStart(firstChild, index);
        range.setEnd(firstChild, index + 1);
        return range.getBoundingClientRect().left;
      };
      return at(0) > at(1);
    }, line);
    assert.equal(turned, false, address);
  }
  assert.match(await page.title(), /^Games/);
  await open(page, '/game/0');
  assert.ok((await page.title()).length < 200);
  await accessible(page);
}));

test('a step that the server does not answer is not made', onPage(null, async (page) => {
  const server = await serverOf(page, '**/api/v1/explore*');
  await open(page, '/game/0');
  await press(page, 'ArrowRight');
  server.silent = true;
  await press(page, 'ArrowRight');
  assert.match(await text(page, '.problem'), /server does not answer/);
  server.silent = false;
  await press(page, 'ArrowRight');
  assert.match(await text(page, '.where'), /^Ply 2 of/);
  assert.equal(await page.locator('.problem').count(), 0);
}, { expect: /ERR_FAILED/ }));

/** The text of a notation. */
const shown = (page, name) => text(page, `.notations code[aria-label="${name}"]`);
/** Clicks a square of a board of eight by eight. */
async function click(page, x, y) {
  const point = await squareAt(page, 8, 8, x, y);
  await page.mouse.click(point.x, point.y);
  await settled(page);
}
const gameOf = async (player) => (await api(`/games?player=${player}`)).games[0].id;

test('a stored game keeps its rights and clocks where another game has the same position', onPage(null, async (page) => {
  await open(page, `/game/${await gameOf('Rik')}`);
  assert.equal(await shown(page, 'FEN'), '4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1');
  await click(page, 5, 1);
  await page.waitForSelector('svg.board .target');
  // Five steps of the king and castling.
  assert.equal(await page.locator('svg.board .target').count(), 6);
  await press(page, 'ArrowRight');
  assert.equal(await shown(page, 'FEN'), '4k2r/8/8/8/8/8/8/2KR4 b k - 1 1');
  await press(page, 'ArrowLeft');
  assert.equal(await shown(page, 'FEN'), '4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1');
  await open(page, `/game/${await gameOf('Pia')}`);
  assert.equal(await shown(page, 'FEN'), '4k2r/8/8/8/8/8/8/R3K3 w - - 7 30');
  // The other game castled from here. This one may not: what follows is said to be of the other.
  await page.click('tr[data-move="e1c1"] td.results');
  await settled(page);
  assert.equal(await text(page, '.line [aria-current]'), 'O-O-O');
  assert.match(await text(page, '.notice'), /of another game/);
  assert.equal(await shown(page, 'FEN'), '4k2r/8/8/8/8/8/8/2KR4 b k - 1 1');
  await page.click('tr[data-move="e8g8"] td.results');
  await settled(page);
  assert.equal(await shown(page, 'FEN'), '5rk1/8/8/8/8/8/8/2KR4 w - - 2 2');
  await press(page, 'ArrowLeft');
  await press(page, 'ArrowLeft');
  assert.equal(await shown(page, 'FEN'), '4k2r/8/8/8/8/8/8/R3K3 w - - 7 30');
}, { expect: /400/ }));

test('a position that was given stays as it was given', onPage('/', async (page) => {
  const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 4 7';
  await ask(page, fen);
  assert.match(await text(page, '.head'), /^14 occurrences/);
  assert.equal(await shown(page, 'FEN'), fen);
  await page.click('tr[data-move="e2e4"] td.results');
  await settled(page);
  assert.match(await shown(page, 'FEN'), / b KQ (-|e3) 0 7$/);
  await press(page, 'ArrowLeft');
  assert.equal(await shown(page, 'FEN'), fen);
  await press(page, 'ArrowRight');
  // The address brings it back, moves included.
  await page.evaluate(() => history.replaceState(null, '', location.href));
  await page.reload();
  await settled(page);
  assert.match(await shown(page, 'FEN'), / b KQ (-|e3) 0 7$/);
  assert.equal(await text(page, '.where'), 'Ply 1 of 1');
}));

test('what stands in the address is asked, and what is wrong with it is shown', onPage(null, async (page) => {
  await open(page, `/p/${START.toUpperCase()}`);
  assert.match(await text(page, '.head'), /^14 occurrences/);
  for (const [address, problem] of [
    ['/p/5693', /at least 6 digits/], ['/p/zzz', /neither a position nor a hash/], ['/p/%zz', /.../], ['/game/abc', /no game abc/], ['/game/999', /no game 999/],
    [`/p/${START}?game=x`, /no game x/], ['/game/1.5', /no game 1\.5/],
  ]) {
    await open(page, address);
    assert.match(await text(page, '.problem'), problem, address);
    assert.equal(await text(page, '.head'), '', address);
    // Nothing was counted.
    assert.equal(await page.locator('.side table:visible, .side .pager:visible').count(), 0, address);
    assert.doesNotMatch(await page.locator('.side').innerText(), /No games/, address);
  }
  await open(page, '/game/0?ply=x');
  assert.match(await text(page, '.move-line .where'), /^Ply 0 of/);
}, { expect: /400|404/ }));

test('the games of a text that holds several are offered', onPage('/', async (page) => {
  await ask(page, '[White "Ann"]\n[Black "Ben"]\n\n1. e4 e5 *\n\n[White "Cat"]\n\n1. d4 d5 2. c4 *\n');
  assert.match(await text(page, '.problem'), /holds 2 games/);
  await page.waitForSelector('.offered button');
  assert.deepEqual(await page.locator('.offered button').allTextContents(), ['Ann – Ben', 'Cat – Unknown player']);
  await accessible(page);
  await page.click('.offered li:nth-child(2) button');
  await settled(page);
  assert.equal(await text(page, '.where'), 'Ply 3 of 3');
  assert.equal(await page.locator('.problem').count(), 0);
}, { expect: /400/ }));

test('an illegal move of the open board is said to be one', onPage('/', async (page) => {
  await ask(page, 'K5,1|Q4,1|k5,8 4,1>9,9');
  await page.waitForSelector('.warnings');
  assert.match(await text(page, '.notice'), /Not every move is legal.*Ply 1/);
  await accessible(page);
  await page.evaluate(() => history.replaceState(null, '', location.href));
  await page.reload();
  await page.waitForSelector('.warnings');
  await ask(page, 'K5,1|Q4,1|k5,8 4,1>4,7');
  assert.equal(await page.locator('.warnings').count(), 0);
}));

test('filters that are refused leave no counts of others', onPage('/', async (page) => {
  await page.click('.explore .side summary');
  await page.fill('.explore input[name=laws]', 'Nothing');
  await page.press('.explore input[name=laws]', 'Enter');
  await settled(page);
  assert.match(await text(page, '.problem'), /laws=Nothing/);
  assert.equal(await text(page, '.head'), '');
  assert.equal(await page.locator('.moves tbody tr, .games tbody tr').count(), 0);
  await page.fill('.explore input[name=laws]', '');
  await page.press('.explore input[name=laws]', 'Enter');
  await settled(page);
  assert.match(await text(page, '.head'), /^14 occurrences/);
  await open(page, '/games');
  await page.focus('.single input[name=laws]');
  await page.waitForSelector('.single datalist option[value=Omega]', { state: 'attached' });
  await page.fill('.single input[name=laws]', 'omega_cubed');
  await page.press('.single input[name=laws]', 'Enter');
  await page.waitForSelector('.problem');
  assert.match(await text(page, '.problem'), /is not known/);
  assert.equal(await text(page, '.total'), '');
  assert.equal(await page.locator('.games tbody tr').count(), 0);
  await page.click('.single .filters button[type=reset]');
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 22);
  await page.selectOption('.single select[name=game]', 'infinite');
  await page.press('.single input[name=laws]', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 6);
  assert.equal(new URL(page.url()).search, '?game=infinite');
  await open(page, '/games?player=aD');
  assert.match(await text(page, '.total'), /^5 games/);
}, { expect: /400/ }));

test('the title says what is on the board', onPage('/', async (page) => {
  const titled = async (expected) => assert.equal(await page.title(), `${expected} · boardprint`);
  await titled('Start of Western chess');
  await ask(page, 'd4 d5 c4');
  await titled('1. d4 d5 2. c4');
  await ask(page, '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3');
  await titled('… 1… e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3');
  await ask(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  assert.match(await page.title(), /^Western chess, white to move \([0-9a-f]{8}\) · boardprint$/);
  await open(page, `/game/${await gameOf('Rik')}?ply=1`);
  await titled('Rik – Sol, ply 1');
}));
