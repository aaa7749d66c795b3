// A board from its CPN. Every position of an answer has one, whatever the game is, so this is all the page needs to draw it.
//
// `side--shape--cells--hand`: the open board is a list whose actors carry their square (`INFINITE:+P_4_2`), a finite board has
// a shape and one cell for each square, row by row from the top.

/**
 * @typedef {object} Piece
 * @property {bigint} x @property {bigint} y
 * @property {string} look `figure`, `makruk`, `tile` or `card`: how it is drawn
 * @property {string} code its code in lower case
 * @property {number} player 0 neutral, 1 white, 2 black, and so on
 * @property {string} name what it is in words
 * @property {boolean} right whether it has its special right
 * @property {boolean} promoted
 * @property {string} [sign] @property {string} [form] of a tile
 *
 * @typedef {object} Board
 * @property {boolean} open whether the board has no end
 * @property {string} surface `chequered`, `grid`, `xiangqi` or `janggi`
 * @property {string} labels `numbers`, `letters` or `shogi`
 * @property {number} columns @property {number} rows of a finite board
 * @property {Piece[]} pieces
 * @property {{x: bigint, y: bigint} | null} enPassant
 * @property {{piece: Piece, count: number}[]} hand
 * @property {boolean} bottomToMove
 * @property {[string, string]} sides what the players are called, bottom and top
 */

const NAMES = {
  k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn', am: 'amazon', ha: 'hawk', ch: 'chancellor', ar: 'archbishop', gu: 'guard',
  ca: 'camel', gi: 'giraffe', ze: 'zebra', ce: 'centaur', rq: 'royal queen', rc: 'royal centaur', nr: 'knightrider', hu: 'huygen', ro: 'rose', ob: 'obstacle', vo: 'void',
};
const MAKRUK = { k: 'khun', q: 'met', b: 'khon', n: 'ma', r: 'ruea', p: 'bia' };
// Sign, promoted sign, name.
const SHOGI = {
  k: ['王', '', 'king'], r: ['飛', '龍', 'rook'], b: ['角', '馬', 'bishop'], g: ['金', '', 'gold general'],
  s: ['銀', '全', 'silver general'], n: ['桂', '圭', 'knight'], l: ['香', '杏', 'lance'], p: ['歩', 'と', 'pawn'],
};
// Sign at the bottom, sign at the top, name, form.
const XIANGQI = {
  g: ['帥', '將', 'general'], a: ['仕', '士', 'advisor'], e: ['相', '象', 'elephant'], r: ['俥', '車', 'chariot'],
  c: ['炮', '砲', 'cannon'], h: ['傌', '馬', 'horse'], s: ['兵', '卒', 'soldier'],
};
const JANGGI = {
  g: ['楚', '漢', 'general', 'large'], s: ['士', '士', 'guard', 'small'], e: ['象', '象', 'elephant', 'octagon'], r: ['車', '車', 'chariot', 'octagon'],
  p: ['包', '包', 'cannon', 'octagon'], m: ['馬', '馬', 'horse', 'octagon'], j: ['卒', '兵', 'soldier', 'small'],
};
/** What the two players of a game are called, the first one first. */
export const SIDES = {
  western: ['white', 'black'], makruk: ['white', 'black'], infinite: ['white', 'black'],
  shogi: ['sente', 'gote'], xiangqi: ['red', 'black'], janggi: ['green', 'red'], other: ['bottom', 'top'],
};
const PLAYERS = ['neutral', 'white', 'black', 'red', 'blue', 'yellow', 'green'];
const MOST_CELLS = 1 << 20;

/** What a player is called. */
export const playerName = (player) => PLAYERS[player] ?? `player ${player}`;

/** What a piece of the open or the Western board is called. */
export const pieceName = (code) => NAMES[code] ?? code.toUpperCase();

/**
 * Reads a CPN.
 * @param {string} text
 * @returns {Board}
 * @throws {Error} if it is not a CPN; the server never sends such.
 */
export function readBoard(text) {
  const parts = text.split('--');
  if (parts.length !== 4) throw new Error('a CPN has four parts');
  const [side, shapeText, cellText, handText] = parts;
  const bottomToMove = side === 'B';
  const shape = shapeText.split(',').map(Number);
  const cells = cellText === '' && shape[0] === 0 ? [] : cellText.split(',');
  if (cells.length > MOST_CELLS) throw new Error('the board is too large to draw');
  const hand = handText === '' ? [] : handText.split(',');
  const open = shape.length === 1 && cells.every((cell) => OPEN.test(cell));
  return open ? openBoard(cells, bottomToMove) : plainBoard(shape, cells, hand, bottomToMove);
}

const OPEN = /^infinite(?:_(\d+))?:(\+?)\^?([a-z]+)_(n?\d+)_(n?\d+)$/i;
const integer = (text) => (/^n/i.test(text) ? -BigInt(text.slice(1)) : BigInt(text));

