// Numbers short enough to stand beside a board, as the pictures of the program write them.

/** A BigInt in at most `width` characters (at least 9), exact where that is possible: `10^15+3`, `2*10^9`, `1234..6789`. */
export function short(value, width = 11) {
  const text = value.toString();
  if (text.length <= width) return text;
  const sign = value < 0n ? '-' : '';
  const digits = sign ? text.slice(1) : text;
  const power = nearPower(sign, digits);
  if (power !== null && power.length <= width) return power;
  // The first digits say how far, the last ones tell neighbours apart.
  const room = Math.max(width, 9) - sign.length - 2;
  const head = Math.floor(room / 2);
  return `${sign}${digits.slice(0, head)}..${digits.slice(digits.length - (room - head))}`;
}

function nearPower(sign, digits) {
  const lead = digits.slice(0, -3);
  const rest = Number(digits.slice(-3));
  if (/^9+$/.test(lead)) return `${sign}10^${digits.length}${sign ? '+' : '-'}${1000 - rest}`;
  if (!/^[1-9]0*$/.test(lead)) return null;
  const factor = lead[0] === '1' ? '' : `${lead[0]}*`;
  const tail = rest === 0 ? '' : `${sign ? '-' : '+'}${rest}`;
  return `${sign}${factor}10^${digits.length - 1}${tail}`;
}

/** The letters of a column: `a` to `z`, then `aa`, …; counts from 1. */
export function letters(number) {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  }
  return text;
}

/** A move for a button: SAN where there is one, far coordinates short. */
export const moveName = (move) => move.san ?? move.move.replace(/-?\d{10,}/g, (digits) => short(BigInt(digits)));

/** Reads `x,y`, also with spaces, underscores and `10^15+3`; null if it is not a square. */
export function readSquare(text) {
  const parts = text.replace(/[\s_]/g, '').split(/[,;]/);
  if (parts.length !== 2) return null;
  const [x, y] = parts.map(readNumber);
  return x === null || y === null ? null : { x, y };
}

const MOST_DIGITS = 2000;

function readNumber(text) {
  if (text.length > MOST_DIGITS) return null;
  if (/^[+-]?\d+$/.test(text)) return BigInt(text.replace(/^\+/, ''));
  const power = /^([+-]?)(?:(\d+)\*)?10\^(\d{1,4})([+-]\d+)?$/.exec(text) ?? /^([+-]?)(\d+)e\+?(\d{1,4})()$/i.exec(text);
  if (power === null || Number(power[3]) > MOST_DIGITS) return null;
  const size = BigInt(power[2] ?? 1) * 10n ** BigInt(power[3]);
  return (power[1] === '-' ? -size : size) + BigInt((power[4] || '0').replace(/^\+/, ''));
}
