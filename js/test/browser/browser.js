// A browser and a static server for the tests. A page fails its test on an error in the console, a refusal of the policy, a dialog,
// or a request to another address.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/** What `demo/build.sh` makes. */
const served = path.join(here, '../../target/demo');
export const root = path.join(here, '../../..');

let browser;
let server;
export let base;

before(async () => {
  assert.ok(fs.existsSync(path.join(served, 'js/demo/index.html')), 'run js/demo/build.sh first');
  server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/empty') {
      response.writeHead(200, { 'content-type': TYPES['.html'] });
      return response.end('<!doctype html><title>empty</title><link rel="icon" href="data:,">');
    }
    const file = path.join(served, path.normalize(pathname), pathname.endsWith('/') ? 'index.html' : '');
    if (!file.startsWith(served) || !fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
    return fs.createReadStream(file).pipe(response);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  base = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Runs a test on a page. */
export function onPage(address, work) {
  return async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const wrong = [];
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) wrong.push(`console: ${message.text()}`); });
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
      await page.goto(base + address);
      await work(page);
      wrong.push(...(await page.evaluate(() => window.refused)).map((text) => `policy: ${text}`));
    } finally {
      await context.close();
    }
    assert.deepEqual(wrong, []);
  };
}

/** Fails on anything that axe finds. */
export async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.target}: ${node.failureSummary}`) })), []);
}

/** Keeps a picture of the page. */
export const shot = (page, name) => page.screenshot({ path: path.join(served, `../demo-${name}.png`) });
