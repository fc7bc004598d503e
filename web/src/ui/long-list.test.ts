import { describe, expect, test } from 'vitest';
import {
  afterScroll,
  drawnLines,
  heightOf,
  isSameSight,
  isShortened,
  type Lengths,
  maxPx,
  positionAt,
  positionOf,
  type Scrolled,
  topAt,
  visibleLines,
} from './long-list.ts';

const ofLines = (count: number): Lengths => ({ count, linePx: 30, abovePx: 4, aroundPx: 8, viewPx: 700 });
const counts = [1, 20, 66_666, 66_667, 100_000, 600_000, 1_200_000, 35_000_000];
/** The largest scroll position: the height of the content minus that of the viewport. */
const lastTopOf = (list: Lengths) => Math.max(0, heightOf(list) + list.aroundPx - list.viewPx);
/** About a thousand indices, including the first and the last. */
const some = (count: number) => {
  const step = Math.max(1, Math.floor(count / 997));
  const all = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
  return [...all, count - 1];
};
/** The pixels of a row in the viewport after scrolling it into view and letting the scroll bar settle. */
function edgesAt(list: Lengths, index: number, from: number): { top: number; bottom: number } {
  const position = positionOf(list, index, from);
  const top = topAt(list, position);
  const inDocument = index * list.linePx + top - position + list.abovePx;
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThanOrEqual(lastTopOf(list));
  return { top: inDocument - top, bottom: inDocument - top + list.linePx };
}

describe.each(counts)('a list of %i lines', (count) => {
  const list = ofLines(count);

  test('is never higher than a browser can render, and has its natural height below that', () => {
    expect(heightOf(list)).toBe(Math.min(count * 30, maxPx));
    expect(isShortened(list)).toBe(count > 66_666);
  });

  test('can scroll every row fully into view from any position, and renders it', () => {
    for (const from of [0, count * 15, count * 30]) {
      for (const index of some(count)) {
        const { top, bottom } = edgesAt(list, index, Math.min(from, Math.max(0, count * 30 + 8 - 700)));
        expect(top).toBeGreaterThanOrEqual(list.abovePx);
        expect(bottom).toBeLessThanOrEqual(list.viewPx);
        const position = positionOf(list, index, from);
        const [first, end] = visibleLines(list, position, 0);
        expect(first <= index && index < end).toBe(true);
      }
    }
  });

  test('is at its first row when the scroll bar is at the top, and at its last when it is at the bottom', () => {
    expect(positionAt(list, 0)).toBe(0);
    const end = positionAt(list, lastTopOf(list));
    expect(end).toBe(Math.max(0, count * 30 + 8 - 700));
    expect(visibleLines(list, end, 0)[1]).toBe(count);
    expect(visibleLines(list, 0, 0)[0]).toBe(0);
  });

  test('moves down whenever the scroll bar does, and the scroll bar returns to its position', () => {
    const end = lastTopOf(list);
    let before = -1;
    for (let top = 0; top <= end; top += 997) {
      const position = positionAt(list, top);
      expect(position).toBeGreaterThan(before);
      expect(topAt(list, position)).toBe(top);
      before = position;
    }
  });

  test('moves by one row per key press at any position', () => {
    for (const index of some(count)) {
      if (index < 1 || index * 30 <= 700) continue;
      const down = positionOf(list, index - 1, 0);
      expect(positionOf(list, index, down) - down).toBe(30);
      const up = positionOf(list, index, Number.MAX_SAFE_INTEGER);
      expect(up - positionOf(list, index - 1, up)).toBe(30);
    }
  });

  test('scrolls by wheel without skipping rows, whether or not the scroll bar has settled', () => {
    for (const begin of some(count).filter((_, i) => i % 50 === 0)) {
      let at: Scrolled = { position: positionOf(list, begin, 0), top: 0 };
      at = { ...at, top: topAt(list, at.position) };
      for (let notch = 1; notch <= 40; notch++) {
        const next = afterScroll(list, at, Math.min(lastTopOf(list), at.top + 120), true);
        const isEnd = next.top === lastTopOf(list);
        expect(next.position - at.position).toBe(isEnd ? next.top - at.top : 120);
        at = notch % 3 === 0 ? { ...next, top: topAt(list, next.position) } : next;
      }
    }
  });

  test('reaches both ends by wheel', () => {
    const end = lastTopOf(list);
    const last = positionAt(list, end);
    const from = Math.max(0, last - 30_000);
    let at: Scrolled = { position: from, top: topAt(list, from) };
    for (let i = 0; i < 300; i++) at = afterScroll(list, at, Math.min(end, at.top + 120), true);
    expect(at).toEqual({ position: last, top: end });
    const near = Math.min(last, 30_000);
    at = { position: near, top: topAt(list, near) };
    for (let i = 0; i < 300; i++) at = afterScroll(list, at, Math.max(0, at.top - 120), true);
    expect(at).toEqual({ position: 0, top: 0 });
  });
});

