// A browser for the tests. Every page fails its test on an error in the console, a refusal of the content security policy, a
// dialog, or a request to another address.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The address of a running server. */
export const base = process.env.BOARDPRINT_URL;
assert.ok(base, 'BOARDPRINT_URL has to be the address of a running server; run.sh starts one');

/** Where screenshots go. */
export const shots = process.env.BOARDPRINT_SHOTS ?? path.join(here, '../../../target/explorer');
fs.mkdirSync(shots, { recursive: true });

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
});
after(() => browser?.close());

/** Runs a test on a page. `expect` are errors of the console that belong to the test, such as the 400 of an unreadable text. */
export function onPage(address, work, { width = 1280, height = 900, expect = null, ...options } = {}) {
  return async () => {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const wrong = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !expect?.test(message.text())) wrong.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => wrong.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => {
      wrong.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith('data:')) wrong.push(`request to ${request.url()}`);
    });
    await page.addInitScript(() => {
      window.refused = [];
      document.addEventListener('securitypolicyviolation', (event) => window.refused.push(`${event.violatedDirective}: ${event.blockedURI}`));
    });
    try {
      if (address !== null) await open(page, address);
      await work(page);
      wrong.push(...(await page.evaluate(() => window.refused)).map((text) => `policy: ${text}`));
    } finally {
      await context.close();
    }
    assert.deepEqual(wrong, []);
  };
}

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

/** Fails on anything that axe finds. Evaluated by the debugger, so the page's policy stays as strict as it is. */
export async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.target}: ${node.failureSummary}`) })), []);
}

export const shot = (page, name, options = {}) => page.screenshot({ path: path.join(shots, `${name}.png`), ...options });

/** The text of an element, blanks squeezed. */
export const text = async (page, selector) => ((await page.textContent(selector)) ?? '').replace(/\s+/g, ' ').trim();

/** The numbers in the row of a move: played and reached. */
export async function row(page, move) {
  const cells = await page.locator(`tr[data-move="${move}"] td.number`).allTextContents();
  return { played: Number(cells[0]), reached: Number(cells[1]) };
}

/** The middle of a square of a finite board on the screen. */
export async function squareAt(page, columns, rows, x, y) {
  return page.evaluate(([columns, rows, x, y]) => {
    const svg = document.querySelector('svg.board');
    const area = svg.querySelector('.light, .wood').getBoundingClientRect();
    return { x: area.left + ((x - 0.5) * area.width) / columns, y: area.bottom - ((y - 0.5) * area.height) / rows };
  }, [columns, rows, x, y]);
}
