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

/** A count with its noun: `1 game`, `2 games`. */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
