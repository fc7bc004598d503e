import { limits } from '@kc/rules/limits';
import { isRefusal, type Refusal, refusedWith } from '@kc/rules/result';
import type { DetailedError, Upload } from 'tus-js-client';
import { inTime, patience } from './in-time.ts';
import { refusalInBody } from './refusal.ts';
import { afterTooLarge, nextChunkBytes } from './transfer-rate.ts';

/** The file to send. `description` and `userId` apply to new uploads only. */
export type UploadRequest = {
  readonly file: File;
  readonly userId: string;
  readonly description: string;
  /** The unfinished upload of this file to resume. */
  readonly uploadId?: string | undefined;
};

export type SendingCallbacks = {
  /** Called with the ID that the server assigned. */
  onStarted(id: string): void;
  /** Bytes stored on the server or in transit. */
  onBytes(sent: number): void;
  /** The connection broke and is being retried. */
  onLost(): void;
  /** A proxy refused a request as too large. From now on a request has at most so many bytes. */
  onLimited(bytes: number): void;
  /** The session ended. The server keeps what it has; `resume` continues. */
  onSignedOut(): void;
};

export type Sending = {
  /**
   * Resolves with the upload ID once the last byte is durable. Rejects with an error for `toRefusal`; never after
   * `stop`.
   */
  readonly done: Promise<string>;
  /** Sends nothing until `resume`, which asks the server for the offset. */
  pause(): void;
  resume(): void;
  /**
   * Stops sending; the partial upload stays on the server and can be resumed. Resolves with its ID, once a pending
   * create request has been completed; `undefined` if there is none.
   */
  stop(): Promise<string | undefined>;
};

const endpoint = '/api/uploads';
const addressOf = (id: string): string => `${endpoint}/${id}`;
/** About ten minutes of retries before an upload fails. Any progress resets them. */
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, ...Array<number>(20).fill(30_000)];

/** Sends a file in resumable chunks. */
export function sendFile(request: UploadRequest, callbacks: SendingCallbacks): Sending {
  let id = request.uploadId;
  let current: Upload | undefined;
  let chunkBytes: number = limits.minChunkBytes;
  /** Smaller once a proxy has refused a request as too large. */
  let largestChunkBytes: number = limits.maxChunkBytes;
  /** Counts the connections, to ignore callbacks of earlier ones. */
  let turn = 0;
  let isTrying = false;
  /** Settles once the server has assigned an ID or refused to. */
  let created: Promise<void> | undefined;
  let onCreated: () => void = () => undefined;
  let resolve: (id: string) => void = () => undefined;
  let reject: (why: Error) => void = () => undefined;
  const done = new Promise<string>((onDone, onRefused) => {
    resolve = onDone;
    reject = onRefused;
  });

  /** A create request must not be aborted: that could leave an upload whose ID is lost. */
  const halt = (): void => {
    turn++;
    const isBeingCreated = id === undefined && !isTrying;
    if (!isBeingCreated) {
      current?.abort().catch(() => undefined);
      onCreated();
    }
    current = undefined;
  };

  async function connect(): Promise<void> {
    halt();
    const mine = turn;
    await created;
    const tus = await import('tus-js-client').catch(() => reject(refusedWith({ code: 'upload/task-failed' })));
    if (!tus || mine !== turn) return;
    let chunkBegan = performance.now();
    if (id === undefined)
      created = new Promise((settle) => {
        onCreated = settle;
      });
    const { file, userId, description } = request;
    const upload: Upload = new tus.Upload(file, {
      // Disables the fallback to a new upload: an existing upload is never replaced by a fresh one.
      endpoint: id === undefined ? endpoint : null,
      uploadUrl: id === undefined ? null : addressOf(id),
      metadata: {
        filename: file.name,
        filetype: file.type,
        modified: String(file.lastModified),
        userId,
        description,
      },
      storeFingerprintForResuming: false,
      chunkSize: chunkBytes,
      retryDelays,
      onUploadUrlAvailable: () => {
        if (!upload.url) return;
        upload.options.endpoint = null;
        id = upload.url.split('/').at(-1)!;
        if (mine === turn) callbacks.onStarted(id);
        else upload.abort().catch(() => undefined);
        onCreated();
      },
      onProgress: (sent) => {
        isTrying = false;
        if (mine === turn) callbacks.onBytes(sent);
      },
      onChunkComplete: () => {
        const now = performance.now();
        chunkBytes = nextChunkBytes(chunkBytes, now - chunkBegan, largestChunkBytes);
        upload.options.chunkSize = chunkBytes;
        chunkBegan = now;
      },
      onShouldRetry: (error) => {
        if (mine !== turn) return false;
        if (isTooLargeForProxy(error)) {
          const smaller = afterTooLarge(chunkBytes);
          if (smaller === undefined) return false;
          chunkBytes = smaller;
          largestChunkBytes = smaller;
          upload.options.chunkSize = smaller;
          callbacks.onLimited(smaller);
          return true;
        }
        if (!isPassing(error)) return false;
        isTrying = true;
        callbacks.onLost();
        return true;
      },
      onError: (error) => {
        onCreated();
        if (mine !== turn) return;
        // Read before aborting: an aborted request drops its response.
        const isSignedOut = statusOf(error) === 401;
        const reported = isTooLargeForProxy(error) ? { code: 'upload/parts-refused' } : refusalOf(error);
        halt();
        if (isSignedOut) return callbacks.onSignedOut();
        void whyFailed(reported, id).then((refusal) => reject(refusedWith(refusal)));
      },
      onSuccess: () => {
        if (mine === turn) resolve(id ?? '');
      },
    });
    current = upload;
    upload.start();
  }

  /** The connection is back: skip the rest of the delay. */
  const hurry = (): void => {
    if (isTrying) void connect();
  };
  addEventListener('online', hurry);
  const leave = (): void => removeEventListener('online', hurry);
  done.then(leave, leave);

  void connect();
  return {
    done,
    pause: halt,
    resume: () => void connect(),
    stop() {
      leave();
      halt();
      return Promise.resolve(created).then(() => id);
    },
  };
}

