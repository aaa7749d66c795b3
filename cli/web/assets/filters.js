// Which games count.

import { counted, h, put } from './dom.js';

const FIRST = 'White stands for the first player: Sente in Shogi, Red in Xiangqi, Green in Janggi';
const FIELDS = [
  { name: 'player', label: 'Player', type: 'text', title: 'A part of the name, in any case' },
  { name: 'color', label: 'Playing', title: FIRST, options: [['', 'either side'], ['white', 'White'], ['black', 'Black']] },
  { name: 'since', label: 'From date', type: 'text', placeholder: '2024-01', pattern: '[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?' },
  { name: 'until', label: 'To date', type: 'text', placeholder: '2024-12-31', pattern: '[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?' },
  { name: 'result', label: 'Result', title: FIRST, options: [['', 'any'], ['white', 'White won'], ['black', 'Black won'], ['draw', 'Draw'], ['unknown', 'Unknown']] },
  { name: 'minRating', label: 'Rating at least', type: 'text', inputmode: 'numeric', pattern: '[0-9]*' },
  { name: 'laws', label: 'Laws (open board)', type: 'text', placeholder: 'Omega, (8|1), usual', title: 'A variant of the open board, laws as ICN writes them, or `usual`' },
  { name: 'source', label: 'File name contains', type: 'text' },
];
/** In a list of games; where a position is given, it says itself which game it is of. */
const GAME = {
  name: 'game', label: 'Game', options: [['', 'any'], ['infinite', 'open board'], ['western', 'Western'], ['makruk', 'Makruk'], ['shogi', 'Shogi'], ['xiangqi', 'Xiangqi'], ['janggi', 'Janggi'], ['other', 'other']],
};
let lists = 0;

export class Filters {
  #knowsVariants = false;

  /**
   * @param {import('./source').Source} source
   * @param {(filters: import('./source').Filters) => void} change what to do with new filters
   * @param {{ game?: boolean }} more whether one can choose which game to list
   */
  constructor(source, change, { game = false } = {}) {
    this.source = source;
    const fields = game ? [GAME, ...FIELDS] : FIELDS;
    this.inputs = new Map(fields.map((field) => [field.name, input(field)]));
    this.variants = h('datalist', { id: `variants-${++lists}` });
    this.inputs.get('laws').setAttribute('list', this.variants.id);
    this.inputs.get('laws').addEventListener('focus', () => this.#offerVariants());
    this.active = h('span', { class: 'chip' });
    this.form = h('form', {
      class: 'filters', on: {
        submit: (event) => { event.preventDefault(); this.#changed(change); },
        reset: () => setTimeout(() => this.#changed(change)),
      },
    },
    ...fields.map((field) => h('label', {}, h('span', {}, field.label), this.inputs.get(field.name))),
    h('div', { class: 'actions' }, h('button', { class: 'tool main' }, 'Apply'), h('button', { type: 'reset', class: 'tool' }, 'Clear')), this.variants);
    this.element = h('details', { class: 'fine' }, h('summary', {}, 'Filters ', this.active), this.form);
    this.#count();
  }

  /** The filters that are set. */
  get value() {
    const set = [...this.inputs].map(([name, field]) => [name, field.value.trim()]).filter(([, value]) => value !== '');
    return Object.fromEntries(set);
  }

  /** Sets the fields, from an address for example; other parameters are left alone. */
  set value(filters) {
    for (const [name, field] of this.inputs) field.value = filters[name] ?? '';
    this.#count();
    if (Object.keys(this.value).length > 0) this.element.open = true;
  }

  /** The filters in the parameters of an address. */
  of(parameters) {
    return Object.fromEntries([...this.inputs.keys()].filter((name) => parameters.get(name)).map((name) => [name, parameters.get(name)]));
  }

  /** Fills the list of variants when somebody wants it. */
  async #offerVariants() {
    if (this.#knowsVariants) return;
    this.#knowsVariants = true;
    const { variants } = await this.source.variants().catch(() => ({ variants: [] }));
    const known = variants.filter((variant) => variant.pieces > 0);
    put(this.variants, h('option', { value: 'usual' }, 'the usual laws'), ...known.map(({ code, name, games }) => h('option', { value: code }, games > 0 ? `${name}, ${counted(games, 'game')}` : name)));
  }

  #changed(change) {
    this.#count();
    change(this.value);
  }

  #count() {
    const number = Object.keys(this.value).length;
    this.active.textContent = number === 0 ? '' : String(number);
    this.active.hidden = number === 0;
  }
}

function input({ name, options, label, ...attributes }) {
  if (!options) return h('input', { name, autocomplete: 'off', spellcheck: 'false', ...attributes });
  return h('select', { name, ...attributes }, ...options.map(([value, text]) => h('option', { value }, text)));
}