test('dragging the scroll bar jumps to its position', () => {
  const list = ofLines(35_000_000);
  const half = lastTopOf(list) / 2;
  const at = afterScroll(list, { position: 0, top: 0 }, half, false);
  expect(at.top).toBe(half);
  expect(at.position / 30 / 1e6).toBeCloseTo(17.5, 2);
});

test('a scroll position rounded to device pixels moves nothing', () => {
  const list = ofLines(35_000_000);
  const before = { position: 123_456_789, top: 400_000 };
  expect(afterScroll(list, before, 400_000.4, false)).toBe(before);
});

test('overscrolling, as by touch, stays at the end', () => {
  for (const list of [ofLines(1_000), ofLines(1_000_000)]) {
    expect(afterScroll(list, { position: 0, top: 0 }, -40, true)).toEqual({ position: 0, top: 0 });
  }
});

test('a partly visible row is rendered', () => {
  const list = { ...ofLines(100), abovePx: 0, aroundPx: 0, viewPx: 90 };
  expect(visibleLines(list, 0, 0)).toEqual([0, 3]);
  expect(visibleLines({ ...list, viewPx: 62 }, 29, 0)).toEqual([0, 4]);
  expect(visibleLines({ ...list, viewPx: 60 }, 30, 0)).toEqual([1, 3]);
});

test('before its height is known a list renders its first rows, and an empty list renders none', () => {
  expect(drawnLines({ ...ofLines(10), viewPx: 0 }, 0, 3)).toEqual([0, 1, 2]);
  expect(drawnLines(ofLines(0), 0, 5)).toEqual([]);
});

test('one row is always rendered, in order', () => {
  const list = { ...ofLines(100), abovePx: 0, aroundPx: 0, viewPx: 60 };
  expect(drawnLines(list, 300, 0, 3)).toEqual([3, 10, 11]);
  expect(drawnLines(list, 300, 0, 99)).toEqual([10, 11, 99]);
  expect(drawnLines(list, 300, 0, 11)).toEqual([10, 11]);
  expect(drawnLines(list, 300, 0, 100)).toEqual([10, 11]);
});

test('a list that has shrunk below its scroll position shows its end', () => {
  const list = { ...ofLines(20), abovePx: 0, aroundPx: 0, viewPx: 60 };
  expect(drawnLines(list, 1_500, 1)).toEqual([17, 18, 19]);
});

test('the end of a list that has shrunk differs from a position further down, which may become valid again', () => {
  const short = ofLines(1000);
  const end = 1000 * short.linePx + short.aroundPx - short.viewPx;
  const at = (position: number) => ({ top: position, position, viewPx: short.viewPx });
  expect(visibleLines(short, 60_000, 0)).toEqual(visibleLines(short, end, 0));
  expect(isSameSight(short, at(60_000), at(end))).toBe(false);
  expect(isSameSight(short, at(end), at(end))).toBe(true);
  expect(isSameSight(short, at(120), at(149))).toBe(false);
  expect(isSameSight(short, at(125), at(130))).toBe(true);
  expect(isSameSight(short, at(125), { ...at(125), viewPx: 300 })).toBe(false);
});
