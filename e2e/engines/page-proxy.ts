import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportViolations } from './tab.ts';

/** Paths, unused by the server, where a page loads the monitor and sends its reports. */
const monitorPath = '/problems-of-this-page.js';
const reportsPath = '/problems-of-this-page';

/** The script that reports problems of a page, because classic WebDriver gives no access to the console. */
const monitor = `(() => {
  // Navigation cancels what the page is still loading, and WebKit reports that as failures of scripts and imports.
  let isLeaving = false;
  addEventListener('beforeunload', () => { isLeaving = true; });
  const report = (text) => isLeaving || navigator.sendBeacon('${reportsPath}', text);
  for (const level of ['error', 'warn']) {
    const original = console[level];
    console[level] = (...values) => { report(values.map(String).join(' ')); original.apply(console, values); };
  }
  addEventListener('error', (event) => {
    if (event instanceof ErrorEvent) report('uncaught: ' + event.message);
    else report('not loaded: ' + (event.target.src ?? event.target.href));
  }, true);
  addEventListener('unhandledrejection', (event) => {
    // A microtask would run before the listeners of the page, which may handle the rejection.
    setTimeout(() => event.defaultPrevented || report('uncaught: ' + event.reason));
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
 * A proxy for a browser whose driver cannot run a script before those of the page. It adds a script to each document
 * that reports console errors and warnings, uncaught errors and policy violations. Everything else passes unchanged.
 *
 * @param origin of the server; requests to any other are refused
 */
export async function startPageProxy(origin: string): Promise<PageProxy> {
  const problems: string[] = [];
  const proxy = createServer((request, response) => {
    const { origin: requested, pathname } = new URL(request.url ?? '', origin);
    if (requested !== origin) return void response.writeHead(403).end();
    if (pathname === monitorPath)
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(monitor);
    if (pathname === reportsPath) return void collect(request, response, problems);
    pass(request, response, origin);
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

async function collect(request: IncomingMessage, response: ServerResponse, problems: string[]): Promise<void> {
  const parts = await request.setEncoding('utf8').toArray();
  problems.push(parts.join(''));
  response.writeHead(204).end();
}

function pass(request: IncomingMessage, response: ServerResponse, origin: string): void {
  const { pathname, search } = new URL(request.url ?? '', origin);
  const isPage = request.headers.accept?.includes('text/html') ?? false;
  // A document gets the monitor, so it must arrive complete and uncompressed.
  const {
    'accept-encoding': _encoding,
    'if-none-match': _tag,
    'if-modified-since': _since,
    ...plain
  } = request.headers;
  const onward = sendRequest(
    new URL(pathname + search, origin),
    { method: request.method, headers: isPage ? plain : request.headers },
    (reply) => {
      if (!reply.headers['content-type']?.startsWith('text/html')) {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        return void reply.pipe(response);
      }
      void withMonitor(reply).then((text) => {
        const { 'content-length': _length, ...headers } = reply.headers;
        response.writeHead(reply.statusCode ?? 502, headers).end(text);
      });
    },
  );
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** The HTML of a document, with the monitor as its first script. */
async function withMonitor(reply: IncomingMessage): Promise<string> {
  const parts = await reply.setEncoding('utf8').toArray();
  return parts.join('').replace('<head>', `<head><script src="${monitorPath}"></script>`);
}
