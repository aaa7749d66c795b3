// The source of data behind the explorer's page: the calls of docs/api/openapi.json. Its interface is in source.d.ts.

import { SourceError } from './source-error.js';

/** The longest address; a longer question is sent as a body. */
const LONGEST_ADDRESS = 1500;

const query = (question) => new URLSearchParams(Object.entries(question).filter(([, value]) => value !== undefined && value !== null && value !== '')).toString();

/** A `Source` (source.d.ts) over HTTP. */
export class HttpSource {
  /** @param {string} base the address of the calls */
  constructor(base = '/api/v1') {
    this.base = base;
    this.database = true;
  }

  explore(question, signal) {
    const text = query(question);
    if (text.length <= LONGEST_ADDRESS) return this.#ask(`/explore?${text}`, { signal });
    return this.#ask('/explore', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: text, signal });
  }

  read(text, options = {}) {
    return this.#ask(`/read?${query(options)}`, { method: 'POST', headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text });
  }

  moves(question) {
    return this.#ask('/moves', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(question) });
  }

  picture(position) {
    const text = query({ position: position.icn ?? position.fen ?? position.sfen ?? position.cpn });
    return text.length <= LONGEST_ADDRESS ? `${this.base}/board.svg?${text}` : null;
  }

  games(question, signal) {
    return this.#ask(`/games?${query(question)}`, { signal });
  }

  game(id) {
    return this.#ask(`/games/${encodeURIComponent(id)}`);
  }

  gameIn(id, form) {
    return `${this.base}/games/${encodeURIComponent(id)}?${query({ form })}`;
  }

  prefix(hex) {
    return this.#ask(`/prefix/${encodeURIComponent(hex)}`);
  }

  stats() {
    return this.#ask('/stats');
  }

  variants() {
    return this.#ask('/variants');
  }

  duplicates(question = {}) {
    return this.#ask(`/duplicates?${query(question)}`);
  }

  findings(question = {}) {
    return this.#ask(`/findings?${query(question)}`);
  }

  async #ask(path, options) {
    let response;
    try {
      response = await fetch(this.base + path, options);
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new SourceError({ kind: 'network', message: 'the server does not answer', hint: 'is it still running?' });
    }
    const answer = await response.json().catch((error) => {
      if (error.name === 'AbortError') throw error;
      return null;
    });
    if (response.ok && answer !== null) return answer;
    throw new SourceError(answer?.error ?? { kind: 'internal', message: `the server answered ${response.status} without saying why` });
  }
}
