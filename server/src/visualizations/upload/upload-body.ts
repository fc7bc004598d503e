import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { TusError } from './sender.ts';

/** The bytes of a request, or of a file. */
export class UploadBody {
  readonly #blocks: AsyncIterator<Uint8Array>;
  #last: Uint8Array | undefined;
  #stop: () => void = () => undefined;
  #isStopped = false;
  readonly #hash: Hash | undefined;

  /** @param hash takes the bytes as they are read */
  constructor(source: Readable, hash?: Hash) {
    this.#hash = hash;
    this.#blocks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  }

  /**
   * The blocks, until the last one or {@link stop}. Throws if the connection breaks. A block is valid only until the
   * next one is requested: its memory is then freed explicitly. Otherwise the garbage collector would scan the whole
   * heap for every few mebibytes that arrive and delay other requests.
   */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** A reader that waits for a block gets the end. */
  stop(): void {
    this.#isStopped = true;
    this.#stop();
  }

  /**
   * Reads and discards the rest after a refusal, or after {@link stop}: unread, it would block the connection's next
   * request.
   */
  async drain(): Promise<void> {
    try {
      while (!(await this.#nextBlock()).done);
    } catch {
      // The connection broke: nothing else will arrive.
    }
  }

  #next(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve({ done: true, value: undefined });
      if (this.#isStopped) this.#stop();
      else this.#nextBlock().then(resolve, () => reject(new TusError(400)));
    });
  }

  async #nextBlock(): Promise<IteratorResult<Uint8Array>> {
    if (this.#last) giveBack(this.#last);
    this.#last = undefined;
    const next = await this.#blocks.next();
    this.#last = next.done ? undefined : next.value;
    if (this.#last) this.#hash?.update(this.#last);
    return next;
  }
}

/** Frees the memory of a block, which is empty afterwards. Does nothing if the block is part of a larger buffer. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}
