// Answers of the server against the schemas of docs/api/openapi.json.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import Ajv from 'ajv/dist/2020.js';

const base = process.env.BOARDPRINT_URL;
const document = JSON.parse(fs.readFileSync(new URL('../../../docs/api/openapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(document, 'openapi.json');

async function check(schema, call, options = {}, status = 200) {
  const response = await fetch(base + call, options);
  const answer = await response.json();
  assert.equal(response.status, status, `${call}: ${JSON.stringify(answer)}`);
  const validate = ajv.compile({ $ref: `openapi.json#/components/schemas/${schema}` });
  assert.ok(validate(answer), `${call}: ${ajv.errorsText(validate.errors)}`);
  return answer;
}
const position = (text) => `position=${encodeURIComponent(text)}`;

test('explore', async () => {
  for (const query of ['', position('K5,1|Q4,1|k5,8 4,1>4,7'), position('d4 d5 c4'), position('5693c349961f8bc345c6c11418aa00be3a038d8f'), 'player=Ada&color=white&games=1', position('K1000000000000000,-999999999999999|R1000000000000000,7|k0,0')]) {
    const answer = await check('Explore', `/api/v1/explore?${query}`);
    const sum = Object.values(answer.results).reduce((a, b) => a + b);
    assert.equal(sum, answer.occurrences);
    for (const move of answer.moves) assert.equal(Object.values(move.results).reduce((a, b) => a + b), move.occurrences);
  }
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: position('K5,1|Q4,1|k5,8') };
  assert.equal((await check('Explore', '/api/v1/explore', form)).position.hash, '5b08068368779ee14edd1f6d08a84df15e7f110f');
});

test('lists, games and numbers', async () => {
  const { games, nextCursor } = await check('Games', '/api/v1/games?games=5');
  assert.equal(games.length, 5);
  const next = await check('Games', `/api/v1/games?games=5&cursor=${encodeURIComponent(nextCursor)}`);
  assert.ok(next.games.every(({ id }) => games.every((game) => game.id !== id)));
  for (const { id } of games) await check('StoredGame', `/api/v1/games/${id}`);
  await check('Prefix', '/api/v1/prefix/5693c3');
  await check('Stats', '/api/v1/stats');
  await check('Variants', '/api/v1/variants');
  await check('Duplicates', '/api/v1/duplicates');
  await check('Findings', '/api/v1/findings');
});

test('legal moves', async () => {
  const ask = (body) => check('LegalMoves', '/api/v1/moves', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal((await ask({ position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' })).count, 20);
  const rays = (await ask({ position: 'K5,1|Q4,1|k50,80', from: '4,1' })).rays;
  assert.ok(rays.some(({ step, last }) => step === '0,1' && last === null));
  const huygen = await ask({ position: 'K5,1|HU4,1|k50,80', from: '4,1' });
  assert.deepEqual([huygen.complete, huygen.rays.length, huygen.rays.every(({ prime }) => prime)], [true, 4, true]);
});

test('reading', async () => {
  const { records } = await check('Reading', '/api/v1/read', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'K5,1|Q4,1|k5,8 4,1>4,7' });
  assert.equal(records[0].position.hash, 'd454b11de611812cc4ca85b2adf1df1cb204e9c7');
});

test('the calls of lichess', async () => {
  const answer = await check('LichessExplore', '/masters?play=d2d4,d7d5,c2c4&topGames=2&speeds=blitz');
  assert.deepEqual([answer.white, answer.draws, answer.black], [0, 1, 1]);
  assert.deepEqual(answer.moves.map(({ uci, san }) => [uci, san]), [['c7c6', 'c6'], ['e7e6', 'e6']]);
  await check('LichessExplore', '/lichess?fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F8%2F8%2FPPPPPPPP%2FRNBQKBNR%20w%20KQkq%20-%200%201');
  const ada = await check('LichessExplore', '/player?player=Ada&color=white');
  assert.deepEqual([ada.white, ada.draws, ada.black], [2, 0, 0]);
  const pgn = await (await fetch(`${base}/masters/pgn/${answer.topGames[0].id}`)).text();
  assert.match(pgn, /\[White "/);
});

test('other forms of an answer', async () => {
  const explore = `${base}/api/v1/explore?${position('K5,1|Q4,1|k5,8')}`;
  const cpn = await fetch(explore, { headers: { accept: 'application/vnd.cpn+feen' } });
  assert.equal((await cpn.text()).trim(), 'B--3--infinite:^k_5_8,INFINITE:Q_4_1,INFINITE:^K_5_1--');
  const tag = (await fetch(explore)).headers.get('etag');
  assert.ok(tag);
  assert.equal((await fetch(explore, { headers: { 'if-none-match': tag } })).status, 304);
  const picture = await fetch(`${base}/api/v1/board.svg?${position('K5,1|Q4,1|k5,8')}`);
  assert.match(picture.headers.get('content-type'), /^image\/svg\+xml/);
  assert.match(await picture.text(), /^<svg/);
  const { games } = await (await fetch(`${base}/api/v1/games?player=Eve&color=white`)).json();
  assert.match(await (await fetch(`${base}/api/v1/games/${games[0].id}?form=pgn`)).text(), /Qxf7#/);
});

test('errors', async () => {
  await check('Error', `/api/v1/explore?${position('K5,1|k5,08x')}`, {}, 400);
  await check('Error', `/api/v1/explore?${position('0'.repeat(40))}`, {}, 404);
  await check('Error', '/api/v1/games/999999', {}, 404);
  await check('Error', '/api/v1/nothing', {}, 404);
  await check('Error', '/api/v1/stats', { method: 'DELETE' }, 405);
  await check('Error', '/api/v1/games?result=perhaps', {}, 400);
});
