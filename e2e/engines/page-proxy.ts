import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportViolations } from './tab.ts';

/** Where a page fetches the watching script from and reports what goes wrong; addresses that no server knows. */
const script = '/problems-of-this-page.js';
const reports = '/problems-of-this-page';

/** Tells of what a driver cannot: classic WebDriver has no console. */
const watching = `(() => {
  const tell = (text) => navigator.sendBeacon('${reports}', text);
  for (const level of ['error', 'warn']) {
    const said = console[level];
    console[level] = (...values) => { tell(values.map(String).join(' ')); said.apply(console, values); };
  }
  // Navigation cancels what the page is still loading, and WebKit reports that as a failure.
  let isLeaving = false;
  addEventListener('beforeunload', () => { isLeaving = true; });
  addEventListener('error', (event) => {
    if (event instanceof ErrorEvent) tell('uncaught: ' + event.message);
    else if (!isLeaving) tell('not loaded: ' + (event.target.src ?? event.target.href));
  }, true);
  addEventListener('unhandledrejection', (event) => {
    queueMicrotask(() => event.defaultPrevented || tell('uncaught: ' + event.reason));
  });
  ${reportViolations}
})();`;

export type PageProxy = {
  /** Host and port. */
  readonly address: string;
  /** What pages have reported so far. */
  readonly problems: readonly string[];
  close(): Promise<void>;
};

/**
 * A proxy for a browser whose driver cannot run a script before those of the page: each document gets one more script,
 * which reports console errors and warnings, uncaught errors and policy violations. Everything else passes as it is.
 *
 * @param origin of the server, the only one that may be reached
 */
export async function startPageProxy(origin: string): Promise<PageProxy> {
  const problems: string[] = [];
  const proxy = createServer((asked, answer) => {
    const { origin: wanted, pathname } = new URL(asked.url ?? '', origin);
    if (wanted !== origin) return void answer.writeHead(403).end();
    if (pathname === script) return void answer.writeHead(200, { 'content-type': 'text/javascript' }).end(watching);
    if (pathname === reports) return void collect(asked, answer, problems);
    pass(asked, answer, origin);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    problems,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

async function collect(asked: IncomingMessage, answer: ServerResponse, problems: string[]): Promise<void> {
  const parts = await asked.setEncoding('utf8').toArray();
  problems.push(parts.join(''));
  answer.writeHead(204).end();
}

function pass(asked: IncomingMessage, answer: ServerResponse, origin: string): void {
  const { pathname, search } = new URL(asked.url ?? '', origin);
  const isPage = asked.headers.accept?.includes('text/html') ?? false;
  // A document is read here, so it has to come as text and whole.
  const { 'accept-encoding': _encoding, 'if-none-match': _tag, 'if-modified-since': _since, ...plain } = asked.headers;
  const onward = request(
    new URL(pathname + search, origin),
    { method: asked.method, headers: isPage ? plain : asked.headers },
    (reply) => {
      if (!reply.headers['content-type']?.startsWith('text/html')) {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        return void reply.pipe(answer);
      }
      void watched(reply).then((text) => {
        const { 'content-length': _length, ...headers } = reply.headers;
        answer.writeHead(reply.statusCode ?? 502, headers).end(text);
      });
    },
  );
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}

/** A document with the watching script before all others. */
async function watched(reply: IncomingMessage): Promise<string> {
  const parts = await reply.setEncoding('utf8').toArray();
  return parts.join('').replace('<head>', `<head><script src="${script}"></script>`);
}
