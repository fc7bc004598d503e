/** The sender was too slow. */
export class TooSlow extends Error {
  constructor() {
    super('Bytes came too slowly');
    this.name = 'TooSlow';
  }
}

/**
 * The blocks of `source`, as long as they arrive fast enough: a connection that sends a byte now and then occupies a
 * slot that others need. Only time spent waiting for the sender counts.
 *
 * Source: SECURITY.md, REL-23.
 *
 * @param windowMs over which the rate is averaged
 * @throws TooSlow
 */
export async function* atLeast(
  bytesPerSecond: number,
  windowMs: number,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const blocks = source[Symbol.asyncIterator]();
  const leastBytes = (bytesPerSecond * windowMs) / 1000;
  let waitedMs = 0;
  let bytes = 0;
  for (let next = blocks.next(); ; ) {
    const since = performance.now();
    const block = await orAfter(windowMs - waitedMs, next);
    waitedMs += performance.now() - since;
    bytes += block && !block.done ? block.value.length : 0;
    if (block?.done) return;
    if (!block || waitedMs >= windowMs) {
      if (bytes < leastBytes) throw new TooSlow();
      waitedMs = 0;
      bytes = 0;
    }
    if (!block) continue;
    yield block.value;
    next = blocks.next();
  }
}

/** The result of `work`, or `undefined` if it takes longer. */
async function orAfter<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
