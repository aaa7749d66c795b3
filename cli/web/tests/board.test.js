import assert from 'node:assert/strict';
import test from 'node:test';
import { accessible, api, ask, onPage, open, press, settled, shot, text } from './browser.js';

const FAR = 'K1000000000000000,-999999999999999|R1000000000000000,7|k0,0';
const scale = async (page) => Number(await page.getAttribute('svg.board', 'data-scale'));
const readout = (page) => text(page, '.readout');
const go = async (page, square) => {
  await page.fill('.go input', square);
  await page.press('.go input', 'Enter');
};
const middle = async (page) => {
  const box = await page.locator('.board-frame').boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

test('a king at 10^15 is on the board, and its square is exact', onPage('/', async (page) => {
  await ask(page, FAR);
  assert.match(await text(page, '.head'), /^1 occurrence/);
  assert.equal(await page.locator('svg.board use').count(), 3);
  assert.match(await text(page, '.folds'), /10\^15-\d+ columns/);
  await go(page, '10^15,-999999999999999');
  assert.equal(await readout(page), '1000000000000000,-999999999999999 · white king');
  await page.focus('.board-frame');
  await page.keyboard.press('d');
  assert.equal(await readout(page), '1000000000000001,-999999999999999');
  await page.keyboard.press('w');
  assert.equal(await readout(page), '1000000000000001,-999999999999998');
  assert.match(await text(page, '.words'), /king 1000000000000000,-999999999999999/);
  await accessible(page);
  await shot(page, 'far');
}));

test('a position that is looked up is in the view, wherever somebody was before', onPage('/', async (page) => {
  await ask(page, FAR);
  await go(page, '10^15,10^15');
  await ask(page, 'K5,1|Q4,1|k5,8');
  await drawn(page);
  assert.equal(await page.locator('svg.board use').count(), 3);
  assert.equal(await text(page, '.folds'), '');
}));

test('the pointer tells the square under it at 10^15 and at 10^40', onPage('/', async (page) => {
  await ask(page, FAR);
  for (const far of [10n ** 15n, 10n ** 40n]) {
    await go(page, `${far},${-far}`);
    await drawn(page);
    const [x, y] = await middle(page);
    const side = await scale(page);
    await page.mouse.move(x + side, y);
    assert.equal((await readout(page)).split(' ')[0], `${far + 1n},${-far}`);
    await page.mouse.move(x, y - side);
    assert.equal((await readout(page)).split(' ')[0], `${far},${-far + 1n}`);
  }
}));

test('the move of a rook over 10^15 squares is played from the table', onPage('/', async (page) => {
  await ask(page, FAR);
  await page.click('.moves .link');
  await settled(page);
  assert.equal(await page.getAttribute('.ply', 'title'), '1000000000000000,7>0,7');
  assert.equal(await text(page, '.ply'), '10^15,7>0,7');
  assert.equal(await page.locator('svg.board .moved').count(), 2);
}));

test('without folds the board is as long as it is', onPage('/', async (page) => {
  await ask(page, FAR);
  await page.click('button[aria-label="Fold empty stretches"]');
  await page.click('button[aria-label^="Fit"]');
  await drawn(page);
  assert.ok((await scale(page)) < 1e-11);
  assert.equal(await page.locator('svg.board use').count(), 3);
  await go(page, '10^15,7');
  await drawn(page);
  assert.ok((await scale(page)) > 20);
  assert.equal(await readout(page), '1000000000000000,7 · white rook');
  assert.equal(await page.locator('.folds text').count(), 0);
}));

test('what everything needs fits into the view without folds, too', onPage('/', async (page) => {
  await ask(page, FAR);
  for (let fold = 0; fold < 2; fold++) {
    await page.click('button[aria-label^="Fit"]');
    await drawn(page);
    const outside = await page.evaluate(() => {
      const frame = document.querySelector('svg.board').getBoundingClientRect();
      const figures = [...document.querySelectorAll('svg.board use')].map((figure) => figure.getBoundingClientRect());
      return figures.filter((box) => box.left < frame.left || box.top < frame.top || box.right > frame.right || box.bottom > frame.bottom).length;
    });
    assert.equal(outside, 0, `fold ${fold}`);
    await page.click('button[aria-label="Fold empty stretches"]');
  }
}));

test('no fold runs over the name of another', onPage('/', async (page) => {
  for (const position of ['K5,1|Q4,1|k50,80', FAR, `${FAR}|Q-5000000000000,4|P20,30|N400,-3000`]) {
    await ask(page, position);
    await drawn(page);
    const crossed = await page.evaluate(() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
      const [bands, names] = [boxes('.folds .band'), boxes('.folds text')];
      const isUpright = (box) => box.height > box.width;
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return { names: names.length, crossed: names.filter((name) => bands.some((band) => isUpright(band) !== isUpright(name) && meet(band, name))).length };
    });
    assert.ok(crossed.names > 1);
    assert.equal(crossed.crossed, 0, position);
  }
}));

