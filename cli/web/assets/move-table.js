// The moves that were played from a position.

import { count, h, put } from './dom.js';
import { moveName } from './label.js';
import { bar } from './results.js';

export class MoveTable {
  #moves = [];
  #chosen = -1;

  /** @param {{ play: (move: import('./source').NextMove) => void, say: (text: string) => void }} events */
  constructor(events) {
    this.events = events;
    this.body = h('tbody');
    const column = (text, title) => h('th', { scope: 'col', title }, text);
    this.table = h('table', { class: 'moves' },
      h('caption', { class: 'hidden' }, 'Moves from this position. Up and down choose one, Enter plays it.'),
      h('thead', {}, h('tr', {}, column('Move'), column('Played', 'How often it was played from this position'), column('Reached', 'How often the position after it occurred, by any route'), column('Results'), column('Rating', 'Mean rating of those who played it'))),
      this.body);
    this.more = h('p', { class: 'muted' });
    this.element = h('div', { class: 'scroll' }, this.table, this.more);
    this.clear();
  }

  /**
   * @param {import('./source').Explore} answer
   * @param {[string, string]} sides what the players are called
   */
  show(answer, sides) {
    this.#moves = answer.moves;
    this.#chosen = -1;
    const played = answer.moves.reduce((sum, move) => sum + move.occurrences, 0);
    const ended = answer.more_moves === 0 ? answer.occurrences - played : 0;
    put(this.body,
      ...answer.moves.map((move, index) => this.#row(move, index, sides)),
      ended > 0 ? h('tr', { class: 'ended' }, h('th', { scope: 'row' }, 'Game ends'), h('td', { class: 'number' }, count(ended)), h('td'), h('td'), h('td')) : null);
    this.table.hidden = answer.moves.length === 0 && ended <= 0;
    this.more.textContent = answer.more_moves > 0 ? `And ${count(answer.more_moves)} more moves.` : answer.moves.length === 0 ? 'No moves were played from here.' : '';
  }

  /** Shows nothing: there is no answer. */
  clear() {
    this.#moves = [];
    this.#chosen = -1;
    put(this.body);
    this.table.hidden = true;
    this.more.textContent = '';
  }

  /** Chooses the next or the previous move. */
  choose(by) {
    if (this.#moves.length === 0) return;
    this.#chosen = this.#chosen < 0 ? (by > 0 ? 0 : this.#moves.length - 1) : Math.min(Math.max(this.#chosen + by, 0), this.#moves.length - 1);
    [...this.body.rows].forEach((row, index) => row.classList.toggle('chosen', index === this.#chosen));
    this.body.rows[this.#chosen].scrollIntoView({ block: 'nearest' });
    const move = this.#moves[this.#chosen];
    this.events.say(`${moveName(move)}, played ${count(move.occurrences)}, reached ${count(move.reached)}`);
  }

  /** Plays the chosen move; false if none is chosen. */
  playChosen() {
    if (this.#chosen < 0) return false;
    this.events.play(this.#moves[this.#chosen]);
    return true;
  }

  #row(move, index, sides) {
    const play = () => this.events.play(this.#moves[index]);
    return h('tr', { 'data-move': move.move, on: { click: play } },
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', on: { click: (event) => { event.stopPropagation(); play(); } }, title: move.san ? null : move.move }, moveName(move))),
      h('td', { class: 'number' }, count(move.occurrences)),
      h('td', { class: 'number' }, count(move.reached)),
      h('td', { class: 'results' }, bar(move.results, move.occurrences, sides)),
      h('td', { class: 'number' }, move.rating === null ? '–' : String(move.rating)));
  }
}
