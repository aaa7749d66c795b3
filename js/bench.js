// How fast the package is: node js/bench.js [COLLECTION.icn]
//
// Without a collection the games of corpus/replay are read again and again until they are 10 MB.

import { readFileSync } from 'node:fs';
import { ShortToLong_Format, cph, gameHash, hashes, open, read, split } from './node.js';

const LENGTH = Number(process.env.BENCH_BYTES ?? 10_000_000);

/** The games of the corpus, one per line, as often as it takes. */
function corpus() {
  const rows = readFileSync(new URL('../corpus/replay/replay.jsonl', import.meta.url), 'utf8').split('\n').filter(Boolean);
  const once = rows.map((row) => JSON.parse(row).icn.replaceAll('\n', ' ')).join('\n\n');
  return Array.from({ length: Math.ceil(LENGTH / once.length) }, () => once).join('\n\n');
}

const text = process.argv[2] ? readFileSync(process.argv[2], 'utf8') : corpus();

/** The best of some runs, in seconds of processor time: what the machine does beside it does not count. */
function best(work, runs = 3) {
  let least = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

const games = split(text).map((part) => part.text);
const megabytes = games.reduce((sum, game) => sum + game.length, 0) / 1e6;
const speed = (name, work) => {
  const seconds = best(() => games.forEach(work));
  console.log(`${name}: ${(megabytes / seconds).toFixed(1)} MB/s, ${Math.round(games.length / seconds)} games per second`);
};
console.log(`${games.length} games, ${megabytes.toFixed(1)} MB`);
console.log(`split: ${(megabytes / best(() => split(text), 3)).toFixed(1)} MB/s`);
speed('ICN to game (open, free)', (game) => open(game, { from: 'icn' }).free());
speed('ICN to an object (read)', (game) => read(game, { from: 'icn' }));
speed('ICN to the long form (ShortToLong_Format)', (game) => ShortToLong_Format(game));
speed('game hash', (game) => gameHash(game, { from: 'icn' }));
speed('hash of every position', (game) => hashes(game, { from: 'icn' }));

const start = 'w 0/100 1 (8|1) P1,2+|P2,2+|P3,2+|P4,2+|P5,2+|P6,2+|P7,2+|P8,2+|p1,7+|p2,7+|p3,7+|p4,7+|p5,7+|p6,7+|p7,7+|p8,7+|R1,1+|R8,1+|r1,8+|r8,8+|N2,1|N7,1|n2,8|n7,8|B3,1|B6,1|b3,8|b6,8|Q4,1|q4,8|K5,1+|k5,8+';
for (const [name, position] of [['32 pieces, ICN', start], ['4 pieces, ICN', 'K0,0|Q1,1|k7,7|r5,5'], ['start, FEN', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1']]) {
  const seconds = best(() => { for (let index = 0; index < 20000; index += 1) cph(position); });
  console.log(`cph of ${name}: ${Math.round(20000 / seconds)} per second`);
}
