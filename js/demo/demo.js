// The page: a text goes in, the explorer's views show what it means.

import { counted, h, put } from '../../cli/web/assets/dom.js';
import { ExploreView } from '../../cli/web/assets/explore.js';
import { problemCard } from '../../cli/web/assets/problem.js';
import { SourceError } from '../../cli/web/assets/source-error.js';
import init from '../index.js';
import { SAMPLES } from './samples.js';
import { WasmSource, findings } from './source-wasm.js';

/** Findings that make a record wrong; the others are worth knowing. */
const GRAVE = new Set(['syntax', 'unknown-format', 'illegal-move', 'position', 'moves-after-end']);
/** The most findings that are drawn. */
const MOST = 50;

const [box, kind, sample, status] = ['text', 'kind', 'sample', 'status'].map((id) => document.getElementById(id));
const main = document.getElementById('main');

// What an address says stands after `#`: it never leaves the browser, and a static server has one page.
const page = {
  say: (text) => { status.textContent = text; },
  remember: (address, state, replace) => {
    const { search, hash } = new URL(address, location.href);
    const said = new URLSearchParams(search);
    for (const [name, value] of new URLSearchParams(hash.slice(1))) said.set(name, value);
    history[replace ? 'replaceState' : 'pushState'](state, '', `#${said}`);
  },
  openGame: () => {},
};

let view = null;

/** Shows what the box holds. */
async function ask() {
  const text = box.value;
  if (text.trim() === '') return;
  showFindings(text, kind.value);
  await view.ask(text, { game: kind.value || undefined });
}

/** What is wrong with the text, each at its place. */
function showFindings(text, game) {
  const card = document.getElementById('findings');
  card.hidden = false;
  let verdict;
  try {
    verdict = findings(text, game);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    card.hidden = true;
    return;
  }
  const { legal, conclusion, findings: found } = verdict;
  const words = [
    legal === true ? 'All moves are legal.' : legal === false ? 'Not every move is legal.' : '',
    conclusion ? `On the board: ${conclusion.condition}${conclusion.winner ? `, ${conclusion.winner} wins` : ''}.` : '',
    found.length === 0 ? 'Nothing is wrong.' : `${counted(found.length, 'finding')}.`,
  ];
  document.getElementById('verdict').textContent = words.filter(Boolean).join(' ');
  put(document.getElementById('list'), ...found.slice(0, MOST).map((finding) => h('li', { 'data-kind': finding.kind, class: GRAVE.has(finding.kind) ? null : 'soft' },
    problemCard(finding, text),
    h('span', { class: 'muted kind' }, finding.ply ? `${finding.kind}, ply ${finding.ply}` : finding.kind))),
  found.length > MOST ? h('li', {}, `And ${counted(found.length - MOST, 'finding')} more.`) : null);
}

/** Shows what the address says. */
async function route(state) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (!parameters.has('text')) {
    [[, box.value]] = SAMPLES;
    return ask();
  }
  const url = new URL(`?${parameters}`, location.href);
  url.hash = '';
  if (box.value === '') box.value = parameters.get('text');
  return view.open(url, state);
}

for (const [index, [name]] of SAMPLES.entries()) sample.append(h('option', { value: index }, name));
sample.addEventListener('change', () => {
  if (sample.value === '') return;
  [, box.value] = SAMPLES[Number(sample.value)];
  kind.value = '';
  ask();
});
document.getElementById('paste').addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});
box.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    ask();
  }
});
box.addEventListener('paste', () => {
  if (box.selectionStart === 0 && box.selectionEnd === box.value.length) setTimeout(ask);
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, textarea, select')) return;
  if (event.key === 'Enter' && event.target.closest('button, a, summary')) return;
  if (/^Arrow(Up|Down)$/.test(event.key)) return;
  if (view?.key(event)) event.preventDefault();
});
window.addEventListener('popstate', (event) => view && route(event.state));

await init();
view = new ExploreView(new WasmSource(), page);
main.replaceChildren(view.element);
// On a narrow page what is wrong stands before the notations.
view.element.querySelector('.board-card').after(document.getElementById('findings'));
await route(history.state);
