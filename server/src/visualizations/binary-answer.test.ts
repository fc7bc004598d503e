import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { version } from '../config.ts';
import { binaryAnswer, tagOf } from './binary-answer.ts';

/** A server of this format, which sends the format as the body. */
function serverOf(format: string) {
  const app = Fastify();
  app.get('/', async (request, reply) => {
    const answer = binaryAnswer(request, reply, format, ['pack-1']);
    return answer.isUnchanged ? reply.code(304).send() : answer.send(new TextEncoder().encode(format));
  });
  return (headers = {}) => app.inject({ url: '/', headers });
}

test('a browser that has bytes from before the format changed gets new ones', async () => {
  const [before, after] = [serverOf('slice 1'), serverOf('slice 2')];
  const etag = (await before()).headers.etag!;
  expect((await before({ 'if-none-match': etag })).statusCode).toBe(304);
  const now = await after({ 'if-none-match': etag });
  expect([now.statusCode, now.body]).toEqual([200, 'slice 2']);
});

test.each([
  ['as it was sent', (tag: string) => tag],
  ['made weak by a proxy', (tag: string) => `W/${tag}`],
  ['among others', (tag: string) => `"other", W/${tag}`],
])('a browser names the bytes that it has by their tag: %s', async (_, sent) => {
  const ask = serverOf('slice 1');
  const tag = (await ask()).headers.etag!;
  expect((await ask({ 'if-none-match': sent(tag) })).statusCode).toBe(304);
  expect((await ask({ 'if-none-match': sent(`"x${tag.slice(1)}`) })).statusCode).toBe(200);
});

test('a tag is of one release', () => {
  expect(tagOf(['pack-1'])).toBe(tagOf(['pack-1'], version));
  expect(tagOf(['pack-1'])).not.toBe(tagOf(['pack-1'], `${version}.1`));
});
