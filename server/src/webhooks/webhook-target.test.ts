// Shows SEC-58.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket, type Server as TcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Address, checkTarget, isPublic, type Network, post } from './webhook-target.ts';

/** Answers nothing and counts who comes: on every address of this machine, at one port. */
let trap: { readonly port: number; reached: number; close(): void };
/** A receiver on 127.0.0.1, at the port at which the trap of the rebinding tests has 127.0.0.2. */
let receiver: {
  readonly port: number;
  readonly heard: string[];
  answer: Parameters<typeof createServer>[1];
  close(): void;
};
let second: { readonly port: number; reached: number; close(): void };

const listening = (server: Server | TcpServer, port: number, host?: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

async function openTrap(port = 0, host?: string) {
  const sockets = new Set<Socket>();
  let close = (): void => undefined;
  const found = { port: 0, reached: 0, close: () => close() };
  const server = createTcp((socket) => {
    found.reached++;
    sockets.add(socket.on('error', () => undefined));
  });
  found.port = await listening(server, port, host);
  close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return found;
}

beforeAll(async () => {
  trap = await openTrap();
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.headers.host}${request.url}`);
    receiver.answer!(request as never, response as never);
  });
  const port = await listening(server, 0, '127.0.0.1');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  receiver = { port, heard, answer: (_request, response) => response.end(), close };
  second = await openTrap(port, '127.0.0.2');
});
beforeEach(() => {
  receiver.heard.length = 0;
  receiver.answer = (_request, response) => response.end();
});
afterAll(() => {
  for (const { close } of [trap, receiver, second]) close();
});

const never = new AbortController().signal;
const send = (url: string, network: Network & { answerMs?: number }) =>
  post(url, { 'Content-Type': 'application/json' }, '{}', network, never);
const v4 = (address: string): Address => ({ address, family: 4 });
const v6 = (address: string): Address => ({ address, family: 6 });
const nobody: Network = { allowedHosts: new Set() };

/** Spellings of addresses that lead here or to places that only this machine reaches. */
const spelled = [
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.01',
  '127.255.255.254',
  '１２７.０.０.１',
  '127。0。0。1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '0xa9fea9fe',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

/** Names, and what a hostile resolver says of them. */
const named: readonly (readonly [string, readonly Address[]])[] = [
  ['localhost', [v4('127.0.0.1')]],
  ['localhost.', [v4('127.0.0.1')]],
  ['LocalHost', [v6('::1')]],
  ['127.0.0.1.nip.example', [v4('127.0.0.1')]],
  ['metadata.google.internal', [v4('169.254.169.254')]],
  ['mixed.example', [v4('93.184.215.14'), v4('127.0.0.1')]],
  ['mapped.example', [v6('::ffff:127.0.0.1')]],
  ['zone.example', [v6('fe80::1%lo')]],
  ['no-address.example', [{ address: 'localhost', family: 4 }]],
];

/** Addresses that are wrong whatever is there. */
const malformed = (port: number): readonly string[] => [
  `http://127.0.0.1:${port}/`,
  `https://user:secret@127.0.0.1:${port}/`,
  `https://hooks.example.com@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}\\@hooks.example.com/`,
  `https://hooks.example.com#@127.0.0.1:${port}/`,
  'https://93.184.215.14:22/',
  'https://93.184.215.14:25/',
  'https://93.184.215.14:1/',
  `ftp://127.0.0.1:${port}/`,
  'file:///etc/passwd',
  `gopher://127.0.0.1:${port}/_GET`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}`,
  'https://',
  `https:127.0.0.1:${port}/`,
  'https://[::1',
  '',
];

describe('SEC-58 no hostile target is reached', () => {
  test('more than sixty are tried', () => {
    expect(spelled.length + named.length + malformed(1).length).toBeGreaterThanOrEqual(60);
  });

  test.each(spelled)('%s', async (host) => {
    const before = trap.reached;
    // Whoever thinks that it is a name would be told this machine.
    const network = { ...nobody, resolve: async () => [v4('127.0.0.1')] };
    expect(await send(`https://${host}:${trap.port}/`, network)).toEqual({ fault: 'webhook/private' });
    expect(trap.reached).toBe(before);
  });

  test.each(named)('%s', async (host, addresses) => {
    const before = trap.reached;
    const network = { ...nobody, resolve: async () => addresses };
    expect(await send(`https://${host}:${trap.port}/`, network)).toEqual({ fault: 'webhook/private' });
    expect(trap.reached).toBe(before);
  });

  test.each(malformed(0).map((_, at) => at))('a malformed address, %i', async (at) => {
    const before = trap.reached;
    const url = malformed(trap.port)[at]!;
    const checked = await checkTarget(url, { ...nobody, resolve: async () => [v4('127.0.0.1')] });
    expect(checked.ok, url).toBe(false);
    expect(await send(url, { ...nobody, resolve: async () => [v4('127.0.0.1')] })).toHaveProperty('fault');
    expect(trap.reached).toBe(before);
  });

  test('a name is resolved once, and the connection goes to what was checked', async () => {
    const answers = [[v4('127.0.0.1')], [v4('127.0.0.2')]];
    const resolve = vi.fn(async () => answers.shift() ?? [v4('127.0.0.2')]);
    const network = { allowedHosts: new Set(['rebind.example']), resolve };
    expect(await send(`http://rebind.example:${receiver.port}/hook`, network)).toEqual({ status: 200 });
    expect(receiver.heard).toEqual([`rebind.example:${receiver.port}/hook`]);
    expect([resolve.mock.calls.length, second.reached]).toEqual([1, 0]);
    // As the next delivery would find it, if the host were not allowed.
    const later = { ...nobody, resolve };
    expect(await send(`https://rebind.example:${receiver.port}/hook`, later)).toEqual({ fault: 'webhook/private' });
    expect([resolve.mock.calls.length, second.reached]).toEqual([2, 0]);
  });

  test('a name without an address is one', async () => {
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))]) {
      expect(await send('https://gone.example/', { ...nobody, resolve })).toEqual({ fault: 'webhook/unknown-host' });
    }
  });
});

