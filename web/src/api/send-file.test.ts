import { expect, test } from 'vitest';
import { bodyRefusal, mayPass } from './send-file.ts';

const tooLarge = { code: 'upload/too-large', params: { maxMb: 3072 } };

test('a refusal is read with and without a wrapper', () => {
  expect(bodyRefusal(JSON.stringify(tooLarge))).toEqual(tooLarge);
  expect(bodyRefusal(JSON.stringify({ code: 'REFUSED', data: tooLarge }))).toEqual(tooLarge);
});

test('a proxy’s page and an empty body contain no refusal', () => {
  expect(bodyRefusal('<html>Bad Gateway</html>')).toBeUndefined();
  expect(bodyRefusal('')).toBeUndefined();
  expect(bodyRefusal('null')).toBeUndefined();
});

test('no response, a busy upload and a restarting server are temporary; a refusal of the upload is final whatever its status', () => {
  for (const status of [0, 409, 423, 429, 502, 503, 504]) expect(mayPass(status, undefined), String(status)).toBe(true);
  for (const status of [400, 401, 403, 404, 410, 413, 422, 500, 507]) expect(mayPass(status, undefined)).toBe(false);
  expect(mayPass(503, { code: 'fault/unavailable' })).toBe(true);
  expect(mayPass(408, { code: 'upload/too-slow' })).toBe(true);
  expect(mayPass(409, { code: 'upload/invalid-json' })).toBe(false);
});
