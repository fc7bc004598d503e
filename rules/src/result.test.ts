import { expect, test } from 'vitest';
import { toRefusal } from './result.ts';

test('a refusal of the server keeps its code and parameters', () => {
  const error = Object.assign(new Error('Refused'), { data: { code: 'upload/too-large', params: { maxMb: 3072 } } });
  expect(toRefusal(error)).toEqual({ code: 'upload/too-large', params: { maxMb: 3072 } });
});

test('a missing connection counts as offline', () => {
  expect(toRefusal(new TypeError('Failed to fetch'))).toEqual({ code: 'fault/offline' });
});

test('a response from another server counts as unavailable', () => {
  expect(toRefusal(Object.assign(new Error('Bad Gateway'), { data: { html: '<h1>' } }))).toEqual({
    code: 'fault/unavailable',
  });
  expect(toRefusal(undefined)).toEqual({ code: 'fault/unavailable' });
});
