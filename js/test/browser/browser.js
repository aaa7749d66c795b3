// A static server for the tests, and the pages of the explorer's tests on it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testOn } from '../../../cli/web/tests/page.js';

export { accessible, squareAt, text } from '../../../cli/web/tests/page.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/** What `demo/build.sh` makes. */
const served = path.join(here, '../../target/demo');
export const root = path.join(here, '../../..');

let server;
let base;

before(async () => {
  assert.ok(fs.existsSync(path.join(served, 'js/demo/index.html')), 'run js/demo/build.sh first');
  server = http.createServer(answer);
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => server?.close());

function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/empty') {
    response.writeHead(200, { 'content-type': TYPES['.html'] });
    return response.end('<!doctype html><title>empty</title><link rel="icon" href="data:,">');
  }
  const file = path.join(served, path.normalize(pathname), pathname.endsWith('/') ? 'index.html' : '');
  if (!file.startsWith(served) || !fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
  return fs.createReadStream(file).pipe(response);
}

/** Runs a test on a page of the server. */
export const onPage = (address, work) => testOn({ site: () => base, open: (page) => page.goto(base + address) }, address, work);

/** Keeps a picture of the page. */
export const shot = (page, name) => page.screenshot({ path: path.join(served, `../demo-${name}.png`) });