/** Deletes the partial upload on the server. If that fails, the server's sweep deletes it later. */
export async function discardSent(id: string): Promise<void> {
  await fetch(addressOf(id), { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } }).catch(() => undefined);
}

const statusOf = (error: Error | DetailedError): number =>
  ('originalResponse' in error && error.originalResponse?.getStatus()) || 0;

const refusalOf = (error: Error | DetailedError): Refusal | undefined =>
  'originalResponse' in error ? bodyRefusal(error.originalResponse?.getBody()) : undefined;

/** Whether a proxy refused the size of a request. The server itself says what is too large. */
const isTooLargeForProxy = (error: Error | DetailedError): boolean =>
  statusOf(error) === 413 && refusalOf(error) === undefined;

/** Whether a failure may be temporary: no response, a busy upload, an overloaded or restarting server. */
const isPassing = (error: DetailedError): boolean => mayPass(statusOf(error), refusalOf(error));

/**
 * Refusals about the upload itself are final, whatever their status.
 *
 * @param status 0: no response
 */
export function mayPass(status: number, refusal: Refusal | undefined): boolean {
  if (refusal?.code === 'upload/too-slow') return true;
  if (refusal?.code.startsWith('upload/')) return false;
  return status === 0 || status === 409 || status === 423 || status === 429 || (status >= 502 && status <= 504);
}

/** The refusal in the response; else the state of the upload on the server, which may have been ended meanwhile. */
async function whyFailed(reported: Refusal | undefined, id: string | undefined): Promise<Refusal> {
  if (reported && reported.code !== 'request/not-found') return reported;
  return (id && (await rememberedRefusal(id))) || { code: 'upload/failed' };
}

async function rememberedRefusal(id: string): Promise<Refusal | undefined> {
  try {
    return await inTime(patience.read, undefined, async (signal) => {
      const response = await fetch(`${addressOf(id)}/status`, { signal });
      if (response.status === 404) return { code: 'upload/gone' };
      const status = (await response.json()) as { refusal?: unknown };
      return isRefusal(status.refusal) ? status.refusal : undefined;
    });
  } catch {
    return undefined; // no response, or no JSON: the caller has a message for that
  }
}

/** The refusal in a response body, bare or wrapped as in the contract. */
export function bodyRefusal(body: string | undefined): Refusal | undefined {
  if (!body) return undefined;
  try {
    return refusalInBody(JSON.parse(body));
  } catch {
    return undefined; // a proxy's own page: the caller has a message for that
  }
}
