import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cuttingProxy } from './cutting-proxy.ts';
import { largeFile } from './large-file.ts';
import { isLong } from './proof.ts';
import { tusClient } from './tus.ts';

// The client of a large upload, and the unreliable connection to the server. In production, both are other machines.
// Here they share one process. While waiting times are measured, it runs at low priority and uses only the CPU time
// that the server and the measuring clients leave.

export type Journey = {
  readonly cookie: string;
  /** The address of the upload. */
  readonly location: string;
  /** The size of the {@link largeFile} in bytes. */
  readonly size: number;
  readonly chunkBytes: number;
  /** The minimum number of times that the connection breaks. */
  readonly cuts: number;
};

export type Sent = {
  /** Bytes sent, including lost ones. */
  readonly sent: number;
  readonly cuts: number;
  /** Whether a new page continued the upload after two thirds. */
  readonly reloaded: boolean;
};

export type Sender = {
  /** Sends a complete file. After a third it waits for `restart`, which returns the server's new address. */
  send(journey: Journey, url: string, restart: () => Promise<string>): Promise<Sent>;
  close(): Promise<void>;
};

type Order = { readonly journey: Journey; readonly url: string };
type Told = { readonly kind: 'third' } | ({ readonly kind: 'sent' } & Sent);

export function openSender(): Sender {
  const child = fork(fileURLToPath(import.meta.url), ['send'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return {
    async send(journey, url, restart) {
      child.send({ journey, url } satisfies Order);
      for (;;) {
        const [told]: Told[] = await Promise.race([once(child, 'message'), once(child, 'exit').then(failed)]);
        if (told?.kind === 'sent') return told;
        child.send(await restart());
      }
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

function failed(): never {
  throw new Error('The process that sends ended early');
}

/** Sends from the offset that the server reports until the upload is complete, and resumes after every break. */
async function sendAll({ cookie, location, size, chunkBytes, cuts }: Journey, url: string): Promise<Sent> {
  const file = largeFile(size);
  const line = await cuttingProxy();
  line.leadTo(url);
  let restarted = false;
  let reloaded = false;
  for (let offset = 0; offset < size; ) {
    try {
      // A new client each time, as for a new page, which knows only the address of the upload.
      const client = tusClient(line.url, cookie);
      const head = await client.head(location);
      // The server does not respond while it restarts.
      if (head.status !== 200) throw new TypeError('fetch failed');
      offset = Number(head.headers.get('upload-offset'));
      while (offset < size) {
        const share = offset / size;
        if (share >= 1 / 3 && !restarted) {
          restarted = true;
          line.leadTo(await ask({ kind: 'third' }));
        }
        if (share >= 2 / 3 && !reloaded) {
          reloaded = true;
          break;
        }
        // Cut within the next chunk, but not too soon after the previous cut.
        if (line.cuts < Math.floor(share * cuts) + 1) line.cutAfter(chunkBytes / 3);
        const answer = await client.patch(location, offset, file.read(offset, chunkBytes));
        if (answer.status !== 204) break;
        offset = Number(answer.headers.get('upload-offset'));
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await pause(50);
    }
  }
  return { sent: line.sent, cuts: line.cuts, reloaded };
}

async function ask(what: Told): Promise<string> {
  const told = once(process, 'message') as Promise<[string]>;
  process.send?.(what);
  return (await told)[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (isLong) setPriority(constants.priority.PRIORITY_LOW);
  process.once('disconnect', () => process.exit());
  const [{ journey, url }] = (await once(process, 'message')) as [Order];
  process.send?.({ kind: 'sent', ...(await sendAll(journey, url)) } satisfies Told);
}
