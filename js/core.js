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

/**
 * A function that gives objects a member: it is made of a source when somebody first looks at it, and is like any other one in every respect.
 * All objects share the accessors, since engines are slow with objects that have functions of their own.
 */
export function later(name, make) {
  const ordinary = { configurable: true, enumerable: true };
  // A member, not a private field: an object that inherits from it has it, and so has a proxy, such as the reactive objects of some libraries.
  const held = Symbol(name);
  const member = {
    ...ordinary,
    get() {
      const holder = this[held];
      if (holder.source !== undefined) {
        holder.value = make(holder.source);
        holder.source = undefined;
      }
      return holder.value;
    },
    set(value) { Object.defineProperty(this, name, { ...ordinary, value, writable: true }); },
  };
  return (object, source) => {
    Object.defineProperty(object, held, { value: { source, value: undefined } });
    return Object.defineProperty(object, name, member);
  };
}

function whenReady() {
  if (!ready) throw new Error('boardprint is not loaded yet: `await init()` first');
}

/** Asks the core; what it throws is a problem as JSON. */
export function ask(work) {
  whenReady();
  try {
    return work();
  } catch (thrown) {
    if (typeof thrown === 'string') throw new BoardprintError(JSON.parse(thrown));
    if (!(thrown instanceof WebAssembly.RuntimeError)) throw thrown;
    restart();
    const hint = 'give smaller texts; records that were open have to be opened again';
    throw new BoardprintError({ kind: 'out-of-memory', message: 'the core has stopped, most likely because its memory of 4 GB is used up, and was started again', hint });
  }
}

/** How often the core was started again. What is known about its memory does not hold for the next one. */
export let restarts = 0;

/** A core that has stopped never answers again. */
function restart() {
  core.__wbg_reset_state();
  restarts += 1;
  memory = core.initSync().memory;
  [bytes, whole, numbers] = [new Uint8Array(), new Uint8Array(), new Uint32Array()];
}

/** A text. The long form may also be given as an object. */
export function asText(value) {
  if (typeof value === 'string') return value;
  if (value instanceof String) return String(value);
  // What was read from a file or fetched is often still bytes.
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) throw new TypeError('boardprint reads texts: decode bytes with `new TextDecoder().decode(bytes)`');
  if (value !== null && typeof value === 'object') return JSON.stringify(value, exactly) ?? '';
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

// Answers about plain texts are fetched from the core's memory. Memory that has grown has left the views of it without bytes.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
let whole = new Uint8Array();
/** Numbers about the answer: where it is, how many bytes it has, slot and number of the start, half-moves, whether they have letters, and one more. */
let numbers = new Uint32Array();

/** The answer about a plain text that waits in the core, and what is known about it. */
export function fetched() {
  if (numbers.length === 0) {
    whole = new Uint8Array(memory.buffer);
    numbers = new Uint32Array(memory.buffer, core.skim_numbers(), 7);
  }
  const text = decoder.decode(whole.subarray(numbers[0], numbers[0] + numbers[1]));
  return { text, slot: numbers[2], number: numbers[3], plies: numbers[4], hasLetters: numbers[5] > 0, more: numbers[6] };
}

/** A field of an answer; one that could have been taken for something else is JSON. */
export const asField = (field) => (field.startsWith('"') ? JSON.parse(field) : field);

function room(length) {
  const start = core.room(length);
  bytes = new Uint8Array(memory.buffer, start, length);
}
