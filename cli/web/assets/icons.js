// Signs on buttons, drawn so that they look the same whatever fonts there are.

import { s } from './dom.js';

const PATHS = {
  flip: 'M5 13V3M2.5 5.5L5 3l2.5 2.5M11 3v10M8.5 10.5L11 13l2.5-2.5',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  fold: 'M2 3.5l3 1.5 3-1.5 3 1.5 3-1.5M2 12.5l3-1.5 3 1.5 3-1.5 3 1.5M8 6v4',
  in: 'M8 3v10M3 8h10',
  out: 'M3 8h10',
  first: 'M3.5 3v10M13 3L6.5 8l6.5 5z',
  back: 'M11 3L4.5 8l6.5 5z',
  next: 'M5 3l6.5 5L5 13z',
  last: 'M12.5 3v10M3 3l6.5 5L3 13z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8L13 13M13 3l-1.2 1.2M4.2 11.8L3 13',
  moon: 'M13 9.8A5.6 5.6 0 1 1 6.2 3 4.6 4.6 0 0 0 13 9.8z',
};

/** A sign of 16 by 16 in the colour of the text around it. */
export const icon = (name) => s('svg', { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true', focusable: 'false' },
  s('path', { d: PATHS[name], fill: ['first', 'back', 'next', 'last'].includes(name) ? 'currentColor' : 'none', stroke: 'currentColor', 'stroke-width': 1.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));
