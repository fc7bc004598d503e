import { expect, test } from 'vitest';
import { findPicked } from './picked.ts';

test('rows are picked by their IDs, in their order; what is gone is left out', async () => {
  const asked: string[] = [];
  const locate = async (address: string) => {
    asked.push(address);
    const nth = Number(address);
    if (nth % 5 === 0) return { path: [0, 1], gone: 'shoes' };
    return { path: nth === 3 ? [] : [0, 1, 100 + nth] };
  };
  const addresses = Array.from({ length: 20 }, (_, nth) => `${nth}`.padStart(16, '0'));
  const picked = await findPicked({ locate }, addresses, 'has-shoes');
  const there = addresses.filter((address) => Number(address) % 5 !== 0 && Number(address) !== 3);
  expect([...picked.rows]).toEqual(there.map((address) => [100 + Number(address), address]));
  expect(picked).toMatchObject({ all: undefined, filter: 'has-shoes', under: 'has-shoes' });
  expect(asked).toEqual(addresses);
});
