import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { fileURLToPath } from 'node:url';

// Measures how long other users wait while a server is busy. A separate process sends these requests: in the process
// that generates the load, a response that has arrived would wait for the sender.

/** Milliseconds from each request to the last byte of its response, since the previous report. */
export type Noticed = {
  readonly answers: readonly number[];
  /** Response times of an idle server in a separate process: the delay that the machine itself adds. */
  readonly elsewhere: readonly number[];
};

export type Bystander = {
  /** Sends the requests to this address from now on. Before the first call it sends none. */
  look(url: string, cookie: string, paths: readonly string[]): void;
  tell(): Promise<Noticed>;
  close(): Promise<void>;
};

type Order =
  | { readonly kind: 'look'; readonly url: string; readonly cookie: string; readonly paths: readonly string[] }
  | { readonly kind: 'tell' };

const betweenMs = 20;

export async function openBystander(): Promise<Bystander> {
  const start = (role: keyof typeof roles, ...args: string[]) =>
    fork(fileURLToPath(import.meta.url), [role, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const idle = start('idle');
  const [idleUrl] = await once(idle, 'message');
  const asking = start('asking', idleUrl);
  return {
    look: (url, cookie, paths) => void asking.send({ kind: 'look', url, cookie, paths } satisfies Order),
    async tell() {
      const told = once(asking, 'message');
      asking.send({ kind: 'tell' } satisfies Order);
      return (await told)[0] as Noticed;
    },
    async close() {
      const ended = [asking, idle].map((child) => once(child, 'exit'));
      for (const child of [asking, idle]) child.kill();
      await Promise.all(ended);
    },
  };
}

const roles = { asking: ask, idle: answer };

/** Reports its address and answers every request with a few bytes. */
function answer(): void {
  const server = createServer((_request, response) => response.end('{"ok":true}'));
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    process.send?.(`http://127.0.0.1:${port}/`);
  });
}

async function ask(idleUrl = ''): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let there: Extract<Order, { kind: 'look' }> | undefined;
  let answers: number[] = [];
  let elsewhere: number[] = [];
  process.on('message', (order: Order) => {
    if (order.kind === 'look') there = order;
    else {
      process.send?.({ answers, elsewhere } satisfies Noticed);
      [answers, elsewhere] = [[], []];
    }
  });
  for (let n = 0; ; n++) {
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
    if (!there) continue;
    const { url, cookie, paths } = there;
    const isElsewhere = n % (paths.length + 1) === paths.length;
    const began = performance.now();
    // No response while the server restarts: that delay belongs to the restart.
    const isAnswered = await answered(agent, isElsewhere ? idleUrl : url + paths[n % (paths.length + 1)], cookie);
    if (isAnswered) (isElsewhere ? elsewhere : answers).push(performance.now() - began);
  }
}

function answered(agent: Agent, url: string, cookie: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = get(url, { agent, headers: { cookie } }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.complete && response.statusCode === 200));
    });
    asking.once('error', () => resolve(false));
  });
}

const [role, ...args] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url) && Object.hasOwn(roles, role ?? '')) {
  process.once('disconnect', () => process.exit());
  void roles[role as keyof typeof roles](...args);
}
