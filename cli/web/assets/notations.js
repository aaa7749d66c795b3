// Every notation of a position, each with a button that copies it.

import { h, put } from './dom.js';

export class Notations {
  /** @param {import('./source').Source} source */
  constructor(source) {
    this.source = source;
    this.list = h('dl', { class: 'notations' });
    this.links = h('p', { class: 'links' });
    this.element = h('section', { class: 'card notations-card', 'aria-labelledby': 'notations' }, h('h2', { id: 'notations' }, 'Notations'), this.list, this.links);
  }

  /**
   * @param {import('./source').Position} position
   * @param {{ game?: import('./source').StoredGame | null, whole?: { [form: string]: string } }} more the game it is from, or the whole record in its forms
   */
  show(position, { game = null, whole = {} } = {}) {
    const rows = [
      ['Hash', position.hash], ['ICN', position.icn], ['FEN', position.fen], ['SFEN', position.sfen], ['CPN', position.cpn],
      ...Object.entries(whole).map(([form, text]) => [`Game, ${form}`, text]),
    ];
    put(this.list, ...rows.filter(([, text]) => text).flatMap(([name, text]) => row(name, text)));
    if (position.lost.length > 0) this.list.append(h('dt', { class: 'muted' }, 'Not in hash'), h('dd', { class: 'plain' }, position.lost.join(', ')));
    const picture = this.source.picture(position);
    const link = (href, text) => (href === null ? null : h('a', { href }, text));
    const forms = position.game === 'infinite' ? ['icn', 'long'] : position.game === 'shogi' ? ['csa', 'kif', 'usi'] : ['pgn', 'uci'];
    put(this.links,
      copyButton('Copy link', () => location.href),
      link(picture, 'Picture (SVG)'),
      ...(game ? forms.map((form) => link(this.source.gameIn(game.id, form), `Game as ${form === 'long' ? 'JSON' : form.toUpperCase()}`)) : []));
  }
}

function row(name, text) {
  const code = h('code', { tabindex: 0, 'aria-label': name, role: 'group' }, text);
  return [h('dt', {}, name), h('dd', {}, code, copyButton('Copy', () => text, name))];
}

function copyButton(label, text, what = '') {
  const button = h('button', { type: 'button', class: 'tool copy', 'aria-label': what ? `${label} ${what}` : label, on: { click: copy } }, label);
  async function copy() {
    const done = await write(text());
    button.textContent = done ? 'Copied ✓' : 'Select and copy';
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  return button;
}

/** Copies a text; without a secure context the old way has to do. */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h('textarea', { class: 'hidden', readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
