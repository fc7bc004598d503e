import { expect, test } from 'vitest';
import { bodyRefusal } from './send-file.ts';

const tooLarge = { code: 'upload/too-large', params: { maxMb: 3072 } };

test('a refusal is read bare and wrapped', () => {
  expect(bodyRefusal(JSON.stringify(tooLarge))).toEqual(tooLarge);
  expect(bodyRefusal(JSON.stringify({ code: 'REFUSED', data: tooLarge }))).toEqual(tooLarge);
});

test("a proxy's page and an empty body hold no refusal", () => {
  expect(bodyRefusal('<html>Bad Gateway</html>')).toBeUndefined();
  expect(bodyRefusal('')).toBeUndefined();
  expect(bodyRefusal('null')).toBeUndefined();
});
