// A table of games with pages. Everything in a row comes from tags and is only ever text.

import { SIDES } from './cpn.js';
import { count, foreign, h, player, put } from './dom.js';
import { outcome } from './results.js';

const named = (name, rating) => [h('span', { class: 'player' }, foreign(player(name))), rating === null ? null : h('span', { class: 'rating' }, ` ${rating}`)];

export class GameList {
  #cursors = [null];

  /** @param {{ open: (game: import('./source').GameRow) => void, page: (cursor: string | null) => void, caption: string }} options */
  constructor(options) {
    this.options = options;
    this.body = h('tbody');
    this.table = h('table', { class: 'games' },
      h('caption', { class: 'hidden' }, options.caption),
      h('thead', {}, h('tr', {}, ...['Players', 'Result', 'Date', 'Event', 'Plies'].map((text) => h('th', { scope: 'col' }, text)))),
      this.body);
    this.back = h('button', { type: 'button', class: 'tool', on: { click: () => this.#turn(-1) } }, '← Previous games');
    this.next = h('button', { type: 'button', class: 'tool', on: { click: () => this.#turn(1) } }, 'Next games →');
    this.where = h('span', { class: 'where' });
    this.pager = h('nav', { class: 'pager', 'aria-label': 'Pages of games' }, this.back, this.where, this.next);
    this.empty = h('p', { class: 'muted' }, 'No games.');
    this.element = h('div', {}, h('div', { class: 'scroll' }, this.table), this.empty, this.pager);
    this.clear();
  }

  /** Forgets the pages: the question is another one. */
  restart() {
    this.#cursors = [null];
  }

  get cursor() {
    return this.#cursors.at(-1);
  }

  /** Shows a page. */
  show(games, nextCursor) {
    this.following = nextCursor;
    put(this.body, ...games.map((game) => this.#row(game)));
    this.table.hidden = games.length === 0;
    this.empty.hidden = games.length > 0;
    this.back.disabled = this.#cursors.length === 1;
    this.next.disabled = nextCursor === null;
    this.pager.hidden = this.back.disabled && this.next.disabled;
    this.where.textContent = `Page ${count(this.#cursors.length)}`;
  }

  /** Shows nothing: there is no answer. */
  clear() {
    this.show([], null);
    this.empty.hidden = true;
  }

  #turn(direction) {
    if (direction > 0) this.#cursors.push(this.following);
    else this.#cursors.pop();
    this.options.page(this.cursor);
  }

  #row(game) {
    const open = () => this.options.open(game);
    const players = h('button', { type: 'button', class: 'link', on: { click: (event) => { event.stopPropagation(); open(); } } },
      ...named(game.white, game.white_rating), h('span', { class: 'versus' }, ' – '), ...named(game.black, game.black_rating));
    const extra = game.variant ?? (game.game === 'western' ? null : game.game);
    return h('tr', { 'data-game': game.id, on: { click: open } },
      h('th', { scope: 'row' }, players, extra ? h('span', { class: 'chip' }, foreign(extra)) : null),
      h('td', {}, outcome(game.result, SIDES[game.game])),
      h('td', { class: 'date' }, game.date ?? '–'),
      h('td', { class: 'event' }, foreign(game.event ?? '–'), h('span', { class: 'source' }, `${game.record.path}, record ${game.record.record}`)),
      h('td', { class: 'number' }, game.ply === null ? count(game.plies) : `${count(game.ply)} / ${count(game.plies)}`));
  }
}
