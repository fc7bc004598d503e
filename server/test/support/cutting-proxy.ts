import { EventEmitter, once } from 'node:events';
import { connect as connectTo, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** An unreliable connection to a server. It counts the bytes that clients send and breaks on request. */
export type CuttingProxy = {
  /** Stays the same when the server behind it changes. */
  readonly url: string;
  /** Bytes that clients have sent so far, including lost ones. */
  readonly sent: number;
  readonly cuts: number;
  readonly isHanging: boolean;
  /** Breaks every connection once clients have sent this many more bytes. */
  cutAfter(bytes: number): void;
  /** Once clients have sent this many more bytes, no byte passes in either direction, and connections stay open. */
  hang(afterBytes?: number): void;
  /** Lets bytes pass again: as fast as they come, or this many per second on each connection and direction. */
  flow(bytesPerSecond?: number): void;
  /** @param place a URL, or the path of a socket */
  leadTo(place: string): void;
  close(): Promise<void>;
};

export async function cuttingProxy(): Promise<CuttingProxy> {
  let target: NetConnectOpts = { port: 0 };
  let sent = 0;
  let cuts = 0;
  let cutAt = Number.POSITIVE_INFINITY;
  const open = new Set<Socket>();
  let hangAt = Number.POSITIVE_INFINITY;
  const isHanging = () => sent >= hangAt;
  let msPerByte = 0;
  const flowing = new EventEmitter().setMaxListeners(0);
  const paced = () =>
    new Transform({
      async transform(bytes: Buffer, _, done) {
        if (isHanging()) await once(flowing, 'again');
        if (msPerByte > 0) await pause(msPerByte * bytes.length);
        done(null, bytes);
      },
    });

  const cut = (): void => {
    cuts++;
    cutAt = Number.POSITIVE_INFINITY;
    // The socket of a path has no address, and cannot be reset.
    for (const socket of open) {
      if (socket.remoteAddress === undefined) socket.destroy();
      else socket.resetAndDestroy();
    }
  };
  const join = (client: Socket): void => {
    const server = connectTo(target);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(socket);
      socket.once('error', () => other.destroy());
      socket.once('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(paced()).pipe(other);
    }
    client.on('data', (bytes) => {
      sent += bytes.length;
      if (sent >= cutAt) cut();
    });
  };
  const listener = createServer(join).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    get sent() {
      return sent;
    },
    get cuts() {
      return cuts;
    },
    get isHanging() {
      return isHanging();
    },
    cutAfter(bytes) {
      cutAt = sent + bytes;
    },
    hang(afterBytes = 0) {
      hangAt = sent + afterBytes;
    },
    flow(bytesPerSecond = Number.POSITIVE_INFINITY) {
      hangAt = Number.POSITIVE_INFINITY;
      msPerByte = 1_000 / bytesPerSecond;
      flowing.emit('again');
    },
    leadTo(place) {
      target = place.startsWith('/') ? { path: place } : { host: '127.0.0.1', port: Number(new URL(place).port) };
    },
    async close() {
      flowing.emit('again');
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
