import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { UploadBody } from './upload-body.ts';

/** A request that announces a size and sends its first bytes, and the connection on which the others may follow. */
async function receive(
  length: number,
  first: Uint8Array | string,
  take: (request: IncomingMessage, line: Socket) => Promise<void>,
): Promise<void> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const line = connect(port, '127.0.0.1');
  line.once('error', () => undefined);
  line.write(`PATCH / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
  line.write(first);
  const [request] = await once(server, 'request');
  try {
    await take(request, line);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('every block is valid until the next one is requested, then its memory is released', async () => {
  const sent = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
  await receive(sent.length, sent, async (request) => {
    const held: Uint8Array[] = [];
    const copies: Uint8Array[] = [];
    const blocks = new UploadBody(request)[Symbol.asyncIterator]();
    for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
      expect(held.filter(({ length }) => length > 0)).toEqual([]);
      held.push(next.value);
      copies.push(new Uint8Array(next.value));
    }
    expect(held.length).toBeGreaterThan(1);
    expect(held.filter(({ length }) => length > 0)).toEqual([]);
    expect(Buffer.concat(copies).equals(sent)).toBe(true);
  });
});

test('a block that is part of a larger buffer leaves that unchanged', async () => {
  const whole = Uint8Array.of(1, 2, 3, 4);
  const parts = [whole.subarray(0, 2), whole.subarray(2)];
  const request = { iterator: () => parts[Symbol.iterator]() } as unknown as IncomingMessage;
  const blocks = new UploadBody(request)[Symbol.asyncIterator]();
  const lengths: number[] = [];
  for (let next = await blocks.next(); !next.done; next = await blocks.next()) lengths.push(next.value.length);
  expect([lengths, [...whole]]).toEqual([
    [2, 2],
    [1, 2, 3, 4],
  ]);
});

test('a reader waiting for a block is notified when reading ends, and the remaining bytes are received without it', async () => {
  await receive(6, 'abc', async (request, line) => {
    const body = new UploadBody(request);
    const blocks = body[Symbol.asyncIterator]();
    expect(Buffer.from((await blocks.next()).value).toString()).toBe('abc');
    const waiting = blocks.next();
    body.stop();
    expect((await waiting).done).toBe(true);
    line.write('def');
    await body.drain();
    expect([request.readableEnded, (await blocks.next()).done]).toEqual([true, true]);
  });
});

test('a broken connection is reported', async () => {
  await receive(6, 'abc', async (request, line) => {
    const blocks = new UploadBody(request)[Symbol.asyncIterator]();
    await blocks.next();
    line.destroy();
    await expect(blocks.next()).rejects.toMatchObject({ status: 400 });
  });
});
