// The health page: what the database holds, which games are there twice, what `check` says of them.

import { SIDES } from './cpn.js';
import { count, counted, facts, h, players, put } from './dom.js';
import { moveName } from './label.js';
import { problemCard, prose } from './problem.js';
import { bar, legend, outcome } from './results.js';

const BY = { game: 'the same game', moves: 'the same moves', final: 'the same final position', prefix: 'one is the beginning of the other' };

export class HealthView {
  /**
   * @param {import('./source').Source} source
   * @param {{ say: (text: string) => void }} page
   */
  constructor(source, page) {
    this.source = source;
    this.page = page;
    this.numbers = h('div');
    this.pairs = h('div', { class: 'pairs' });
    this.findings = h('div', { class: 'findings' });
    const card = (id, title, ...content) => h('section', { class: 'card', 'aria-labelledby': id }, h('h2', { id }, title), ...content);
    this.element = h('div', { class: 'single' },
      h('h1', {}, 'Health'),
      card('stats', 'What the database holds', this.numbers), card('duplicates', 'Duplicates', this.pairs), card('findings', 'Findings of check', this.findings));
  }

  async open() {
    document.title = 'Health · boardprint';
    this.element.setAttribute('aria-busy', 'true');
    await Promise.all([
      this.#part(this.numbers, async () => put(this.numbers, ...numbers(await this.source.stats()))),
      this.#part(this.pairs, () => this.#pages(this.pairs, (cursor) => this.source.duplicates({ cursor }), (answer) => this.#pairs(answer))),
      this.#part(this.findings, () => this.#pages(this.findings, (cursor) => this.source.findings({ cursor }), (answer) => findings(answer))),
    ]);
    this.element.setAttribute('aria-busy', 'false');
    this.page.say('Health of the database');
  }

  key() {
    return false;
  }

  async #part(element, work) {
    try {
      await work();
    } catch (error) {
      if (!error.problem) throw error;
      put(element, problemCard(error.problem));
    }
  }

  /** Shows the first page and a button for each further one. */
  async #pages(element, ask, draw) {
    const first = await ask(undefined);
    put(element, ...draw(first));
    let next = first.nextCursor;
    const more = h('button', { type: 'button', class: 'tool', on: { click: () => this.#part(element, load) } }, 'Show more');
    const load = async () => {
      const answer = await ask(next);
      const [, ...items] = draw(answer);
      more.before(...items);
      next = answer.nextCursor;
      more.hidden = next === null;
    };
    more.hidden = next === null;
    element.append(more);
  }

  #pairs(answer) {
    const head = h('p', { class: 'total' }, answer.total === null ? '' : answer.total === 0 ? 'No duplicates were found while importing.' : counted(answer.total, 'pair'));
    return [head, ...answer.pairs.map((pair) => this.#pair(pair))];
  }

  #pair(pair) {
    const sides = h('div', { class: 'sides' }, side('Kept', pair.kept, pair.kept.game), side('Copy', pair.copy, pair.kept.game));
    const moves = h('div', { class: 'both' });
    const details = h('details', {
      class: 'fine', on: {
        toggle: () => {
          if (details.open && moves.childElementCount === 0) this.#part(moves, () => this.#compare(pair, moves));
        },
      },
    }, h('summary', {}, 'Moves side by side'), moves);
    const equal = pair.next.kept === null && pair.next.copy === null;
    return h('article', { class: 'pair', 'data-pair': pair.kept.id },
      h('p', {}, h('span', { class: 'chip' }, pair.truncated ? 'truncated' : pair.confidence), ` ${BY[pair.by] ?? pair.by}; `,
        equal ? `all ${counted(pair.same_plies, 'ply').replace('plys', 'plies')} are equal` : `equal up to ply ${count(pair.same_plies)}`),
      sides, details);
  }

  /** Both games up to the first ply that differs. */
  async #compare(pair, element) {
    const game = await this.source.game(pair.kept.id);
    const common = game.moves.slice(0, pair.same_plies);
    const name = (move) => (move ? moveName(move) : '(end)');
    const rows = common.map((move, index) => h('tr', {}, h('th', { scope: 'row' }, String(index + 1)), h('td', {}, name(move)), h('td', {}, name(move))));
    if (pair.next.kept || pair.next.copy) {
      rows.push(h('tr', { class: 'differs' }, h('th', { scope: 'row' }, String(pair.same_plies + 1)), h('td', {}, name(pair.next.kept)), h('td', {}, name(pair.next.copy))));
    }
    const hash = common.at(-1)?.hash ?? game.start.hash;
    put(element,
      h('p', {}, h('a', { href: `/p/${hash}?game=${pair.kept.id}&ply=${pair.same_plies}` }, 'Open the last common position')),
      h('div', { class: 'scroll tall', tabindex: 0, role: 'group', 'aria-label': 'Moves of both games' },
        h('table', { class: 'compare' }, h('thead', {}, h('tr', {}, ...['Ply', 'Kept', 'Copy'].map((text) => h('th', { scope: 'col' }, text)))), h('tbody', {}, ...rows))));
    // The end is what one looks for.
    const scroll = element.querySelector('.scroll');
    scroll.scrollTop = scroll.scrollHeight;
  }
}

