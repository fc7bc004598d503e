import { expect, test } from 'vitest';
import { ByteMap } from './byte-map.ts';

/** The first texts whose probing starts at the same slot of a 64-slot map. Uses FNV-1a, like the map. */
function colliding(count: number): string[] {
  const texts: string[] = [];
  for (let number = 0; texts.length < count; number++) {
    let value = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(`t${number}`)) value = Math.imul(value ^ byte, 0x01000193);
    if (((value ^ (value >>> 15)) & 127) === 0) texts.push(`t${number}`);
  }
  return texts;
}

test('only a few colliding texts are cached, and all keep their numbers', () => {
  const texts = colliding(60);
  const asked: string[] = [];
  const map = new ByteMap((text) => {
    asked.push(text);
    return texts.indexOf(text);
  }, 64);
  const numbersOf = () =>
    texts.map((text) => {
      const bytes = new TextEncoder().encode(text);
      return map.get(bytes, 0, bytes.length);
    });
  expect(numbersOf()).toEqual([...texts.keys()]);
  expect(asked).toEqual(texts);
  expect(numbersOf()).toEqual([...texts.keys()]);
  expect(asked.slice(60)).toEqual(texts.slice(16));
});
