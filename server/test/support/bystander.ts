import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { fileURLToPath } from 'node:url';

// What somebody else notices of a server while it is busy. The requests are sent by a separate process: in one that also sends
// the load, an answer that has arrived would wait for the sender.

/** Milliseconds from asking to the last byte of the answer, since the last time it was told. */
export type Noticed = {
  readonly answers: readonly number[];
  /** Of a server that does nothing else, in a process of its own: what the machine makes everybody wait. */
  readonly elsewhere: readonly number[];
};

export type Bystander = {
  /** From now on it asks there; until the first time it asks nothing. */
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

/** Tells its address and answers whatever is asked with a few bytes. */
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
    // While a server is started again nobody answers: that is the restart's.
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