function side(title, game, kind) {
  const named = players(game.white, game.black);
  const name = game.id === null || game.id === undefined ? named : h('a', { href: `/game/${game.id}` }, named);
  return h('div', { class: 'copy-side' },
    h('h3', {}, title), h('p', {}, name, ' ', outcome(game.result, SIDES[kind])),
    h('p', { class: 'muted' }, ...facts(game.event, game.date, `${count(game.plies)} plies`)),
    h('p', { class: 'source' }, `${game.record.path}, record ${game.record.record}`));
}

function numbers(stats) {
  const known = stats.results.white + stats.results.black + stats.results.draw + stats.results.unknown;
  const fact = (value, name) => h('div', { class: 'fact' }, h('dt', {}, name), h('dd', {}, value));
  return [
    h('dl', { class: 'facts' },
      fact(count(stats.games), 'games'), fact(count(stats.positions), 'positions'),
      stats.distinct_positions === null ? null : fact(count(stats.distinct_positions), 'distinct positions'),
      fact(count(stats.duplicates), 'duplicates left out'), fact(count(stats.rejected), 'records rejected'), fact(bytes(stats.disk_bytes), 'on disk')),
    bar(stats.results, known), legend(),
    h('details', { class: 'fine' }, h('summary', {}, counted(stats.sources.length, 'source')),
      h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Sources' }, h('table', {}, h('thead', {}, h('tr', {}, ...['File', 'Records', 'Bytes'].map((text, index) => h('th', { scope: 'col', class: index > 0 ? 'number' : null }, text)))),
        h('tbody', {}, ...stats.sources.map((source) => h('tr', {}, h('th', { scope: 'row' }, source.path), h('td', { class: 'number' }, count(source.records)), h('td', { class: 'number' }, count(source.bytes)))))))),
  ];
}

function findings(answer) {
  const kinds = Object.entries(answer.kinds);
  const head = h('div', {},
    h('p', { class: 'total' }, `${count(answer.checked)} of ${counted(answer.total, 'game')} checked`),
    kinds.length === 0 ? h('p', { class: 'muted' }, 'Nothing is wrong so far.') : h('p', {}, ...kinds.map(([kind, number]) => h('span', { class: 'chip' }, `${count(number)} ${kind}`))));
  return [head, ...answer.games.map(foundIn)];
}

function foundIn(game) {
  const at = (ply) => (ply === null ? [] : [' ', h('a', { href: `/game/${game.id}?ply=${ply}` }, `Ply ${ply}`)]);
  return h('article', { class: 'finding' },
    h('h3', {}, h('a', { href: `/game/${game.id}` }, players(game.white, game.black)), game.legal ? null : h('span', { class: 'chip bad' }, 'illegal move')),
    h('p', { class: 'source' }, `${game.record.path}, record ${game.record.record}`),
    h('ul', {}, ...game.findings.map((finding) => h('li', {}, h('span', { class: 'chip' }, finding.kind), ' ', ...prose(finding.message), ...at(finding.ply)))));
}

function bytes(number) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(number, 1)) / 3), units.length - 1);
  return `${(number / 1000 ** power).toLocaleString('en', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`;
}
