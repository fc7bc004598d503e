import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import type { DetailedError, Upload } from 'tus-js-client';
import { isRefusal } from './refusal.ts';
import { nextChunkBytes } from './transfer-rate.ts';

export type Sending = {
  /** Bytes the server has or is being given. */
  readonly onBytes: (sent: number) => void;
  /** The connection broke; it is being tried again. */
  readonly onLost: () => void;
};

/** Thrown by {@link sendFile}: why the file could not be sent. */
export class NotSent extends Error {
  readonly data: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.code, { cause });
    this.data = refusal;
  }
}

const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

/**
 * Sends a file in resumable chunks; goes on where an earlier try of the same file for the same user stopped.
 *
 * @param signal ends the transfer and takes back what was sent
 * @returns the upload's id once the last byte is durable
 * @throws NotSent
 */
export async function sendFile(file: File, userId: string, sending: Sending, signal: AbortSignal): Promise<string> {
  const tus = await import('tus-js-client').catch((error: unknown) => {
    throw new NotSent({ code: 'upload/task-failed' }, error);
  });
  return new Promise((resolve, reject) => {
    let chunkStartedAt = performance.now();
    const upload: Upload = new tus.Upload(file, {
      endpoint: '/api/uploads',
      metadata: { filename: file.name, filetype: file.type, userId },
      fingerprint: async () => ['upload', userId, file.name, file.size, file.lastModified].join('-'),
      removeFingerprintOnSuccess: true,
      chunkSize: limits.minChunkBytes,
      retryDelays,
      onProgress: (sent) => sending.onBytes(sent),
      onChunkComplete: () => {
        const now = performance.now();
        upload.options.chunkSize = nextChunkBytes(
          upload.options.chunkSize ?? limits.minChunkBytes,
          now - chunkStartedAt,
        );
        chunkStartedAt = now;
      },
      onShouldRetry: (error) => {
        if (!isPassing(error)) return false;
        sending.onLost();
        return true;
      },
      onError: (error) => reject(new NotSent(refusalOf(error), error)),
      onSuccess: () => resolve(upload.url?.split('/').at(-1) ?? ''),
    });
    signal.addEventListener('abort', () => {
      // What the server cannot take back now its sweep takes back later.
      upload.abort(true).catch(() => undefined);
      reject(new NotSent({ code: 'upload/cancelled' }));
    });
    upload.findPreviousUploads().then((earlier) => {
      const [last] = earlier;
      if (last) upload.resumeFromPreviousUpload(last);
      if (!signal.aborted) upload.start();
    }, reject);
  });
}

/** Whether a failure may pass: no answer at all, a busy upload, an overloaded or restarting server. */
function isPassing(error: DetailedError): boolean {
  const status = error.originalResponse?.getStatus() ?? 0;
  return status === 0 || status === 409 || status === 423 || status === 429 || (status >= 502 && status <= 504);
}

function refusalOf(error: Error | DetailedError): Refusal {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  if (response?.getStatus() === 401) return { code: 'upload/signed-out' };
  return bodyRefusal(response?.getBody()) ?? { code: 'upload/failed' };
}

/** The refusal in an answer's body, bare or as the contract wraps it. */
export function bodyRefusal(body: string | undefined): Refusal | undefined {
  if (!body) return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    const wrapped = typeof parsed === 'object' && parsed !== null && 'data' in parsed ? parsed.data : parsed;
    return isRefusal(wrapped) ? wrapped : undefined;
  } catch {
    return undefined; // a proxy's own page: the caller has a message for that
  }
}
