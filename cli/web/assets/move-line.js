// The moves of the line on the board, and buttons that step along it.

import { capital, h, put } from './dom.js';
import { icon } from './icons.js';
import { moveName } from './label.js';

/** The most moves that are shown at once around the present one. */
const WINDOW = 400;

/** The number of a move, and whether the first player makes it. */
function turnOf(line, number) {
  // A turn order other than white and black stands in the hand of the CPN: `turn_1_3_2_4`.
  const players = /turn((?:_\d+)+)/i.exec(line.start.cpn)?.[1].split('_').length - 1 || 2;
  const first = players === 2 && line.start.turn === 'black' ? 1 : 0;
  return { move: Math.floor((number - 1 + first) / players) + 1, leads: (number - 1 + first) % players === 0 };
}

/** The moves before the position on the board, the last of them: `1. d4 d5 2. c4`. */
export function lastMoves(line) {
  const from = Math.max(0, line.ply - 6);
  const words = line.plies.slice(from, line.ply).map((ply, index) => {
    const { move, leads } = turnOf(line, from + index + 1);
    return leads ? `${move}. ${moveName(ply)}` : index === 0 ? `${move}… ${moveName(ply)}` : moveName(ply);
  });
  return `${from > 0 ? '… ' : ''}${words.join(' ')}`;
}

export class MoveLine {
  /** @param {{ go: (ply: number) => void, step: (by: number) => void }} events */
  constructor(events) {
    this.events = events;
    const button = (text, label, act) => h('button', { type: 'button', class: 'tool', 'aria-label': label, title: label, on: { click: act } }, icon(text));
    this.first = button('first', 'First position', () => events.go(0));
    this.back = button('back', 'Previous position', () => events.step(-1));
    this.next = button('next', 'Next position', () => events.step(1));
    this.last = button('last', 'Last position', () => events.go(this.plies));
    this.where = h('span', { class: 'where' });
    this.list = h('ol', { class: 'line', tabindex: 0, 'aria-label': 'Moves of the line' });
    this.comment = h('p', { class: 'comment' });
    this.element = h('div', { class: 'move-line' },
      h('div', { class: 'tools', role: 'group', 'aria-label': 'Steps' }, this.first, this.back, this.next, this.last, this.where), this.list, this.comment);
  }

  /**
   * @param {import('./line').Line} line
   * @param {import('./source').Position} position
   * @param {[string, string]} sides what the players are called
   */
  show(line, position, sides) {
    this.plies = line.plies.length;
    this.first.disabled = this.back.disabled = line.ply === 0;
    this.next.disabled = this.last.disabled = line.ply === line.plies.length;
    this.where.textContent = line.plies.length === 0 ? '' : `Ply ${line.ply} of ${line.plies.length}`;
    this.list.hidden = line.plies.length === 0;
    const from = Math.max(0, line.ply - WINDOW / 2);
    put(this.list, ...line.plies.slice(from, from + WINDOW).map((ply, index) => this.#item(line, ply, from + index + 1)));
    const here = this.list.querySelector('[aria-current]');
    // Scrolls the list alone: the page stays where it is.
    if (here) this.list.scrollTop = here.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    const ended = position.conclusion;
    const winner = { white: sides[0], black: sides[1] }[ended?.winner] ?? ended?.winner;
    const end = ended ? `${capital(ended.condition)}${winner ? `, ${winner} wins` : ''}.` : '';
    this.comment.textContent = [line.last?.comment, end].filter(Boolean).join(' ');
  }

  #item(line, ply, number) {
    const { move, leads } = turnOf(line, number);
    const label = `${move}${leads ? '.' : '…'}`;
    return h('li', {},
      leads || number === 1 ? h('span', { class: 'turn' }, label) : null,
      h('button', { type: 'button', class: 'ply', 'aria-current': number === line.ply ? 'step' : null, title: ply.san ? null : ply.move, on: { click: () => this.events.go(number) } }, moveName(ply)));
  }
}
