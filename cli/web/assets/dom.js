// Small helpers to build elements. Text always becomes a text node: whatever a tag of a game holds, it stays text.

const SVG = 'http://www.w3.org/2000/svg';

/** Builds an HTML element: `h('p', { class: 'note', on: { click } }, 'text', child)`. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Builds an SVG element in the same way. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Builds the elements of a shape of `glyphs.js`. */
export function shape([tag, attributes, ...children]) {
  return s(tag, attributes, ...children.map(shape));
}

/** Puts children in place of those that an element has. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** A number for people: `12,345`. */
export const count = (number) => number.toLocaleString('en');

/** A text with a capital at its beginning. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The most characters of a tag beside other text. */
const LONGEST = 120;

/** The beginning of a text that may be long. */
export const brief = (text) => (text.length <= LONGEST ? text : `${[...text.slice(0, 2 * LONGEST)].slice(0, LONGEST).join('')}…`);

/** A text of others beside our own: not longer than the place for it, and its direction does not turn what follows. */
export const foreign = (text) => h('bdi', {}, brief(text));

/** What the player of a game is called. */
export const player = (name) => name || 'Unknown player';

/** The players of a game. */
export const players = (white, black) => [foreign(player(white)), ' – ', foreign(player(black))];

/** Texts of others in one line: an event, a date. */
export const facts = (...texts) => texts.filter(Boolean).flatMap((text, index) => (index === 0 ? [foreign(text)] : [' · ', foreign(text)]));

/** A count with its noun: `1 game`, `2 games`. */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
