import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { client } from './client.ts';
import { refusedWith, toRefusal } from './refusal.ts';
import type { discardSent, Sending, sendFile } from './send-file.ts';
import { withSample } from './transfer-rate.ts';
import { type FileCheck, isUnderWay, type Receiver, type Transfer, useUploads } from './upload-state.ts';

/** What to upload. `uploadId`: the unfinished upload of this same file to resume. */
export type UploadOptions = {
  readonly file: File;
  readonly receiver: Receiver;
  readonly senderId: string;
  readonly description: string;
  readonly uploadId?: string | undefined;
};

/**
 * Checks a file's content and reports findings on the way. Resolves with a refusal, or `undefined` for a valid file.
 * Stops when the signal is aborted.
 */
export type ContentCheck = (
  file: File,
  onProgress: (found: Omit<FileCheck, 'state'>) => void,
  signal: AbortSignal,
) => Promise<Refusal | undefined>;

/** The dependencies of an upload. */
export type UploadWays = {
  readonly check: ContentCheck;
  readonly send: typeof sendFile;
  readonly discard: typeof discardSent;
};

let sending: Sending | undefined;
let cancelling = new AbortController();
let checking = new AbortController();
let lastNumber = 0;

/** Sends a file for an account while its content is checked here. The first error of either ends the upload. */
export async function startUpload(request: UploadOptions, { check, send, discard }: UploadWays): Promise<void> {
  cancelling = new AbortController();
  checking = new AbortController();
  const { signal } = cancelling;
  const ownCheck = checking;
  const mine = begin(request);
  addEventListener('beforeunload', warn);
  sending = send({ ...request, userId: request.receiver.id }, callbacks);
  const cancelled = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(refusedWith({ code: 'upload/cancelled' })));
  });
  cancelled.catch(() => undefined);
  const end = () => {
    ownCheck.abort();
    if (mine === lastNumber) removeEventListener('beforeunload', warn);
  };
  try {
    const id = await Promise.race([sending.done, refused(request.file, check), cancelled]);
    removeEventListener('beforeunload', warn);
    await Promise.race([follow(id, mine, signal), cancelled]);
    end();
  } catch (error) {
    const stopped = sending.stop();
    change({ state: 'failed', refusal: toRefusal(error) });
    // If the content is invalid, the bytes already sent are useless.
    const isUseless = signal.aborted || isBroken();
    // Update the state before waiting for the server: another upload may start meanwhile.
    end();
    const id = await stopped;
    if (!id || !isUseless) return;
    await discard(id);
    const { transfer } = useUploads.getState();
    if (transfer?.number === mine) useUploads.setState({ transfer: { ...transfer, isTakenBack: true } });
  }
}

/** Pauses the transfer until {@link resumeUpload}; nothing sent is lost. */
export function pauseUpload(): void {
  if (useUploads.getState().transfer?.state !== 'receiving') return;
  sending?.pause();
  change({ standstill: 'paused', samples: [] });
}

/** Resumes an upload that was paused or waited for a new sign-in. */
export function resumeUpload(): void {
  const { transfer } = useUploads.getState();
  if (transfer?.state !== 'receiving' || !transfer.standstill) return;
  change({ standstill: undefined, samples: [], movingSinceMs: performance.now() });
  sending?.resume();
}

/** Cancels the running upload and deletes what was sent. */
export const cancelUpload = (): void => cancelling.abort();

/** Skips the content check in the browser; the server still checks. */
export function skipCheck(): void {
  checking.abort();
  changeCheck({ state: 'skipped' });
}

/** Records that the user has seen the outcome of the last upload. */
export function dismissUpload(): void {
  const { transfer } = useUploads.getState();
  if (transfer && !isUnderWay(transfer)) useUploads.setState({ transfer: { ...transfer, isTold: true } });
}

