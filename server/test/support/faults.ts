import childProcess, { type ForkOptions } from 'node:child_process';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import fs from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import pg from 'pg';

// Tests load this before a server with `node --import`. It intercepts files, database queries and responses, and kills
// the process or makes a call fail at the point that TEST_FAULT names. The server does not know about it.

/** The point in the server's work where a {@link Fault} occurs. */
type Place = {
  /**
   * A regular expression that matches a point before or after an operation, in the server or in a process that it
   * started: `before write file`, `after sync file`, `before rename temp pack`, `before remove temp`,
   * `after sql update uploads received state`, `after commit of insert uploads`,
   * `before answer PATCH /api/uploads/:id 204`. Files are named by the kind of their key; the folder itself is `files`.
   */
  readonly at: string;
  /** Which match counts, per thread, starting from 1. Defaults to the first. */
  readonly nth?: number;
};

/** Either kills the process once, or makes calls fail while the file `placesIn` exists, which names the points. */
export type Fault = (Place & { readonly act: 'kill' }) | { readonly act: 'ENOSPC' | 'EIO'; readonly placesIn: string };

/** Child processes inherit the process ID of the server. */
process.env.TEST_SERVER ??= String(process.pid);
const server = Number(process.env.TEST_SERVER);
const fault = process.env.TEST_FAULT ? (JSON.parse(process.env.TEST_FAULT) as Fault) : undefined;
if (fault) {
  const reach = fault.act === 'kill' ? killer(fault) : failer(fault.act, fault.placesIn);
  joinChildren();
  watchFiles(reach);
  watchDatabase(reach);
  watchAnswers(reach);
}

function killer({ at, nth = 1 }: Place): Reach {
  const pattern = new RegExp(`^${at}$`);
  let matches = 0;
  return (point) => {
    if (!pattern.test(point) || ++matches !== nth) return;
    writeSync(2, `fault: kill ${point}\n`);
    process.kill(server, 'SIGKILL');
    // A child process dies together with the server: afterwards nothing would be left to end it.
    process.kill(process.pid, 'SIGKILL');
    // The signals are pending: block this thread so that it does nothing more.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}

function failer(code: string, placesIn: string): Reach {
  return (point) => {
    if (!existsSync(placesIn) || !new RegExp(`^${readFileSync(placesIn, 'utf8')}$`).test(point)) return;
    throw Object.assign(new Error(`${code}: ${point}`), { code });
  };
}

/** Child processes get their own environment, so this passes the fault on to them. */
function joinChildren(): void {
  const { fork } = childProcess;
  const { TEST_FAULT, TEST_SERVER } = process.env;
  childProcess.fork = ((file: string, args: string[], options: ForkOptions) =>
    fork(file, args, {
      ...options,
      env: { ...options.env, TEST_FAULT, TEST_SERVER },
      execArgv: [...(options.execArgv ?? []), '--import', import.meta.filename],
    })) as typeof fork;
}

type Reach = (point: string) => void;
type Method = (this: object, ...args: unknown[]) => unknown;

function watchFiles(reach: Reach): void {
  const kinds = new WeakMap<object, string>();
  const kindOf = (path: unknown): string => basename(String(path)).replace(/-[0-9a-f]{32}$/, '');
  const open = fs.open;
  let isWatched = false;
  fs.open = async (...args) => {
    reach(`before open ${kindOf(args[0])}`);
    const handle = await open(...args);
    kinds.set(handle, kindOf(args[0]));
    if (!isWatched) {
      isWatched = true;
      watch(Object.getPrototypeOf(handle), ['read', 'write', 'sync'], (name, handle) => `${name} ${kinds.get(handle)}`);
    }
    return handle;
  };
  watch(fs, ['rename', 'rm'], (name, _, from, to) =>
    name === 'rm' ? `remove ${kindOf(from)}` : `rename ${kindOf(from)} ${kindOf(to)}`,
  );
  syncBuiltinESMExports();

  function watch(owner: object, names: string[], say: (name: string, self: object, ...args: unknown[]) => string) {
    const methods = owner as Record<string, Method>;
    for (const name of names) {
      const method = methods[name]!;
      methods[name] = async function (...args) {
        const point = say(name, this, ...args);
        reach(`before ${point}`);
        const result = await method.apply(this, args);
        reach(`after ${point}`);
        return result;
      };
    }
  }
}

function watchDatabase(reach: Reach): void {
  const inTransaction = new WeakMap<object, string[]>();
  const client = pg.Client.prototype as unknown as { query: Method };
  const { query } = client;
  client.query = function (config, ...more) {
    const text = typeof config === 'string' ? config : (config as { text?: unknown }).text;
    if (typeof text !== 'string') return query.call(this, config, ...more);
    const point = pointOf(this, text);
    reach(`before ${point}`);
    const result = query.call(this, config, ...more);
    if (!(result instanceof Promise)) return result;
    return result.then((rows) => {
      reach(`after ${point}`);
      return rows;
    });
  };

  function pointOf(self: object, text: string): string {
    const statement = /^\s*(insert into|update|delete from)\s+"?([\w.]+)/i.exec(text);
    if (statement) {
      const columns = Array.from(text.split(/ where /i)[0]!.matchAll(/"(\w+)" = /g), (match) => match[1]);
      const said = [statement[1]!.split(' ')[0]!.toLowerCase(), statement[2], ...columns].join(' ');
      inTransaction.get(self)?.push(said);
      return `sql ${said}`;
    }
    if (/^\s*(begin|start transaction)/i.test(text)) inTransaction.set(self, []);
    return /^\s*commit/i.test(text) ? `commit of ${inTransaction.get(self)?.join(' + ')}` : `sql ${text.trim()}`;
  }
}

function watchAnswers(reach: Reach): void {
  const response = ServerResponse.prototype as unknown as { writeHead: Method };
  const { writeHead } = response;
  response.writeHead = function (status, ...more) {
    const { method, url = '' } = (this as ServerResponse).req;
    const route = url.split('?')[0]!.replace(/[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id');
    reach(`before answer ${method} ${route} ${status}`);
    return writeHead.call(this, status, ...more);
  };
}
