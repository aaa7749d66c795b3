// The package in a page without a bundler.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { onPage, root } from './browser.js';

const rows = (file) => fs.readFileSync(path.join(root, 'corpus', file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

test('loads by itself and answers as the vectors say', onPage('/empty', async (page) => {
  const list = rows('identity/identity.jsonl');
  const found = await page.evaluate(async (texts) => {
    const boardprint = await import('/js/index.js');
    await boardprint.default();
    return texts.map((text) => boardprint.cph(text));
  }, list.map(({ icn }) => icn));
  assert.deepEqual(found, list.map(({ cph }) => cph));
  const games = rows('replay/replay.jsonl').slice(0, 40);
  const hashes = await page.evaluate(async (texts) => {
    const { hashes } = await import('/js/index.js');
    return texts.map((text) => hashes(text));
  }, games.map(({ icn }) => icn));
  assert.deepEqual(hashes, games.map(({ cph }) => cph));
}));

for (const [name, work] of [
  ['an address', 'await init("/js/pkg/boardprint.wasm")'],
  ['bytes', 'await init(await (await fetch("/js/pkg/boardprint.wasm")).arrayBuffer())'],
  ['a response', 'await init(fetch("/js/pkg/boardprint.wasm"))'],
  ['a compiled module', 'initSync(await WebAssembly.compileStreaming(fetch("/js/pkg/boardprint.wasm")))'],
]) {
  test(`loads from ${name}`, onPage('/empty', async (page) => {
    const hash = await page.evaluate(`(async () => {
      const { default: init, initSync, cph, canon, BoardprintError } = await import('/js/index.js');
      let early = null;
      try { canon('K1,1'); } catch (error) { early = error.message; }
      ${work};
      return [early !== null, cph('K5,1+|k5,8+')];
    })()`);
    assert.deepEqual(hash, [true, 'd892cd830392c97b3875857d14cea3563c087ab2']);
  }));
}

test('errors are errors in a page, too', onPage('/empty', async (page) => {
  const error = await page.evaluate(async () => {
    const { default: init, read, BoardprintError } = await import('/js/index.js');
    await init();
    try {
      read('K1,1|Q1,1');
    } catch (thrown) {
      return { is: thrown instanceof BoardprintError, kind: thrown.kind, line: thrown.line, column: thrown.column };
    }
    return null;
  });
  assert.deepEqual(error, { is: true, kind: 'syntax', line: 1, column: 6 });
}));
