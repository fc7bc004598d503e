import { expect, test } from 'vitest';
import { findPicked } from './picked.ts';

test('rows are picked by their IDs, in their order; what is gone is left out', async () => {
  const located: string[] = [];
  const locate = async (address: string) => {
    located.push(address);
    const number = Number(address);
    if (number % 5 === 0) return { path: [0, 1], gone: 'shoes' };
    return { path: number === 3 ? [] : [0, 1, 100 + number] };
  };
  const addresses = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(16, '0'));
  const picked = await findPicked({ locate }, addresses, 'has-shoes');
  const existing = addresses.filter((address) => Number(address) % 5 !== 0 && Number(address) !== 3);
  expect([...picked.rows]).toEqual(existing.map((address) => [100 + Number(address), address]));
  expect(picked).toMatchObject({ all: undefined, filter: 'has-shoes', screenFilter: 'has-shoes' });
  expect(located).toEqual(addresses);
});
