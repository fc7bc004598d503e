import { expect, test } from 'vitest';
import { rootHash } from './data-sets.ts';

test('the roots of two uploads are the same in any case, with any blanks and in any form of their letters', () => {
  expect(rootHash(' Straße  für\tALLE ')).toBe(rootHash('STRASSE fu\u0308r alle'));
  expect(rootHash('shoes')).not.toBe(rootHash('shoe'));
});
