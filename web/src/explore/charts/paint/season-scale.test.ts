import { seasonValues } from '@kc/pack/season/season-name';
import { expect, test } from 'vitest';
import { paletteOf } from './colours.ts';
import { seasonScale } from './mark-scales.ts';

const fieldOf = (newest: string | undefined, value: number[]) => ({
  name: 'season',
  kind: 'category' as const,
  values: seasonValues(newest),
  value: Uint8Array.from(value),
  count: new Uint32Array(value.length),
  known: new Uint32Array(value.length).fill(1),
});

const scale = (newest: string | undefined, value: number[], theme: 'dark' | 'light' = 'light') =>
  seasonScale({ size: value.length } as Parameters<typeof seasonScale>[0], fieldOf(newest, value), paletteOf(theme));

test('every month has a colour and a sign of its own, and the unknown ones have none', () => {
  for (const theme of ['dark', 'light'] as const) {
    const { colours, signs, indexOf } = scale('2026-04', [0, 1, 2, 13], theme);
    expect([...indexOf]).toEqual([1, 2, 3, 14]);
    expect(new Set(colours.slice(3)).size).toBe(12);
    expect(signs).toEqual([
      ...[undefined, undefined, undefined],
      ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    ]);
  }
  expect(scale(undefined, [13]).signs?.slice(3)).toEqual(Array.from({ length: 12 }, (_, month) => String(month + 1)));
});
