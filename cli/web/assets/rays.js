// Rays of legal moves: squares in a line, perhaps without end, perhaps with gaps.

import { readSquare } from './label.js';

/** A ray of an answer, its numbers as BigInt. */
export function readRay(ray) {
  const square = readSquare(ray.from);
  const line = ({ origin, step, first, last, prime = false }) => ({
    from: origin ? readSquare(origin) : square, step: readSquare(step), first: BigInt(first), last: last === null ? null : BigInt(last), prime,
  });
  // The package and the program have names of their own for lines that are left out.
  const without = ray.exceptLines ?? ray.except_lines ?? [];
  return { ...line(ray), only: (ray.only ?? []).map(line), except: new Set(ray.except), exceptLines: without.map(line) };
}

/** Whether a square is one of those of a ray. */
export function isOnRay(ray, square) {
  return isOnLine(ray, square) && ray.only.every((line) => isOnLine(line, square))
    && !ray.except.has(`${square.x},${square.y}`) && !ray.exceptLines.some((line) => isOnLine(line, square));
}

function isOnLine({ from, step, first, last, prime }, square) {
  const [right, up] = [square.x - from.x, square.y - from.y];
  const k = step.x !== 0n ? right / step.x : up / step.y;
  return k >= first && (last === null || k <= last) && k * step.x === right && k * step.y === up && (!prime || isPrime(k));
}

const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n];

/** Whether a number is prime: surely up to 3 * 10^24, and as good as surely beyond (Miller and Rabin). */
function isPrime(number) {
  if (number < 2n) return false;
  for (const witness of WITNESSES) if (number % witness === 0n) return number === witness;
  let [odd, twos] = [number - 1n, 0];
  for (; odd % 2n === 0n; odd /= 2n) twos += 1;
  return WITNESSES.every((witness) => {
    let power = powerOf(witness, odd, number);
    if (power === 1n) return true;
    for (let square = 0; square < twos; square += 1) {
      if (power === number - 1n) return true;
      power = (power * power) % number;
    }
    return false;
  });
}

function powerOf(base, exponent, modulus) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}
