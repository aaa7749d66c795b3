// In node the core is read from the disk at once, so that nobody has to wait for it.

import { readFileSync } from 'node:fs';
import { initSync } from './index.js';

initSync(readFileSync(new URL('./pkg/boardprint.wasm', import.meta.url)));

export * from './index.js';
export { default } from './index.js';