test('the wheel zooms at the pointer', onPage('/', async (page) => {
  await ask(page, 'K5,1|Q4,1|k5,8');
  const [x, y] = await middle(page);
  await page.mouse.move(x + 60, y + 40);
  const before = await scale(page);
  const under = await readout(page);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((old) => Number(document.querySelector('svg.board').dataset.scale) > old * 1.2, before);
  await page.mouse.move(x + 60.5, y + 40);
  assert.equal(await readout(page), under);
  await page.mouse.wheel(0, 1200);
  await page.waitForFunction((old) => Number(document.querySelector('svg.board').dataset.scale) < old, before);
  await page.click('button[aria-label="Zoom in"]');
  await page.click('button[aria-label^="Fit"]');
  await page.waitForFunction((old) => Math.abs(Number(document.querySelector('svg.board').dataset.scale) - old) < 0.1, before);
}));

test('dragging and Shift with arrows move the view by as much', onPage('/', async (page) => {
  await ask(page, 'K5,1|Q4,1|k5,8');
  await go(page, '100,200');
  await drawn(page);
  const side = await scale(page);
  const [x, y] = await middle(page);
  await page.mouse.move(x, y);
  assert.equal(await readout(page), '100,200');
  await page.mouse.down();
  await page.mouse.move(x + 3 * side, y + 2 * side, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(x, y);
  assert.equal(await readout(page), '97,202');
  await page.focus('.board-frame');
  const address = page.url();
  await page.keyboard.press('Shift+ArrowRight');
  await page.mouse.move(x + 1, y);
  assert.notEqual(await readout(page), '97,202');
  assert.equal(page.url(), address);
}));

test('flipping turns the board', onPage('/', async (page) => {
  await ask(page, 'K5,1|Q4,1|k5,8');
  await go(page, '5,1');
  await page.click('button[aria-label="Flip the board"]');
  await drawn(page);
  const [x, y] = await middle(page);
  const side = await scale(page);
  await page.mouse.move(x, y - side);
  assert.equal(await readout(page), '5,0');
  await page.mouse.move(x + side, y);
  assert.equal(await readout(page), '4,1 · white queen');
}));

test('a piece of the open board shows rays, and a click along one plays it', onPage('/', async (page) => {
  await ask(page, 'K5,1|Q4,1|k50,80');
  await go(page, '4,1');
  await drawn(page);
  const [x, y] = await middle(page);
  await page.mouse.click(x, y);
  await page.waitForSelector('svg.board .target');
  await shot(page, 'rays');
  const side = await scale(page);
  await page.mouse.click(x, y - 3 * side);
  await settled(page);
  assert.equal(await text(page, '.line [aria-current]'), '4,1>4,4');
}));

test('a stored game keeps its laws where another game has the same position', onPage(null, async (page) => {
  for (const [player, promotes] of [['Uma', true], ['Wes', false]]) {
    const game = await api(`/games/${(await api(`/games?player=${player}`)).games[0].id}`);
    await open(page, `/game/${game.id}`);
    assert.equal(await text(page, '.notations code[aria-label="ICN"]'), game.start.icn);
    await go(page, '1,7');
    await drawn(page);
    const [x, y] = await middle(page);
    await page.mouse.click(x, y);
    await page.waitForSelector('svg.board .target');
    await page.mouse.click(x, y - await scale(page));
    // The pawn promotes on the eighth rank where these laws say so.
    if (promotes) await page.waitForSelector('.choices button');
    await settled(page);
    assert.equal(await page.locator('.choices button').count() > 1, promotes, player);
    assert.equal(await text(page, '.move-line .where'), promotes ? 'Ply 0 of 1' : 'Ply 1 of 1', player);
  }
}));

for (const [name, question, kind, words] of [
  ['makruk', 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1', 'makruk', /White to move, 32 pieces/],
  ['shogi', 'lnsgk1snl/1r4gb1/p1pppppp1/9/1p5pP/2P6/PP1PPPP2/1B5R1/LNSGKGSNL w P2p 1', 'shogi', /Gote to move, 39 pieces/],
  ['xiangqi', 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1', 'xiangqi', /Red to move, 32 pieces/],
  ['janggi', 'rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1', 'janggi', /Green to move, 32 pieces/],
]) {
  test(`a board of ${name}`, onPage('/', async (page) => {
    await page.selectOption('#kind', kind);
    await ask(page, question);
    assert.match(await page.getAttribute('.board-frame', 'aria-label'), words);
    assert.match((await page.title()).toLowerCase(), new RegExp(`^${name}, ${words.source.split(',')[0].toLowerCase()} `));
    if (name === 'shogi') assert.match(await text(page, '.words'), /In hand: 1 × sente pawn, 2 × gote pawn/);
    await page.click('button[aria-label="Flip the board"]');
    await page.click('button[aria-label="Flip the board"]');
    await accessible(page);
    await shot(page, name);
  }));
}

test('every kind in hand stands beside the next', onPage('/', async (page) => {
  await page.selectOption('#kind', 'shogi');
  await ask(page, '4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1');
  const inHand = await page.locator('svg.board .held').evaluateAll((numbers) => numbers.map((number) => {
    const [figure, { left, right }] = [number.previousSibling.getBoundingClientRect(), number.getBoundingClientRect()];
    return { figure: { left: figure.left, right: figure.right }, left, right };
  }));
  assert.equal(inHand.length, 7);
  for (const [index, { figure, left, right }] of inHand.entries()) {
    assert.ok(figure.right <= left, `number ${index} lies on its figure`);
    if (index < 6) assert.ok(right <= inHand[index + 1].figure.left, `number ${index} lies under the next figure`);
  }
  assert.ok(inHand[6].right <= (await page.locator('.board-frame').evaluate((frame) => frame.getBoundingClientRect().right)));
  await shot(page, 'shogi-hand');
}));

test('a piece in hand is dropped on the board, by who has it', onPage('/', async (page) => {
  await page.selectOption('#kind', 'shogi');
  await ask(page, '4k4/9/9/9/9/9/9/P8/4K4 b Pp 1');
  const inHand = (name) => page.locator('svg.board .in-hand', { has: page.locator('title', { hasText: name }) });
  await inHand('gote pawn').click();
  await page.waitForSelector('svg.board .chosen');
  assert.equal(await page.locator('svg.board .target').count(), 0);
  await inHand('sente pawn').click();
  await page.waitForSelector('svg.board .target');
  // Neither on the file that has a pawn, nor on the last rank; one square has the king.
  assert.equal(await page.locator('svg.board .target').count(), 8 * 8 - 1);
  assert.equal(await page.locator('svg.board .chosen').count(), 1);
  await shot(page, 'shogi-drop');
  await inHand('sente pawn').click();
  assert.equal(await page.locator('svg.board .target').count(), 0);
  await inHand('sente pawn').click();
  await page.waitForSelector('svg.board .target');
  const [x, y] = await middle(page);
  await page.mouse.click(x, y);
  await settled(page);
  assert.equal(await text(page, '.move-line .where'), 'Ply 1 of 1');
  assert.match(await text(page, '.words'), /sente.*pawn 5e/i);
  assert.match(await text(page, '.words'), /In hand: 1 × gote pawn/);
}));

test('a board of four players', onPage(null, async (page) => {
  await open(page, '/games?player=Kim');
  await page.click('.games tbody tr');
  await settled(page);
  assert.match(await page.getAttribute('.board-frame', 'aria-label'), /White to move, 14 pieces/);
  await press(page, 'ArrowRight');
  assert.match(await page.getAttribute('.board-frame', 'aria-label'), /Red to move/);
  assert.match(await text(page, '.words'), /Blue:/);
  assert.deepEqual(await page.locator('.line .turn').allTextContents(), ['1.']);
  await shot(page, 'four-players');
}, { colorScheme: 'dark' }));
