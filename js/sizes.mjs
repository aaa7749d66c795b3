// Where the bytes of a build are: node js/sizes.mjs [release|small] [WORD]
//
// Code by crate and the parts of the file, before `wasm-opt` takes the names away. A function of a generic type counts for the first crate of its
// name that is ours, or else for the first one. With a word, the functions whose names have it, the largest first.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const profile = process.argv[2] ?? 'release';
const bytes = readFileSync(new URL(`target/wasm32-unknown-unknown/${profile}/boardprint_js.wasm`, import.meta.url));
const SECTIONS = ['names', 'types', 'imports', 'functions', 'tables', 'memory', 'globals', 'exports', 'start', 'elements', 'code', 'data'];

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
const word = () => {
  const length = number();
  return bytes.toString('latin1', at, at += length);
};

let imported = 0;
const [sizes, names] = [[], new Map()];
while (at < bytes.length) {
  const id = bytes[at++];
  const end = number() + at;
  if (id > 0) console.log(`${(SECTIONS[id] ?? `section ${id}`).padEnd(20)}${String(end - at).padStart(9)}${String(gzipSync(bytes.subarray(at, end), { level: 9 }).length).padStart(9)} gzipped`);
  if (id === 2) {
    for (let count = number(); count > 0; count -= 1) {
      word();
      word();
      // Before wasm-bindgen only functions are imported.
      if (bytes[at++] !== 0) throw new Error('an import that is not a function');
      number();
      imported += 1;
    }
  } else if (id === 10) {
    for (let count = number(); count > 0; count -= 1) {
      const size = number();
      sizes.push(size);
      at += size;
    }
  } else if (id === 0 && word() === 'name') {
    while (at < end) {
      const kind = bytes[at++];
      const next = number() + at;
      if (kind === 1) for (let count = number(); count > 0; count -= 1) names.set(number(), word());
      at = next;
    }
  }
  at = end;
}

const named = process.argv[3];
if (named) {
  const found = sizes.map((size, index) => [size, names.get(index + imported) ?? '']).filter(([, name]) => name.includes(named));
  console.log();
  for (const [size, name] of found.sort(([a], [b]) => b - a)) console.log(`${String(size).padStart(7)} ${name}`);
}

const crates = new Map();
sizes.forEach((size, index) => {
  const name = names.get(index + imported) ?? '';
  const [crate] = /boardprint_[a-z]+/.exec(name) ?? /cozy_chess|dashu_int|serde_json|hashbrown|dlmalloc|memchr|sha1|wasm_bindgen|alloc|core|std/.exec(name) ?? ['exports and others'];
  crates.set(crate, (crates.get(crate) ?? 0) + size);
});
console.log();
for (const [crate, size] of [...crates].sort(([, a], [, b]) => b - a)) console.log(`${crate.padEnd(20)}${String(size).padStart(9)}`);
