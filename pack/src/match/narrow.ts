import { addMember } from '../upload/member-sets.ts';

/** A condition: sets `matches` to 0 for the rows from `from` to before `end` that do not satisfy it. Called in row order. */
export type Narrow = (matches: Uint8Array, from: number, end: number) => void;

export type Numbers = Float32Array | Float64Array | Uint32Array | Uint16Array | Uint8Array;

export const nothing: Narrow = (matches, from, end) => {
  matches.fill(0, from, end);
};

/**
 * Values in a range, both ends included; unknown values are not. Bounds are rounded like the values, so that 0.3 equals 0.3 in
 * 32-bit columns.
 * @param isBelow whether `to` itself is outside
 */
export function within(values: Numbers | undefined, from?: number, to?: number, isBelow = false): Narrow {
  if (!values) return nothing;
  const [low, high] = boundsFor(values, from, to);
  if (isBelow) return (matches, start, end) => narrowBelow(matches, values, low, high, start, end);
  return (matches, start, end) => narrowTo(matches, values, low, high, start, end);
}

/** Both ends of a range, rounded like the values; infinite for a missing end. */
export function boundsFor(values: Numbers, from?: number, to?: number): readonly [low: number, high: number] {
  const round = values instanceof Float32Array ? Math.fround : (end: number) => end;
  return [
    from === undefined ? Number.NEGATIVE_INFINITY : round(from),
    to === undefined ? Number.POSITIVE_INFINITY : round(to),
  ];
}

/**
 * Branchless, because it is hard to predict which rows are kept, and a misprediction costs three times as much as the
 * rest.
 */
function narrowTo(matches: Uint8Array, values: Numbers, low: number, high: number, from: number, end: number): void {
  for (let row = from; row < end; row++) {
    const value = values[row]!;
    matches[row]! &= Number(value >= low) & Number(value <= high);
  }
}

function narrowBelow(matches: Uint8Array, values: Numbers, low: number, high: number, from: number, end: number): void {
  for (let row = from; row < end; row++) {
    const value = values[row]!;
    matches[row]! &= Number(value >= low) & Number(value < high);
  }
}

/** The wanted values of a category column. */
export function oneOf(values: Uint8Array | undefined, isWanted: (value: number) => boolean): Narrow {
  if (!values) return nothing;
  const wanted = Uint8Array.from({ length: 256 }, (_, value) => Number(isWanted(value)));
  return (matches, from, end) => narrowByValue(matches, values, wanted, from, end);
}

export function narrowByValue(
  matches: Uint8Array,
  values: Uint8Array,
  wanted: Uint8Array,
  from: number,
  end: number,
): void {
  for (let row = from; row < end; row++) matches[row]! &= wanted[values[row]!]!;
}

/** Sets that have any of the wanted members. The first element stands for the empty set. */
export function anyOf(sets: Uint32Array, isWanted: readonly boolean[]): Narrow {
  const wanted = new Uint32Array(2);
  for (let member = 1; member < isWanted.length; member++) if (isWanted[member]) addMember(wanted, 0, member);
  const [low, high] = wanted as unknown as [number, number];
  const acceptsNone = isWanted[0] === true;
  return (matches, from, end) => {
    for (let row = from; row < end; row++) {
      const [ofLow, ofHigh] = [sets[2 * row]!, sets[2 * row + 1]!];
      const isIn = ((ofLow & low) | (ofHigh & high)) !== 0 || (acceptsNone && (ofLow | ofHigh) === 0);
      if (!isIn) matches[row] = 0;
    }
  };
}
