import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportViolations } from './tab.ts';

/** Where a page fetches the monitoring script and sends reports; paths that no server has. */
const script = '/problems-of-this-page.js';
const reports = '/problems-of-this-page';

/** Reports what the driver cannot: classic WebDriver has no console. */
const watching = `(() => {
  // Navigation cancels what the page is still loading, and WebKit reports that as failures of scripts and imports.
  let isLeaving = false;
  addEventListener('beforeunload', () => { isLeaving = true; });
  const tell = (text) => isLeaving || navigator.sendBeacon('${reports}', text);
  for (const level of ['error', 'warn']) {
    const said = console[level];
    console[level] = (...values) => { tell(values.map(String).join(' ')); said.apply(console, values); };
  }
  addEventListener('error', (event) => {
    if (event instanceof ErrorEvent) tell('uncaught: ' + event.message);
    else tell('not loaded: ' + (event.target.src ?? event.target.href));
  }, true);
  addEventListener('unhandledrejection', (event) => {
    // A microtask would run before the listeners of the page, which may handle the rejection.
    setTimeout(() => event.defaultPrevented || tell('uncaught: ' + event.reason));
  });
  ${reportViolations}
})();`;

export type PageProxy = {
  /** Host and port. */
  readonly address: string;
  /** The reports of pages so far. */
  readonly problems: readonly string[];
  close(): Promise<void>;
};

/**
 * A proxy for a browser whose driver cannot run a script before those of the page. It adds a script to each document
 * that reports console errors and warnings, uncaught errors and policy violations. Everything else passes unchanged.
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
  // A document is modified here, so it must arrive complete and uncompressed.
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

/** The document with the monitoring script before all others. */
async function watched(reply: IncomingMessage): Promise<string> {
  const parts = await reply.setEncoding('utf8').toArray();
  return parts.join('').replace('<head>', `<head><script src="${script}"></script>`);
}
