// Draws pieces: figures, tiles and cards, in the colours of the program's pictures.

import { s, shape } from './dom.js';
import { figures, makruk, shield } from './glyphs.js';

/** The side of the grid on which shapes are drawn. */
export const GRID = 45;

// Fill, stroke, detail of the neutral player, white, black, red, blue, yellow, green.
const INKS = [
  ['#8e959e', '#3a3937', '#3a3937'], ['#fdfcf8', '#1f1f1f', '#1f1f1f'], ['#2e2e33', '#0d0d0f', '#f4f2ec'], ['#d9483f', '#4a0f0c', '#ffffff'],
  ['#3f7bd9', '#0d254d', '#ffffff'], ['#f2c531', '#4d3b00', '#4d3b00'], ['#4aa359', '#0c3815', '#ffffff'],
];

const FORMS = {
  wedge: ['M22.5 3L34 8.5l4.5 33h-32L11 8.5z', 20, 29, 38.8],
  wedgeDown: ['M22.5 42L34 36.5 38.5 3.5h-32L11 36.5z', 20, 29, 11.8],
  disc: ['M2.5 22.5a20 20 0 0 1 40 0 20 20 0 0 1-40 0z', 21, 27.5, 37.5],
  large: ['M14.5 3h16L42 14.5v16L30.5 42h-16L3 30.5v-16z', 21, 27.5, 38],
  octagon: ['M15.5 5.5h14l10 10v14l-10 10h-14l-10-10v-14z', 18, 26.5, 35.5],
  small: ['M16.7 8.5h11.6l8.2 8.2v11.6l-8.2 8.2H16.7l-8.2-8.2V16.7z', 15, 25.5, 33.5],
};
const CARD = 'M9 5h27q3 0 3 3v29q0 3-3 3H9q-3 0-3-3V8q0-3 3-3z';

/** Fill, stroke and detail of a player; players without colours of their own get hues far from each other. */
export function ink(player) {
  if (INKS[player]) return INKS[player];
  const hue = (player * 255 + 300) % 360;
  return [`hsl(${hue} 60% 55%)`, `hsl(${hue} 70% 18%)`, '#ffffff'];
}

/** Definitions of shapes for one picture: each shape once, then by reference. */
export class Shapes {
  static #next = 0;
  #prefix = `shape${Shapes.#next++}-`;
  #known = new Map();

  constructor() {
    this.element = s('defs');
  }

  /** A piece on the grid of 45 by 45; `up` says whether its owner sits at the bottom of the picture. */
  draw(piece, up) {
    if (piece.look === 'tile') return drawTile(piece, up);
    if (piece.look === 'card') return drawCard(piece);
    const [fill, stroke, color] = ink(piece.player);
    return s('use', {
      href: `#${this.#shape(piece)}`, fill, stroke, color, 'stroke-width': 1.5, 'stroke-linejoin': 'round', 'stroke-linecap': 'round',
    });
  }

  #shape(piece) {
    const key = `${piece.look}-${piece.code}`;
    if (!this.#known.has(key)) {
      const id = this.#prefix + this.#known.size;
      const known = (piece.look === 'makruk' ? makruk : figures)[piece.code];
      this.element.append(s('g', { id }, ...(known ?? shield).map(shape), known ? null : code(piece.code)));
      this.#known.set(key, id);
    }
    return this.#known.get(key);
  }
}

// Presentation attributes are not styles: the content security policy lets them through.
const TEXT = { x: 22.5, 'text-anchor': 'middle', stroke: 'none' };

function code(text) {
  const size = [22, 18, 12, 9][Math.min(Math.max(text.length, 1), 4) - 1];
  return s('text', { ...TEXT, y: 21.5 + size * 0.35, 'font-size': size, 'font-weight': 'bold', 'font-family': 'sans-serif', fill: 'currentColor' }, text.toUpperCase());
}

/** Whether there is a font for a sign. A sign without one looks like a code point that no font has. */
const signs = new Map();
function hasSign(sign) {
  if (!signs.has(sign)) {
    const look = (text) => {
      const context = new OffscreenCanvas(24, 24).getContext('2d', { willReadFrequently: true });
      context.font = '16px serif';
      context.fillText(text, 2, 18);
      return context.getImageData(0, 0, 24, 24).data.join();
    };
    signs.set(sign, look(sign) !== look('\u{10ffff}') && look(sign) !== look('\u{effff}'));
  }
  return signs.get(sign);
}

function drawTile(piece, up) {
  const bottom = piece.player === 1;
  const [outline, size, signY, letterY] = FORMS[piece.form === 'wedge' && !up ? 'wedgeDown' : piece.form];
  const janggi = piece.form === 'large' || piece.form === 'octagon' || piece.form === 'small';
  const dark = (piece.form === 'wedge' && !piece.promoted) || (piece.form === 'disc' && !bottom);
  const fill = dark ? '#1f1f1f' : janggi && bottom ? '#14683a' : '#b3261e';
  const letter = (piece.promoted ? '+' : '') + (bottom ? piece.code.toUpperCase() : piece.code);
  // The sign looks at its owner's opponent, the letter always at the reader.
  const turn = piece.form === 'wedge' && !up ? 'rotate(180 22.5 22.5)' : null;
  return s('g', {},
    s('path', { d: outline, fill: '#fbeecf', stroke: '#4a3b26', 'stroke-width': 1.3, 'stroke-linejoin': 'round' }),
    piece.form === 'disc' ? s('circle', { cx: 22.5, cy: 22.5, r: 17.5, fill: 'none', stroke: fill, 'stroke-width': 0.9 }) : null,
    ...(hasSign(piece.sign)
      ? [s('text', { ...TEXT, y: signY, 'font-size': size, class: 'sign', fill, transform: turn }, piece.sign),
        s('text', { ...TEXT, y: letterY, 'font-size': 8, 'font-family': 'sans-serif', fill, opacity: 0.8 }, letter)]
      : [s('text', { ...TEXT, y: 22.5 + size * 0.36, 'font-size': letter.length > 1 ? size * 0.8 : size, 'font-weight': 'bold', 'font-family': 'sans-serif', fill }, letter)]));
}

function drawCard(piece) {
  const [fill, stroke, detail] = ink(piece.player);
  const name = piece.code.length > 4 ? `${piece.code.slice(0, 3)}…` : piece.code;
  const size = [20, 20, 17, 13, 10][Math.min(name.length, 4)];
  const label = (piece.promoted ? '+' : '') + (piece.player === 1 ? name.toUpperCase() : name);
  return s('g', {},
    s('path', { d: CARD, fill, stroke, 'stroke-width': 1.5 }),
    s('text', { ...TEXT, y: 22.5 + size * 0.35, 'font-size': size, 'font-family': 'sans-serif', fill: detail }, label));
}