function openBoard(cells, bottomToMove) {
  const board = {
    open: true, surface: 'chequered', labels: 'numbers', columns: 0, rows: 0, pieces: [], enPassant: null, hand: [], bottomToMove, sides: SIDES.infinite,
  };
  for (const cell of cells) {
    const [, number, right, name, xText, yText] = OPEN.exec(cell);
    const code = name.toLowerCase();
    const [x, y] = [integer(xText), integer(yText)];
    if (code === 'ep') {
      board.enPassant = { x, y };
      continue;
    }
    const player = number !== undefined ? Number(number) : cell.startsWith('INFINITE') ? 1 : 2;
    const owner = player === 0 ? '' : `${playerName(player)} `;
    board.pieces.push({ x, y, look: 'figure', code, player, name: `${owner}${pieceName(code)}`, right: right === '+', promoted: false });
  }
  return board;
}

function plainBoard(shape, cells, hand, bottomToMove) {
  const columns = shape.at(-1) || 1;
  // Boards of more than two dimensions are drawn as layers, with an empty row between them.
  const layer = shape.length > 1 ? shape.at(-2) : 1;
  const layers = Math.max(1, Math.ceil(cells.length / (columns * layer)));
  const rows = layers * layer + layers - 1;
  const board = { open: false, columns, rows, pieces: [], enPassant: null, hand: [], bottomToMove, ...lookOf(cells, shape) };
  cells.forEach((cell, index) => {
    if (cell === '') return;
    const row = Math.floor(index / columns);
    const square = { x: BigInt((index % columns) + 1), y: BigInt(rows - row - Math.floor(row / layer)) };
    const actor = readActor(cell);
    if (actor.code === 'ep') board.enPassant = square;
    else board.pieces.push({ ...square, ...drawn(actor, board.sides) });
  });
  for (const text of [...new Set(hand)].sort()) {
    board.hand.push({ piece: { x: 0n, y: 0n, ...drawn(readActor(text), board.sides) }, count: hand.filter((other) => other === text).length });
  }
  return board;
}

function readActor(text) {
  const colon = text.indexOf(':');
  const name = text.slice(colon + 1);
  const top = /[a-z]/i.exec(text)?.[0] === /[a-z]/i.exec(text)?.[0].toLowerCase();
  return { game: text.slice(0, Math.max(colon, 0)).toLowerCase(), code: name.replace(/^[^a-z0-9]+/i, '').toLowerCase(), plus: name.startsWith('+'), player: top ? 2 : 1 };
}

function drawn({ game, code, plus, player }, sides) {
  const side = sides[player - 1];
  const base = { code, player, right: false, promoted: false };
  const tile = (form, sign, name, promoted) => ({ ...base, look: 'tile', form, sign, promoted, name: `${side} ${promoted ? 'promoted ' : ''}${name}` });
  if (game === 'w' && NAMES[code] && code.length === 1) return { ...base, look: 'figure', right: plus, name: `${side} ${NAMES[code]}` };
  if (game === 'm' && MAKRUK[code]) return { ...base, look: 'makruk', name: `${side} ${MAKRUK[code]}` };
  if (game === 's' && SHOGI[code]) {
    const [sign, promoted, name] = SHOGI[code];
    // The two kings differ by a stroke, as on real sets.
    return tile('wedge', plus ? promoted : code === 'k' && player === 2 ? '玉' : sign, name, plus);
  }
  if (game === 'x' && XIANGQI[code]) return tile('disc', XIANGQI[code][player - 1], XIANGQI[code][2], false);
  if (game === 'j' && JANGGI[code]) return tile(JANGGI[code][3], JANGGI[code][player - 1], JANGGI[code][2], false);
  return { ...base, look: 'card', promoted: plus, name: `${side} ${plus ? 'promoted ' : ''}${code.toUpperCase()}` };
}

function lookOf(cells, shape) {
  const actors = cells.filter((cell) => cell !== '').map(readActor);
  const all = (game) => actors.length > 0 && actors.every((actor) => actor.game === game || actor.code === 'ep');
  const flat = shape.length === 2;
  const crossings = flat && shape[0] === 10 && shape[1] === 9;
  if (all('w')) return { surface: 'chequered', labels: 'letters', sides: SIDES.western };
  if (all('m')) return { surface: 'grid', labels: 'letters', sides: SIDES.makruk };
  if (all('s') && flat) return { surface: 'grid', labels: 'shogi', sides: SIDES.shogi };
  if (all('x') && crossings) return { surface: 'xiangqi', labels: 'letters', sides: SIDES.xiangqi };
  if (all('j') && crossings) return { surface: 'janggi', labels: 'letters', sides: SIDES.janggi };
  return { surface: 'grid', labels: 'letters', sides: SIDES.other };
}
