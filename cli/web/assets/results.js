// Results as a bar and in words.

import { count, h } from './dom.js';

const PARTS = [['white', 'White won'], ['draw', 'drawn'], ['black', 'Black won'], ['unknown', 'unknown']];
const SHORT = { white: '1–0', black: '0–1', draw: '½–½', unknown: '?' };
const WORDS = { white: 'White won', black: 'Black won', draw: 'Draw', unknown: 'Result unknown' };

/** A bar of results. Its numbers are in its text alternative, and percentages stand on parts that are wide enough. */
export function bar(results, total) {
  const label = PARTS.filter(([key]) => results[key] > 0).map(([key, words]) => `${count(results[key])} ${words}`).join(', ') || 'no results';
  const element = h('span', { class: 'bar', role: 'img', 'aria-label': label, title: label });
  for (const [key] of PARTS) {
    if (!results[key] || total === 0) continue;
    const share = (100 * results[key]) / total;
    const part = h('span', { class: `part ${key}`, 'aria-hidden': 'true' }, share >= 18 ? `${Math.round(share)}%` : '');
    // Set through the object model, which the content security policy allows, not as a style attribute.
    part.style.width = `${share}%`;
    element.append(part);
  }
  return element;
}

/** The explanation of the colours. */
export const legend = () => h('ul', { class: 'legend', 'aria-label': 'Colours of the bars' },
  ...[['white', 'White'], ['draw', 'Draw'], ['black', 'Black'], ['unknown', 'Unknown']].map(([key, words]) => h('li', {}, h('span', { class: `swatch ${key}`, 'aria-hidden': 'true' }), words)));

/** The result of one game: `1–0`, with words for those who hear it. */
export const outcome = (result) => h('span', { class: `outcome ${result}`, title: WORDS[result] }, h('span', { 'aria-hidden': 'true' }, SHORT[result] ?? '?'), h('span', { class: 'hidden' }, WORDS[result] ?? WORDS.unknown));