/** Leaves a running upload for its sender to resume later, because another user signs in here. */
export function leaveUpload(): void {
  void sending?.stop();
  checking.abort();
  removeEventListener('beforeunload', warn);
  useUploads.setState({ transfer: undefined });
}

const isBroken = (): boolean => useUploads.getState().transfer?.check.state === 'broken';

async function refused(file: File, check: ContentCheck): Promise<never> {
  const { signal } = checking;
  const refusal = await check(file, (found) => changeCheck(found), signal);
  if (!signal.aborted) changeCheck({ state: refusal ? 'broken' : 'good' });
  if (refusal && !signal.aborted) throw refusedWith(refusal);
  return new Promise(() => undefined); // a good file: only the transfer can end the race
}

/** @returns the upload's number */
function begin({ file, receiver, senderId, uploadId }: UploadOptions): number {
  lastNumber += 1;
  useUploads.setState({
    transfer: {
      number: lastNumber,
      fileName: file.name,
      totalBytes: file.size,
      receiver,
      senderId,
      ...(uploadId ? { uploadId } : {}),
      check: { state: 'running', bytes: 0, keywords: 0, nodes: 0 },
      movingSinceMs: performance.now(),
      samples: [],
      state: 'receiving',
      share: 0,
    },
  });
  return lastNumber;
}

const callbacks = {
  onBegun: (uploadId: string): void => change({ uploadId }),
  onBytes(sent: number): void {
    const { transfer } = useUploads.getState();
    if (!transfer) return;
    change({
      samples: withSample(transfer.samples, { atMs: performance.now(), bytes: sent }),
      share: transfer.totalBytes > 0 ? sent / transfer.totalBytes : 1,
      standstill: undefined,
    });
  },
  onLost: (): void => change({ standstill: 'lost', samples: [], movingSinceMs: performance.now() }),
  onLimited: (chunkLimit: number): void => change({ chunkLimit }),
  onSignedOut: (): void => change({ standstill: 'signed-out', samples: [] }),
};

/** Polls the status of a received file until processing ends. */
async function follow(id: string, number: number, signal: AbortSignal): Promise<void> {
  change({ state: 'received', share: 0, standstill: undefined });
  // The upload has ended meanwhile, or was left for another user.
  const isOver = () => signal.aborted || useUploads.getState().transfer?.number !== number;
  for (;;) {
    const status = await client.uploads.status({ id }, { signal }).catch((error: unknown) => {
      // Without a connection or a session, the polling just waits: the server continues on its own.
      const { code } = toRefusal(error);
      if (code === 'session/required') return 'signed-out';
      if (code.startsWith('fault/')) return 'lost';
      throw error;
    });
    if (isOver()) return;
    change(typeof status === 'string' ? { standstill: status } : { ...status, standstill: undefined });
    if (typeof status !== 'string' && (status.state === 'active' || status.state === 'failed')) return;
    await new Promise((resolve) => setTimeout(resolve, limits.uploadPollMs));
    if (isOver()) return;
  }
}

type Change = {
  [Name in keyof Omit<
    Transfer,
    'number' | 'fileName' | 'totalBytes' | 'receiver' | 'senderId' | 'check' | 'isTold' | 'isTakenBack'
  >]?: Transfer[Name] | undefined;
};

/** Updates the running upload only; `undefined` removes a property. */
function change({ id: _id, ...next }: Change & { readonly id?: string }): void {
  const { transfer } = useUploads.getState();
  if (!transfer || !isUnderWay(transfer)) return;
  const known = Object.entries({ ...transfer, ...next }).filter(([, value]) => value !== undefined);
  useUploads.setState({ transfer: Object.fromEntries(known) as Transfer });
}

function changeCheck(found: Partial<FileCheck>): void {
  const { transfer } = useUploads.getState();
  if (!transfer) return;
  if (transfer.check.state !== 'running') return;
  useUploads.setState({ transfer: { ...transfer, check: { ...transfer.check, ...found } } });
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
