// What an answer costs the server in processor time, one question after another, none of them asked before.
//
//   node cost.mjs PROGRAM DATABASE
//
// Asked are the start of western chess and the most frequent positions after it: everything that a page shows, the calls of lichess with their sorted games, with
// filters, and the page of games. Linux only: times are those of the threads that answer, from /proc; what runs in the background is
// not counted.

import { spawn } from 'node:child_process';
import fs from 'node:fs';

const [program, database] = process.argv.slice(2);
const server = spawn(program, ['serve', '--port', '0', '--timeout', '60', '--db', database], { stdio: ['ignore', 'pipe', 'inherit'] });
const base = await new Promise((done) => server.stdout.once('data', (text) => done(String(text).trim())));
const get = async (address) => (await fetch(base + address)).json();

/** Processor time of the threads that answer, in ms. */
function time() {
  let sum = 0;
  for (const task of fs.readdirSync(`/proc/${server.pid}/task`)) {
    const folder = `/proc/${server.pid}/task/${task}`;
    if (fs.readFileSync(`${folder}/comm`, 'utf8').startsWith('tokio')) sum += Number(fs.readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
  }
  return sum / 1e6;
}

let fresh = 1000;
/** The first answer, and the least of five later ones to other questions about the same. */
async function cost(address) {
  const times = [];
  for (let again = 0; again < 6; again++) {
    const before = time();
    const answer = await get(`${address}${address.includes('?') ? '&' : '?'}moves=${fresh++}`);
    if (answer.error) throw new Error(`${address}: ${answer.error.message}`);
    times.push(time() - before);
  }
  return `${times[0].toFixed(1)} ms, then ${Math.min(...times.slice(1)).toFixed(2)} ms`;
}

try {
  const { games } = await get('/api/v1/stats');
  const start = await get('/api/v1/explore?games=0');
  const most = start.moves.toSorted((a, b) => b.reached - a.reached).slice(0, 2);
  console.log(`${games} games; the start occurs ${start.occurrences} times, ${most.map(({ move, reached }) => `${move} leads to a position with ${reached}`).join(', ')}`);
  // Games are sorted in the background when the server starts.
  await new Promise((done) => setTimeout(done, 3000));
  for (const [name, hash] of [['the start', start.position.hash], ...most.map(({ move, hash }) => [`after ${move}`, hash])]) {
    console.log(`${name}: ${await cost(`/api/v1/explore?position=${hash}`)}`);
    for (const filter of ['result=white', 'player=White7', 'since=2024-02']) console.log(`${name}, ${filter}: ${await cost(`/api/v1/explore?position=${hash}&${filter}`)}`);
  }
  console.log(`lichess, the start: ${await cost('/lichess')}`);
  for (const { uci } of most) console.log(`lichess, after ${uci}: ${await cost(`/lichess?play=${uci}`)}`);
  let before = time();
  await get('/api/v1/games?order=rating&games=100');
  console.log(`100 games by rating: ${(time() - before).toFixed(1)} ms`);
  before = time();
  await get('/api/v1/stats');
  console.log(`the numbers of the database: ${(time() - before).toFixed(1)} ms`);
} finally {
  server.kill('SIGTERM');
}