describe('SEC-58 of a receiver that is allowed', () => {
  const allowed: Network = { allowedHosts: new Set(['127.0.0.1']) };
  const here = () => `http://127.0.0.1:${receiver.port}/`;

  test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
    const before = trap.reached;
    receiver.answer = (_request, response) =>
      response.writeHead(status, { Location: `http://127.0.0.1:${trap.port}/` }).end();
    expect(await send(here(), allowed)).toEqual({ status });
    expect(trap.reached).toBe(before);
  });

  test('an endless body is not read', async () => {
    let sent = 0;
    const gone = new Promise<void>((resolve) => {
      receiver.answer = (_request, response) => {
        response.on('close', resolve).writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
        };
        response.on('drain', more);
        more();
      };
    });
    expect(await send(here(), allowed)).toEqual({ status: 200 });
    await gone;
    // What fits into the buffers of two sockets.
    expect(sent).toBeLessThan(64 * 2 ** 20);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['never ends its headers', (socket) => void socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')],
    ['only says that it will go on', (socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n')],
  ])('one that %s is left after the time for an answer', async (_how, begin) => {
    const sockets: Socket[] = [];
    const slow = createTcp((socket) => {
      sockets.push(socket.on('error', () => undefined));
      begin(socket);
    });
    const port = await listening(slow, 0, '127.0.0.1');
    expect(await send(`http://127.0.0.1:${port}/`, { ...allowed, answerMs: 200 })).toEqual({
      fault: 'webhook/too-slow',
    });
    slow.close();
    for (const socket of sockets) socket.destroy();
  });

  test('one whose name is never resolved is left, too', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await send('https://slow.example/', { ...nobody, resolve, answerMs: 50 })).toEqual({
      fault: 'webhook/too-slow',
    });
  });

  test.each([
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 'webhook/unreachable'],
    ['220 mail.example.com ESMTP\r\n', 'webhook/unreachable'],
    [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 'webhook/unreachable'],
  ])('an answer that is none is a fault: %j', async (answer, fault) => {
    const odd = createTcp((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(answer));
    });
    const port = await listening(odd, 0, '127.0.0.1');
    expect(await send(`http://127.0.0.1:${port}/`, allowed)).toEqual({ fault });
    odd.close();
  });

  test('the name of the URL is what TLS asks for, and without a certificate nothing is sent', async () => {
    let hello = '';
    const plain = createTcp((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (bytes: Buffer) => {
          hello = bytes.toString('latin1');
          socket.end('HTTP/1.1 200 OK\r\n\r\n');
        });
    });
    const port = await listening(plain, 0, '127.0.0.1');
    const network = { allowedHosts: new Set(['hooks.internal']), resolve: async () => [v4('127.0.0.1')] };
    expect(await send(`https://hooks.internal:${port}/secret-path`, network)).toEqual({ fault: 'webhook/certificate' });
    expect(hello).toContain('hooks.internal');
    expect(hello).not.toContain('secret-path');
    plain.close();
  });

  test('a server that stops leaves it at once', async () => {
    receiver.answer = () => undefined;
    const stopping = new AbortController();
    const sent = post(here(), {}, '{}', allowed, stopping.signal);
    await vi.waitFor(() => expect(receiver.heard).toHaveLength(1), { timeout: 60_000 });
    stopping.abort(new Error('The server is stopping'));
    await expect(sent).rejects.toThrow('The server is stopping');
  });
});

test.each(['1.1.1.1', '93.184.215.14', '172.32.0.1', '192.1.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  '%s is a public address',
  (address) => expect(isPublic(address)).toBe(true),
);

test('an allowed host needs no https, and others are not allowed with it', async () => {
  const network = { allowedHosts: new Set(['hooks.internal']), resolve: async () => [v4('10.0.0.5')] };
  expect(await checkTarget('http://hooks.internal:81/x', network)).toMatchObject({ ok: true });
  expect(await checkTarget('http://HOOKS.internal/x', network)).toMatchObject({ ok: true });
  for (const other of ['https://sub.hooks.internal/', 'https://hooks.internal.example.com/', 'https://10.0.0.5/']) {
    expect(await checkTarget(other, network)).toMatchObject({ refusal: { code: 'webhook/private' } });
  }
});
