import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A small load balancer: nothing is sticky, each request goes to the next server that is ready. A script that one server does not
 * have is asked for at the others, as docs/deploy.md says: servers of two versions have scripts of two versions.
 */
export type Balancer = {
  readonly url: string;
  /** How many requests each server got. */
  readonly passed: ReadonlyMap<string, number>;
  /** Waits until so many servers are ready, no more and no fewer. */
  awaitReady(count: number): Promise<void>;
  close(): void;
};

const lookMs = 500;

/** @param servers their addresses, asked at every request: servers come and go */
export async function startBalancer(servers: () => readonly string[]): Promise<Balancer> {
  const passed = new Map<string, number>();
  let ready: readonly string[] = [];
  let turn = 0;
  const look = async (): Promise<void> => {
    const asked = servers().map(async (server) => {
      const answer = await fetch(`${server}/readyz`, { signal: AbortSignal.timeout(4_500) }).catch(() => undefined);
      return answer?.ok ? [server] : [];
    });
    ready = (await Promise.all(asked)).flat();
  };
  await look();
  const timer = setInterval(() => void look(), lookMs);

  /** @param lacking servers that do not have what is asked for */
  const pass = (incoming: IncomingMessage, answer: ServerResponse, lacking: readonly string[] = []): void => {
    const candidates = ready.filter((one) => !lacking.includes(one));
    const server = candidates[turn++ % candidates.length];
    if (server === undefined) {
      answer.writeHead(503).end();
      return;
    }
    passed.set(server, (passed.get(server) ?? 0) + 1);
    const { method, url, headers, socket } = incoming;
    const forwarded = { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '' };
    const passing = request(new URL(url ?? '/', server), { method, headers: forwarded }, (from) => {
      if (from.statusCode === 404 && url?.startsWith('/assets/') && candidates.length > 1) {
        from.resume();
        pass(incoming, answer, [...lacking, server]);
        return;
      }
      answer.writeHead(from.statusCode!, from.headers);
      from.pipe(answer);
      from.on('error', () => answer.destroy());
    });
    passing.on('error', () => {
      // The one who asked went away; nothing is wrong with the server.
      if (answer.destroyed) return;
      ready = ready.filter((other) => other !== server);
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    });
    answer.on('close', () => passing.destroy());
    // A script is asked for without a body, which nobody could send twice.
    if (incoming.readableEnded) passing.end();
    else incoming.pipe(passing);
  };
  const balancer = createServer((incoming, answer) => pass(incoming, answer));
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  return {
    url: `http://localhost:${(balancer.address() as AddressInfo).port}`,
    passed,
    async awaitReady(count) {
      for (await look(); ready.length !== count; await look()) await pause(lookMs);
    },
    close() {
      clearInterval(timer);
      balancer.closeAllConnections();
      balancer.close();
    },
  };
}
