// Results as a bar and in words. `sides` are what the players are called: answers say `white` for the first one in every game.

import { SIDES } from './cpn.js';
import { capital, count, h } from './dom.js';

const KEYS = ['white', 'draw', 'black', 'unknown'];
const SHORT = { white: '1–0', black: '0–1', draw: '½–½', unknown: '?' };
const names = (sides) => ({ white: capital(sides[0]), black: capital(sides[1]), draw: 'Draw', unknown: 'Unknown' });

/** A bar of results. Its numbers are in its text alternative, and percentages stand on parts that are wide enough. */
export function bar(results, total, sides = SIDES.western) {
  const { white, black } = names(sides);
  const words = { white: `${white} won`, draw: 'drawn', black: `${black} won`, unknown: 'unknown' };
  const label = KEYS.filter((key) => results[key] > 0).map((key) => `${count(results[key])} ${words[key]}`).join(', ') || 'no results';
  const element = h('span', { class: 'bar', role: 'img', 'aria-label': label, title: label });
  for (const key of KEYS) {
    if (!results[key] || total === 0) continue;
    const share = (100 * results[key]) / total;
    const part = h('span', { class: `part ${key}`, 'aria-hidden': 'true' }, h('span', {}, `${Math.round(share)}%`));
    // Set through the object model, which the content security policy allows, not as a style attribute.
    part.style.width = `${share}%`;
    element.append(part);
  }
  return element;
}

/** The explanation of the colours. */
export const legend = (sides = SIDES.western) => h('ul', { class: 'legend', 'aria-label': 'Colours of the bars' },
  ...KEYS.map((key) => h('li', {}, h('span', { class: `swatch ${key}`, 'aria-hidden': 'true' }), names(sides)[key])));

/** The result of one game: `1–0`, with words for those who hear it. */
export function outcome(result, sides = SIDES.western) {
  const { white, black } = names(sides);
  const words = { white: `${white} won`, black: `${black} won`, draw: 'Draw' }[result] ?? 'Result unknown';
  return h('span', { class: `outcome ${result}`, title: words }, h('span', { 'aria-hidden': 'true' }, SHORT[result] ?? '?'), h('span', { class: 'hidden' }, words));
}
