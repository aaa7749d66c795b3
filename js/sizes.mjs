// Where the bytes of a build are: node js/sizes.mjs [release|small] [WORD]
//
// Code by crate and the parts of the file, before `wasm-opt` takes the names away. A function of a generic type counts for the first crate of its
// name that is ours, or else for the first one. With a word, the functions whose names have it, the largest first.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { readModule } from './module.mjs';

const profile = process.argv[2] ?? 'release';
const SECTIONS = ['names', 'types', 'imports', 'functions', 'tables', 'memory', 'globals', 'exports', 'start', 'elements', 'code', 'data'];

const { sections, imported, bodies, names } = readModule(readFileSync(new URL(`target/wasm32-unknown-unknown/${profile}/boardprint_js.wasm`, import.meta.url)));
for (const { id, content } of sections) {
  if (id > 0) console.log(`${(SECTIONS[id] ?? `section ${id}`).padEnd(20)}${String(content.length).padStart(9)}${String(gzipSync(content, { level: 9 }).length).padStart(9)} gzipped`);
}
const sizes = bodies.map((body) => body.length);

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
