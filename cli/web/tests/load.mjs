// Load: many clients ask while games come in. Says what that costs the server in processor time and memory.
//
//   node load.mjs PROGRAM GAMES.pgn [SECONDS] [CLIENTS]
//
// First the server imports GAMES.pgn and merges what came in, however long that takes; then come three parts of SECONDS / 4 each. With
// SOAK=SECONDS the last part goes on for so long and says every minute how much memory the server has. Linux only: times come from /proc. No
// answer may be missing or bad.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const [program, games, seconds = '60', clients = '256'] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'boardprint-load-'));
const server = spawn(program, ['serve', '--port', '0', '--db', path.join(folder, 'db'), '--import', games], { stdio: ['ignore', 'pipe', 'pipe'] });
let imported = false;
server.stderr.on('data', (text) => {
  process.stderr.write(text);
  if (/^imported /m.test(text)) imported = true;
});
const base = await new Promise((done) => server.stdout.once('data', (text) => done(String(text).trim())));
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(clients) });

/** Processor time of the server in seconds, and its memory in MB. */
function cost() {
  const fields = fs.readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const memory = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8'));
  return { time: (Number(fields[11]) + Number(fields[12])) / 100, memory: Math.round(Number(memory[1]) / 1024) };
}

const get = (address) => new Promise((done, fail) => {
  const request = http.get(base + address, { agent }, (response) => {
    const parts = [];
    response.on('data', (part) => parts.push(part));
    response.on('end', () => done({ status: response.statusCode, body: Buffer.concat(parts) }));
    response.on('error', fail);
  });
  request.on('error', fail);
});
const ask = async (address) => JSON.parse((await get(`/api/v1${address}`)).body);

/** Positions that occur often and rarely, found by walking from the start. */
async function positions() {
  const found = [(await ask('/explore?games=0')).position.hash];
  for (let at = 0; at < found.length && found.length < 300; at++) {
    const { moves } = await ask(`/explore?games=0&position=${found[at]}`);
    found.push(...moves.filter(({ occurrences }) => occurrences > 0).map(({ hash }) => hash).slice(0, 6));
  }
  return [...new Set(found)];
}

/** Asks for as long as `more` says. */
async function load(name, more, addresses) {
  const begun = Date.now();
  const [times, wrong] = [[], []];
  const before = cost();
  let next = 0;
  await Promise.all(Array.from({ length: Number(clients) }, async () => {
    while (more(Date.now() - begun)) {
      const address = addresses[next++ % addresses.length];
      const asked = performance.now();
      const { status } = await get(address).catch((error) => ({ status: error.code }));
      times.push(performance.now() - asked);
      if (status !== 200) wrong.push(`${status} ${address}`);
    }
  }));
  const after = cost();
  const duration = (Date.now() - begun) / 1000;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.floor((times.length - 1) * part)].toFixed(1);
  console.log(`${name}: ${times.length} answers (${Math.round(times.length / duration)} per second), ${(1e6 * (after.time - before.time) / times.length).toFixed(0)} µs of processor time each, ` +
    `median ${at(0.5)} ms, 99% ${at(0.99)} ms, longest ${at(1)} ms, ${after.memory} MB; wrong: ${wrong.length} ${[...new Set(wrong)].slice(0, 3)}`);
  return wrong.length;
}

let wrong = 0;
try {
  let { games: first } = await ask('/stats');
  while (first === 0) {
    await new Promise((done) => setTimeout(done, 100));
    ({ games: first } = await ask('/stats'));
  }
  const part = (passed) => passed < Number(seconds) * 250; // in ms
  const known = await positions();
  const filtered = known.map((hash) => `/api/v1/explore?position=${hash}&result=white`);
  const all = known.map((hash) => `/api/v1/explore?position=${hash}`);
  wrong += await load('while importing', () => !imported, all);
  // What came in is merged into one run, unless there is little of it.
  let merged = false;
  const watch = setInterval(async () => {
    merged = (await ask('/stats')).runs === 1;
  }, 500);
  wrong += await load('while merging', (passed) => !merged && passed < 180_000, all);
  clearInterval(watch);
  const { games: count, runs } = await ask('/stats');
  console.log(`${count} games in ${runs} runs, ${cost().time} s of processor time so far`);
  wrong += await load('known answers', part, all);
  // A parameter that never repeats: nothing is answered from memory.
  let fresh = 0;
  const addresses = Array.from({ length: 50_000 }, () => `/api/v1/explore?position=${known[fresh++ % known.length]}&moves=${10 + (fresh % 9000)}`);
  wrong += await load('fresh answers', part, addresses);
  wrong += await load('filtered answers', part, filtered);
  for (let minute = 0; minute < Number(process.env.SOAK ?? 0) / 60; minute++) {
    // Some of each kind: known, fresh, filtered.
    const mixed = addresses.slice(minute * 300, minute * 300 + 300).concat(all, filtered);
    wrong += await load(`minute ${minute + 1}`, (passed) => passed < 60_000, mixed);
  }
} finally {
  server.kill('SIGTERM');
  const status = await new Promise((done) => server.once('exit', (code) => done(code)));
  fs.rmSync(folder, { recursive: true, force: true });
  console.log(`ended with ${status}`);
  if (status !== 0 || wrong > 0) process.exitCode = 1;
}
