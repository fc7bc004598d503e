import { expect, test } from 'vitest';
import { Typing, typeAhead } from './type-ahead.ts';

const names = ['shoes', 'socks', 'hats', 'Shirts'];
const jump = (typed: string, from: number) => typeAhead(typed, names.length, (i) => names[i] ?? '', from);

test('a letter goes to the next item that starts with it, and wraps around', () => {
  expect(jump('s', 0)).toBe(1);
  expect(jump('s', 1)).toBe(3);
  expect(jump('s', 3)).toBe(0);
});

test('a repeated letter keeps stepping', () => expect(jump('ss', 0)).toBe(1));

test('more letters stay on the item while it matches', () => {
  expect(jump('sh', 0)).toBe(0);
  expect(jump('shi', 0)).toBe(3);
});

test('without a match nothing happens', () => {
  expect(jump('x', 0)).toBe(-1);
  expect(jump('', 0)).toBe(-1);
});

test('letters in quick succession form one text', () => {
  const typing = new Typing();
  expect([typing.add('t', 1000), typing.add('r', 1500), typing.continuesAt(2100)]).toEqual(['t', 'tr', true]);
  expect([typing.continuesAt(2200), typing.add('s', 2200)]).toEqual([false, 's']);
});
