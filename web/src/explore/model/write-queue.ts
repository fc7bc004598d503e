/** What became of a write that was sent: one that got no answer may be sent again. */
export type Sent = 'answered' | 'lost';

/**
 * Sends writes one at a time, in their order.
 *
 * Returns what begins, or goes on: it sends until nothing waits, or until a write got no answer. While it is sending,
 * calling it again changes nothing.
 *
 * @param next the first write that waits
 * @param send sends it, and takes it off what waits unless it was lost
 */
export function createWriteQueue<Write>(
  next: () => Write | undefined,
  send: (write: Write) => Promise<Sent>,
): () => Promise<void> {
  let isSending = false;
  return async () => {
    if (isSending) return;
    isSending = true;
    try {
      for (let write = next(); write; write = next()) {
        if ((await send(write)) === 'lost') return;
      }
    } finally {
      isSending = false;
    }
  };
}
