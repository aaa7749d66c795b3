// How fast the package is.
//
//   node js/bench.mjs [--against MODULE] [COLLECTION.icn …]
//
// Without a collection the games of corpus/replay are read, 10 MB of each kind: decorated, as a site writes them (letters, `x`, clocks), and plain
// (tags, fields and bare moves). With a module that has a function ShortToLong_Format, such as FormatConverter.js, both run on the same
// texts in turn, and the last column is how many times faster this package is.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ShortToLong_Format, canon, cph, gameHash, hashes, open, read, split } from './node.js';

const BYTES = Number(process.env.BENCH_BYTES ?? 10_000_000);
const RUNS = Number(process.env.BENCH_RUNS ?? 5);
const { values, positionals } = parseArgs({ options: { against: { type: 'string' } }, allowPositionals: true });

/** The least of some runs, in seconds of processor time: what the machine does beside it does not count. */
function least(works) {
  const best = works.map(() => Infinity);
  for (let run = 0; run < RUNS; run += 1) {
    works.forEach((work, index) => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      best[index] = Math.min(best[index], (user + system) / 1e6);
    });
  }
  return best;
}

const size = (games) => games.reduce((sum, game) => sum + game.length, 0) / 1e6;

/** So many copies that there are enough bytes. Each is a text of its own, flat in memory as one that was just received. */
function enough(games) {
  const times = Math.ceil(BYTES / 1e6 / size(games));
  return Array.from({ length: times }, () => games.map((game) => Buffer.from(game).toString())).flat();
}

function collections() {
  if (positionals.length > 0) return positionals.map((path) => [path, enough(split(readFileSync(path, 'utf8')).map(({ text }) => text))]);
  const rows = readFileSync(new URL('../corpus/replay/replay.jsonl', import.meta.url), 'utf8').split('\n').filter(Boolean);
  const games = rows.map((row) => JSON.parse(row).icn.replaceAll('\n', ' '));
  const plain = games.map((game) => `${/^(\[[^\]]*\] *)*/.exec(game)[0]}${canon(game)}`);
  return [['decorated games', enough(games)], ['plain games', enough(plain)]];
}

/** What another program makes of ICN. */
async function other(path) {
  const module = await import(pathToFileURL(resolve(path)));
  const homes = [module, module.default, ...Object.values(module)];
  const convert = homes.map((home) => home?.ShortToLong_Format).find((member) => typeof member === 'function');
  if (!convert) throw new Error(`${path} has no function ShortToLong_Format`);
  return convert;
}

const show = (name, megabytes, count, seconds, times = '') => {
  const speed = `${(megabytes / seconds).toFixed(1)} MB/s`;
  console.log(`${name.padEnd(50)}${speed.padStart(12)}${String(Math.round(count / seconds)).padStart(9)} games/s${times}`);
};

/** Has everything made, for those who need it all. */
const whole = (game) => [game.moves, game.startingPosition, game.specialRights];

const WORK = [
  ['ICN to a game (open)', (game) => open(game, { from: 'icn' }).free()],
  ['ICN to an object (read)', (game) => read(game, { from: 'icn' })],
  ['  … and every move', (game) => whole(read(game, { from: 'icn' }))],
  ['ICN to the long form (ShortToLong_Format)', (game) => ShortToLong_Format(game)],
  ['  … and every piece and move', (game) => whole(ShortToLong_Format(game))],
  ['game hash', (game) => gameHash(game, { from: 'icn' })],
  ['hash of every position', (game) => hashes(game, { from: 'icn' })],
];

const theirs = values.against ? await other(values.against) : null;
const readable = (game) => {
  try {
    return Boolean(theirs(game));
  } catch {
    return false;
  }
};
for (const [name, all] of collections()) {
  const games = theirs ? all.filter(readable) : all;
  if (games.length < all.length) console.log(`${all.length - games.length} of ${all.length} games are left out: the other program cannot read them`);
  const megabytes = size(games);
  console.log(`\n${name}: ${games.length}, ${megabytes.toFixed(1)} MB`);
  if (theirs) {
    const jobs = [...WORK.slice(0, 5), ['the other program', theirs]];
    const seconds = least(jobs.map(([, work]) => () => games.forEach((game) => work(game))));
    jobs.forEach(([job], index) => show(job, megabytes, games.length, seconds[index], `  ${(seconds[5] / seconds[index]).toFixed(1)} times`));
    continue;
  }
  const text = games.join('\n\n');
  show('records of a text (split)', megabytes, games.length, least([() => split(text, { from: 'icn' })])[0]);
  for (const [job, work] of WORK) show(job, megabytes, games.length, least([() => games.forEach((game) => work(game))])[0]);
}

if (!theirs) {
  console.log();
  const start = 'w 0/100 1 (8|1) P1,2+|P2,2+|P3,2+|P4,2+|P5,2+|P6,2+|P7,2+|P8,2+|p1,7+|p2,7+|p3,7+|p4,7+|p5,7+|p6,7+|p7,7+|p8,7+|R1,1+|R8,1+|r1,8+|r8,8+|N2,1|N7,1|n2,8|n7,8|B3,1|B6,1|b3,8|b6,8|Q4,1|q4,8|K5,1+|k5,8+';
  for (const [name, position] of [['32 pieces in ICN', start], ['4 pieces in ICN', 'K0,0|Q1,1|k7,7|r5,5'], ['a FEN', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1']]) {
    const [seconds] = least([() => { for (let index = 0; index < 20000; index += 1) cph(position); }]);
    console.log(`cph of ${name}: ${Math.round(20000 / seconds)} per second`);
  }
}
