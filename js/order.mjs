// Puts functions that are alike next to each other, which gzip stores better: node js/order.mjs IN OUT
//
// The order is told by names, for `wasm-opt --reorder-functions-by-name`: calls need not be rewritten here. Each function follows the one that has most in
// common with it of those that are left; what two functions have in common are runs of four bytes that few others have.

import { readFileSync, writeFileSync } from 'node:fs';
import { leb, readModule } from './module.mjs';

const [input, output] = process.argv.slice(2);
const bytes = readFileSync(input);
const RUN = 4;
const FEW = 200;

const { sections, imported, bodies } = readModule(bytes);
const kept = [bytes.subarray(0, 8), ...sections.filter(({ id }) => id !== 0).map(({ whole }) => whole)];

/** The runs of each function, and the functions of each run. */
const runs = bodies.map((body) => {
  const found = new Set();
  for (let place = 0; place + RUN <= body.length; place += 1) found.add(body.readUInt32LE(place));
  return found;
});
const holders = new Map();
runs.forEach((found, index) => {
  for (const run of found) {
    const list = holders.get(run);
    if (list) list.push(index);
    else holders.set(run, [index]);
  }
});

const left = new Set(bodies.map((body, index) => index).sort((a, b) => bodies[b].length - bodies[a].length || a - b));
const order = [];
while (left.size > 0) {
  const common = new Map();
  for (const run of order.length > 0 ? runs[order.at(-1)] : []) {
    const list = holders.get(run);
    if (list.length > FEW) continue;
    for (const index of list) if (left.has(index)) common.set(index, (common.get(index) ?? 0) + 1);
  }
  // The largest one that is left, unless there is one that is alike.
  let [next] = left;
  let best = 0;
  for (const [index, count] of common) {
    const likeness = count / (runs[index].size + 50);
    if (likeness > best || (likeness === best && index < next)) [next, best] = [index, likeness];
  }
  order.push(next);
  left.delete(next);
}

const rank = new Map(order.map((index, place) => [index, String(place).padStart(6, '0')]));
const names = bodies.flatMap((body, index) => [...leb(imported + index), 6, ...Buffer.from(rank.get(index))]);
const list = [...leb(bodies.length), ...names];
const section = [4, ...Buffer.from('name'), 1, ...leb(list.length), ...list];
writeFileSync(output, Buffer.concat([...kept, Buffer.from([0, ...leb(section.length), ...section])]));
