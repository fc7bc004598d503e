/** An open event stream, as a page receives it. */
export type HeardStream = {
  /** The events received so far, oldest first, without the one that every stream begins with. */
  readonly heard: readonly string[];
  /** The data of the event that it begins with. */
  readonly first: Promise<object>;
  /** Resolves on the next event with this name; rejects if the stream ends first. */
  next(event: string): Promise<void>;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  /** Disconnects, as closing a tab does. */
  close(): void;
};

/**
 * Opens `/api/events` of a listening server.
 *
 * @throws Error when the server refuses
 */
export async function openEvents(address: string, cookie: string): Promise<HeardStream> {
  const leaving = new AbortController();
  const response = await fetch(`${address}/api/events`, { headers: { cookie }, signal: leaving.signal });
  if (response.status !== 200 || !response.body) throw new Error(`No stream: ${response.status}`);
  const heard: string[] = [];
  const waiting: { event: string; resolve(): void; reject(error: Error): void }[] = [];
  let begin: (data: object) => void = () => undefined;
  const first = new Promise<object>((resolve) => {
    begin = resolve;
  });
  const hear = (event: string): void => {
    if (event === 'opened') return;
    heard.push(event);
    for (const one of waiting.filter((other) => other.event === event)) {
      waiting.splice(waiting.indexOf(one), 1);
      one.resolve();
    }
  };
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('event: ')) hear(line.slice('event: '.length));
        // Only the first event has members beside its time.
        if (line.startsWith('data: {"server"')) begin(JSON.parse(line.slice('data: '.length)) as object);
      }
    }
  };
  const ended = read(response.body).then(
    () => {
      for (const one of waiting) one.reject(new Error(`The stream ended; it said ${heard.join(', ')}`));
    },
    (error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    },
  );
  return {
    heard,
    first,
    next: (event) => new Promise((resolve, reject) => waiting.push({ event, resolve, reject })),
    ended,
    close: () => leaving.abort(),
  };
}
