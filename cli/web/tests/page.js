// Pages of a real browser, for the tests of the explorer and for those of js/. A page fails its test on an error in the console, a
// refusal of the content security policy, a dialog, or a request to another address.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
});
after(() => browser?.close());

/**
 * Runs a test on a page. `site` gives the address of the server, `open` goes to an address there; `expect` are errors of the console
 * that belong to the test, such as the 400 of an unreadable text.
 */
export function testOn({ site, open }, address, work, { width = 1280, height = 900, expect = null, ...options } = {}) {
  return async () => {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const wrong = watch(page, site(), expect);
    await page.addInitScript(() => {
      window.refused = [];
      document.addEventListener('securitypolicyviolation', (event) => window.refused.push(`${event.violatedDirective}: ${event.blockedURI}`));
    });
    try {
      if (address !== null) await open(page, address);
      await work(page);
      wrong.push(...(await page.evaluate(() => window.refused)).map((text) => `policy: ${text}`));
    } catch (error) {
      // What went wrong in the page is why it does not do what the test waits for.
      if (wrong.length > 0) error.message += `\nin the page: ${wrong.join('\n')}`;
      throw error;
    } finally {
      await context.close();
    }
    assert.deepEqual(wrong, []);
  };
}

/** What goes wrong in a page from now on. */
function watch(page, site, expect) {
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
    if (!request.url().startsWith(site) && !request.url().startsWith('data:')) wrong.push(`request to ${request.url()}`);
  });
  return wrong;
}

/** Fails on anything that axe finds. Evaluated by the debugger, so the page's policy stays as strict as it is. */
export async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.target}: ${node.failureSummary}`) })), []);
}

/** The text of an element, blanks squeezed. */
export const text = async (page, selector) => ((await page.textContent(selector)) ?? '').replace(/\s+/g, ' ').trim();

/** The middle of a square of a finite board on the screen. */
export async function squareAt(page, columns, rows, x, y) {
  return page.evaluate(([columns, rows, x, y]) => {
    const svg = document.querySelector('svg.board');
    const area = svg.querySelector('.light, .wood').getBoundingClientRect();
    return { x: area.left + ((x - 0.5) * area.width) / columns, y: area.bottom - ((y - 0.5) * area.height) / rows };
  }, [columns, rows, x, y]);
}
