import type { Worker } from 'node:worker_threads';

/**
 * Sends a message to a thread that has nothing else to do, and waits for its answer.
 *
 * @param what the thread does, for the message if it ends early: "detects languages"
 * @throws what the thread threw, or if it ended
 */
export function answerOf<Answer>(thread: Worker, message: unknown, what: string): Promise<Answer> {
  const answer = nextMessage<Answer>(thread, what);
  thread.postMessage(message);
  return answer;
}

/** Waits for the next message of a thread. See {@link answerOf}. */
export function nextMessage<Message>(thread: Worker, what: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const listeners = {
      message: resolve,
      error: reject,
      exit: (code: number) => reject(new Error(`The thread that ${what} ended early (${code})`)),
    };
    const settled = (): void => {
      for (const [event, listener] of Object.entries(listeners)) thread.off(event, listener).off(event, settled);
    };
    for (const [event, listener] of Object.entries(listeners)) thread.on(event, listener).on(event, settled);
  });
}
