// What the tests of the explorer ask of a page and of the server.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testOn } from './page.js';

export { accessible, squareAt, text } from './page.js';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The address of a running server. */
export const base = process.env.BOARDPRINT_URL;
assert.ok(base, 'BOARDPRINT_URL has to be the address of a running server; run.sh starts one');

/** Where screenshots go. */
export const shots = process.env.BOARDPRINT_SHOTS ?? path.join(here, '../../../target/explorer');
fs.mkdirSync(shots, { recursive: true });

/** Runs a test on a page of the server. */
export const onPage = (address, work, options) => testOn({ site: () => base, open }, address, work, options);

/** Goes to an address and waits until the page has its answer. */
export async function open(page, address) {
  await page.goto(base + address);
  await settled(page);
}

/** Waits until no answer is outstanding. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector('main > div') && !document.querySelector('[aria-busy="true"]'));
}

/** Types a text into the box and sends it. */
export async function ask(page, text) {
  await page.fill('#box', text);
  await page.press('#box', 'Enter');
  await settled(page);
}

/** Presses a key and waits for what it does. */
export async function press(page, key) {
  await page.keyboard.press(key);
  await settled(page);
}

/** A question to the server itself. */
export async function api(call) {
  const response = await fetch(`${base}/api/v1${call}`);
  assert.equal(response.status, 200, call);
  return response.json();
}

export const shot = (page, name, options = {}) => page.screenshot({ path: path.join(shots, `${name}.png`), ...options });

/** The numbers in the row of a move: played and reached. */
export async function row(page, move) {
  const cells = await page.locator(`tr[data-move="${move}"] td.number`).allTextContents();
  return { played: Number(cells[0]), reached: Number(cells[1]) };
}
