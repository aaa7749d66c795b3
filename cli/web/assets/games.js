// The games page: all games of the database, with filters and pages.

import { counted, h, put } from './dom.js';
import { Filters } from './filters.js';
import { GameList } from './game-list.js';
import { problemCard } from './problem.js';

const PAGE = 25;
const ORDERS = [['id', 'as imported'], ['date', 'newest first'], ['rating', 'highest rated first'], ['plies', 'longest first']];

/** On a phone the filters would hide the games. */
const hasRoom = () => matchMedia('(min-width: 48.01rem)').matches;

export class GamesView {
  #asking = new AbortController();

  /**
   * @param {import('./source').Source} source
   * @param {{ say: (text: string) => void, openGame: (id: number) => void }} page
   */
  constructor(source, page) {
    this.source = source;
    this.page = page;
    this.filters = new Filters(source, () => this.#ask({ restart: true }), { game: true });
    this.filters.element.open = hasRoom();
    this.order = h('select', { name: 'order', on: { change: () => this.#ask({ restart: true }) } }, ...ORDERS.map(([value, text]) => h('option', { value }, text)));
    this.list = new GameList({ caption: 'Games of the database', open: (game) => page.openGame(game.id), page: () => this.#ask({}) });
    this.total = h('p', { class: 'total' });
    this.notice = h('div', { class: 'notice', role: 'alert' });
    this.element = h('div', { class: 'single' },
      h('h1', {}, 'Games'), this.notice,
      h('section', { class: 'card', 'aria-label': 'Filters' }, this.filters.element),
      h('section', { class: 'card', 'aria-label': 'List of games' }, h('div', { class: 'list-head' }, this.total, h('label', { class: 'order' }, h('span', {}, 'Order'), this.order)), this.list.element));
  }

  open(url) {
    const parameters = new URLSearchParams(url.search);
    this.filters.value = this.filters.of(parameters);
    if (hasRoom()) this.filters.element.open = true;
    this.order.value = ORDERS.some(([value]) => value === parameters.get('order')) ? parameters.get('order') : 'id';
    document.title = 'Games · boardprint';
    return this.#ask({ restart: true });
  }

  key() {
    return false;
  }

  async #ask({ restart = false }) {
    this.#asking.abort();
    this.#asking = new AbortController();
    if (restart) this.list.restart();
    const question = { ...this.filters.value, ...(this.order.value === 'id' ? {} : { order: this.order.value }) };
    const query = new URLSearchParams(question).toString();
    history.replaceState(null, '', `/games${query ? `?${query}` : ''}`);
    this.element.setAttribute('aria-busy', 'true');
    try {
      const answer = await this.source.games({ ...question, games: PAGE, cursor: this.list.cursor ?? undefined }, this.#asking.signal);
      put(this.notice);
      this.total.textContent = answer.total === null ? '' : counted(answer.total, 'game');
      this.list.show(answer.games, answer.nextCursor);
      this.page.say(this.total.textContent);
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (!error.problem) throw error;
      put(this.notice, problemCard(error.problem));
      this.notice.scrollIntoView({ block: 'nearest' });
      // What was counted with other filters is no answer.
      this.total.textContent = '';
      this.list.clear();
    }
    this.element.setAttribute('aria-busy', 'false');
  }
}
