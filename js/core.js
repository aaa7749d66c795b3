// The core: how it is loaded, how texts and options get into it, and how its problems become errors.

import load, * as core from './pkg/boardprint.js';
import { BoardprintError } from './error.js';

export { core };
export const { Question } = core;

let ready = false;
let loading = null;

/**
 * Loads the core. Without an argument it is fetched from beside this module; an address, a response, bytes or a compiled module
 * take its place. Calling it again does nothing.
 */
export default async function init(source) {
  if (ready) return;
  loading ??= load({ module_or_path: source ?? new URL('./pkg/boardprint.wasm', import.meta.url) });
  try {
    memory = (await loading).memory;
    ready = true;
  } finally {
    loading = null;
  }
}

/** Loads the core from bytes or a compiled module without waiting. */
export function initSync(bytes) {
  if (ready) return;
  memory = core.initSync({ module: bytes }).memory;
  ready = true;
}

/** A member that is made when somebody first looks at it, and is an ordinary one from then on. */
export function lazily(object, name, make) {
  const set = (value) => Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  const get = () => {
    const value = make();
    set(value);
    return value;
  };
  Object.defineProperty(object, name, { get, set, configurable: true, enumerable: true });
}

/** Asks the core; what it throws is a problem as JSON. */
export function ask(work) {
  if (!ready) throw new Error('boardprint is not loaded yet: `await init()` first');
  try {
    return work();
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    throw new BoardprintError(JSON.parse(thrown));
  }
}

/** A text. The long form may also be given as an object. */
export function asText(value) {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object') return JSON.stringify(value, exactly);
  throw new TypeError('boardprint reads strings, and objects of the JSON long form');
}

/** What JSON has no word for: numbers without end, and whole numbers of any size. */
export function exactly(name, value) {
  if (typeof value === 'bigint') return String(value);
  if (value === Infinity) return 'Infinity';
  return value;
}

/** Options as one text: pairs ended by U+001E, name and value parted by U+001F. */
export function pack(options) {
  let text = '';
  for (const name in options) text += packed(name, options[name]);
  return text;
}

export function packed(name, value) {
  if (value === undefined || value === null) return '';
  return `${name}\u001f${Array.isArray(value) ? list(value) : value}\u001e`;
}

/** `[1, 1, 8, 8]` is one thing of several numbers, `['1,1', [8, 8]]` a list of squares. */
const list = (values) => values.map(String).join(values.every((value) => ['number', 'bigint'].includes(typeof value)) ? ',' : '|');

// Texts are written straight into the core's memory. Room for usual ones is kept; a large one has its own until the next text.

const USUAL = 1 << 16;
const encoder = new TextEncoder();
let memory = null;
let bytes = new Uint8Array();

/** Writes a text where the core reads it, and says how many bytes it has. */
export function put(value) {
  const text = asText(value);
  if (text.length <= USUAL) {
    // A unit of UTF-16 takes at most three bytes. Memory that has grown has left the view of it without bytes.
    if (bytes.length !== 3 * USUAL) room(3 * USUAL);
    return encoder.encodeInto(text, bytes).written;
  }
  const encoded = encoder.encode(text);
  room(encoded.length);
  bytes.set(encoded);
  return encoded.length;
}

function room(length) {
  const start = core.room(length);
  bytes = new Uint8Array(memory.buffer, start, length);
}
