// Puts functions that are alike next to each other, which gzip stores better: node js/order.mjs IN OUT
//
// The order is told by names, for `wasm-opt --reorder-functions-by-name`: calls need not be rewritten here. Each function follows the one that has most in
// common with it of those that are left; what two functions have in common are runs of four bytes that few others have.

import { readFileSync, writeFileSync } from 'node:fs';

const [input, output] = process.argv.slice(2);
const bytes = readFileSync(input);
const RUN = 4;
const FEW = 200;

let at = 8;
/** A number in LEB128. */
function number() {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return value;
  }
}

function leb(value) {
  const out = [];
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128);
  return [...out, value];
}

let imported = 0;
const bodies = [];
const kept = [bytes.subarray(0, 8)];
while (at < bytes.length) {
  const start = at;
  const id = bytes[at++];
  const end = number() + at;
  if (id === 2) {
    for (let count = number(); count > 0; count -= 1) {
      for (let word = 0; word < 2; word += 1) {
        const length = number();
        at += length;
      }
      // What wasm-bindgen imports are functions.
      if (bytes[at++] !== 0) throw new Error('an import that is not a function');
      number();
      imported += 1;
    }
  } else if (id === 10) {
    for (let count = number(); count > 0; count -= 1) {
      const length = number();
      bodies.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
  if (id !== 0) kept.push(bytes.subarray(start, end));
  at = end;
}

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
