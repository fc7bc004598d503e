import { expect, test } from 'vitest';
import { readAddress, writeAddress } from './users-address.ts';

test('a bare address shows everybody in the usual order', () => {
  expect(readAddress({})).toEqual({ subTab: 'all', sort: undefined, text: '' });
  expect(writeAddress({ subTab: 'all', sort: undefined, text: '' })).toEqual({});
});

test.each([
  [{ list: 'pending' }, { subTab: 'pending', sort: undefined, text: '' }],
  [{ sort: 'email' }, { subTab: 'all', sort: { by: 'email', descending: false }, text: '' }],
  [
    { list: 'admins', sort: '-created', q: 'ann ' },
    { subTab: 'admins', sort: { by: 'created', descending: true }, text: 'ann ' },
  ],
  [{ list: 'create' }, { subTab: 'create', sort: undefined, text: '' }],
] as const)('%j is read and written', (parameters, address) => {
  expect(readAddress(parameters)).toEqual(address);
  expect(writeAddress(address)).toEqual(parameters);
});

test('values that mean nothing fall back to the usual', () => {
  const usual = readAddress({});
  for (const odd of [{ list: 'everyone' }, { list: '' }, { sort: 'age' }, { sort: '-' }, { sort: '--email' }]) {
    expect(readAddress(odd)).toEqual(usual);
  }
});
