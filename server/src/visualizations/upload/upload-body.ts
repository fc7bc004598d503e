import type { IncomingMessage } from 'node:http';
import { ERRORS } from '@tus/server';

/**
 * The bytes that a request brings, taken past tus: it would hand every block through five streams, which costs more than
 * storing it. What tus gets instead has no bytes, and its end says when they are over.
 */
export class UploadBody {
  /** For tus. */
  readonly standIn: ReadableStream;
  readonly #blocks: AsyncIterator<Uint8Array>;
  #last: Uint8Array | undefined;
  #endStandIn: () => void = () => undefined;
  #stop: () => void = () => undefined;
  #isStopped = false;

  constructor(request: IncomingMessage) {
    this.#blocks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
    this.standIn = new ReadableStream({
      start: (controller) => {
        this.#endStandIn = () => controller.close();
      },
      cancel: () => {
        this.#endStandIn = () => undefined;
      },
    });
  }

  /**
   * The blocks, until the last one or {@link stop}. Throws when the connection breaks. Each is whoever asked for it only
   * until the next one is asked for: its memory is given back then, so that none of it waits for the collector. That would
   * look through the whole heap for every few mebibytes that arrive, and others would wait for it.
   */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** Whoever waits for a block is told that there is none. */
  stop(): void {
    this.#isStopped = true;
    this.#stop();
  }

  /** Takes what still comes after a refusal, or after {@link stop}: unread, it would hold up the connection's next request. */
  async drain(): Promise<void> {
    try {
      while (!(await this.#nextBlock()).done);
    } catch {
      // The connection broke: nothing comes any more.
    }
  }

  /** Tells tus that no more is taken. */
  end(): void {
    this.#endStandIn();
    this.#endStandIn = () => undefined;
  }

  #next(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve({ done: true, value: undefined });
      if (this.#isStopped) this.#stop();
      else this.#nextBlock().then(resolve, () => reject(ERRORS.ABORTED));
    });
  }

  async #nextBlock(): Promise<IteratorResult<Uint8Array>> {
    if (this.#last) giveBack(this.#last);
    this.#last = undefined;
    const next = await this.#blocks.next();
    this.#last = next.done ? undefined : next.value;
    return next;
  }
}

/** Takes the memory of a block from it: it is empty afterwards. Nothing happens to one that is a part of something larger. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}
