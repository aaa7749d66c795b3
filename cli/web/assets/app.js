// The explorer's page: which view an address shows, the box that takes anything, the keys.

import { h } from './dom.js';
import { ExploreView, named } from './explore.js';
import { GamesView } from './games.js';
import { HealthView } from './health.js';
import { icon } from './icons.js';
import { HttpSource } from './source-http.js';

const source = new HttpSource();
const main = document.getElementById('main');
const status = document.getElementById('status');
const footer = document.querySelector('footer');
const box = document.getElementById('box');
const kind = document.getElementById('kind');
const page = {
  say: (text) => { status.textContent = text; },
  remember: (address, state, replace) => history[replace ? 'replaceState' : 'pushState'](state, '', address),
  openGame: (id) => go(`/game/${id}`),
};
const views = { explore: new ExploreView(source, page), games: new GamesView(source, page), health: new HealthView(source, page) };
let view = null;

/** Puts a view on the page. */
function present(name) {
  if (view === views[name]) return view;
  view = views[name];
  main.replaceChildren(view.element);
  // It names the keys of the board.
  footer.hidden = name !== 'explore';
  for (const link of document.querySelectorAll('nav.main a')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  return view;
}

/** Shows what the address says. */
function route(state = null) {
  const game = named(location.pathname, 'game');
  if (game !== null) return present('explore').openGame(game, new URLSearchParams(location.search).get('ply'), true);
  const name = { '/games': 'games', '/health': 'health' }[location.pathname] ?? 'explore';
  return present(name).open(new URL(location.href), state);
}

function go(address) {
  history.pushState(null, '', address);
  window.scrollTo(0, 0);
  return route();
}

async function ask() {
  const text = box.value.trim();
  if (text === '') return;
  present('explore');
  box.scrollTo(0, 0);
  const found = await views.explore.ask(text, { game: kind.value || undefined });
  if (!found) return;
  window.scrollTo(0, 0);
  document.querySelector('.board-frame')?.focus({ preventScroll: true });
}

document.getElementById('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});

box.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    ask();
  } else if (event.key === 'Escape') {
    box.blur();
  }
});

// What is pasted over everything is meant to be asked at once.
box.addEventListener('paste', () => {
  const whole = box.selectionStart === 0 && box.selectionEnd === box.value.length;
  if (whole) setTimeout(ask);
});

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname.startsWith('/api/') || link.hasAttribute('target') || link.getAttribute('href').startsWith('#')) return;
  event.preventDefault();
  go(url.pathname + url.search + url.hash);
});

const takesText = (element) => element.closest('input, textarea, select, [contenteditable]') !== null;

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || takesText(event.target)) return;
  if (event.key === '/') {
    event.preventDefault();
    box.focus();
    box.select();
    return;
  }
  // Enter on a button or a link belongs to it; so do arrows in a list that scrolls.
  if (event.key === 'Enter' && event.target.closest('button, a, summary')) return;
  if (/^Arrow(Up|Down)$/.test(event.key) && event.target.closest('ol.line, .scroll, code')) return;
  if (view.key(event)) event.preventDefault();
});

window.addEventListener('popstate', (event) => route(event.state));

const theme = document.getElementById('theme');
const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const showTheme = () => theme.replaceChildren(icon(isDark() ? 'sun' : 'moon'), h('span', { class: 'hidden' }, isDark() ? 'Light colours' : 'Dark colours'));
theme.addEventListener('click', () => {
  const next = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem('theme', next);
  } catch {
    // Without storage the choice holds for this page.
  }
  showTheme();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);
showTheme();
route(history.state);
