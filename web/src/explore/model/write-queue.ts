/** The result of sending a write: one without an answer may be sent again. */
export type SendResult = 'answered' | 'lost';

/**
 * Sends writes one at a time, in their order.
 *
 * Returns a function that starts or resumes: it sends until nothing is pending, or until a write gets no answer. While it is sending,
 * calling it again changes nothing.
 *
 * @param next the first pending write
 * @param send sends it, and removes it from the pending writes unless it was lost
 */
export function createWriteQueue<Write>(
  next: () => Write | undefined,
  send: (write: Write) => Promise<SendResult>,
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
