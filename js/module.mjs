// What a WebAssembly module is made of, for order.mjs and sizes.mjs.

/** Reads numbers and words from bytes, one after the other. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    this.at += 1;
    return this.bytes[this.at - 1];
  }

  /** A number in LEB128. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  /** So many bytes. */
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** Bytes with their number in front. */
  part() { return this.take(this.number()); }

  word() { return this.part().toString('latin1'); }
}

/**
 * The sections of a module, each with its id, its content, and `whole` with what stands before it; how many functions it imports; the bodies of its
 * own; and their names, by the number of the function.
 */
export function readModule(bytes) {
  const sections = [];
  const bodies = [];
  const names = new Map();
  let imported = 0;
  const file = new Reader(bytes, 8);
  while (file.at < bytes.length) {
    const start = file.at;
    const id = file.byte();
    const content = file.part();
    sections.push({ id, content, whole: bytes.subarray(start, file.at) });
    const inner = new Reader(content);
    if (id === 2) {
      for (let count = inner.number(); count > 0; count -= 1) {
        inner.part();
        inner.part();
        // Ours has only functions, before wasm-bindgen and after it.
        if (inner.byte() !== 0) throw new Error('an import that is not a function');
        inner.number();
        imported += 1;
      }
    } else if (id === 10) {
      for (let count = inner.number(); count > 0; count -= 1) bodies.push(inner.part());
    } else if (id === 0 && inner.word() === 'name') {
      while (inner.at < content.length) {
        const kind = inner.byte();
        const list = new Reader(inner.part());
        if (kind === 1) for (let count = list.number(); count > 0; count -= 1) names.set(list.number(), list.word());
      }
    }
  }
  return { sections, imported, bodies, names };
}

/** A number in LEB128. */
export function leb(value) {
  const out = [];
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128);
  return [...out, value];
}
