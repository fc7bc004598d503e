import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { progressFor, type UploadState } from '@kc/rules/upload';
import { create } from 'zustand';
import { client } from './client.ts';
import { toRefusal } from './refusal.ts';
import { NotSent, sendFile } from './send-file.ts';
import { type Sample, withSample } from './transfer-rate.ts';

export type Receiver = { readonly id: string; readonly email: string };

/** One upload of this browser, from the first byte to its end. */
export type Transfer = {
  readonly number: number;
  readonly fileName: string;
  readonly totalBytes: number;
  readonly receiver: Receiver;
  readonly startedAtMs: number;
  readonly samples: readonly Sample[];
  /** The connection broke and is being tried again. */
  readonly lost: boolean;
  readonly state: UploadState;
  /** Share of the current step, 0 to 1. */
  readonly share: number;
  readonly refusal?: Refusal;
  readonly warning?: Refusal;
  readonly visualizationId?: string;
};

type Uploads = {
  /** The account last chosen to upload for. */
  readonly receiverId: string;
  readonly transfer: Transfer | undefined;
};

/** Uploads live beside the pages, so leaving one does not end them. */
export const useUploads = create<Uploads>(() => ({ receiverId: '', transfer: undefined }));

export const chooseReceiver = (receiverId: string): void => useUploads.setState({ receiverId });

export const isUnderWay = (transfer: Transfer): boolean => transfer.state !== 'active' && transfer.state !== 'failed';

export const percentOf = (transfer: Transfer): number => progressFor(transfer.state, transfer.share);

let cancelling = new AbortController();
let lastNumber = 0;

/** Checks a file's content; a refusal, or `undefined` for a good one. Stops when the signal says so. */
export type ContentCheck = (file: File, signal: AbortSignal) => Promise<Refusal | undefined>;

/** Sends a file for an account while its content is checked here; the first error of either ends the upload. */
export async function startUpload(file: File, receiver: Receiver, check: ContentCheck): Promise<void> {
  cancelling = new AbortController();
  const { signal } = cancelling;
  begin(file, receiver);
  addEventListener('beforeunload', warn);
  try {
    const refused = check(file, signal).then((refusal) => {
      if (refusal && !signal.aborted) throw new NotSent(refusal);
      return new Promise<never>(() => undefined); // a good file: only the transfer can end the race
    });
    const id = await Promise.race([sendFile(file, receiver.id, { onBytes, onLost }, signal), refused]);
    await follow(id, signal);
  } catch (error) {
    cancelling.abort();
    change({ state: 'failed', refusal: toRefusal(error) });
  } finally {
    removeEventListener('beforeunload', warn);
  }
}

/** Ends the running upload and takes back what was sent. */
export const cancelUpload = (): void => cancelling.abort();

/** Forgets an upload that has ended. */
export const dismissUpload = (): void => useUploads.setState({ transfer: undefined });

function begin(file: File, receiver: Receiver): void {
  lastNumber += 1;
  useUploads.setState({
    transfer: {
      number: lastNumber,
      fileName: file.name,
      totalBytes: file.size,
      receiver,
      startedAtMs: performance.now(),
      samples: [],
      lost: false,
      state: 'receiving',
      share: 0,
    },
  });
}

function onBytes(sent: number): void {
  const { transfer } = useUploads.getState();
  if (!transfer) return;
  change({
    samples: withSample(transfer.samples, { atMs: performance.now(), bytes: sent }),
    share: transfer.totalBytes > 0 ? sent / transfer.totalBytes : 1,
    lost: false,
  });
}

const onLost = (): void => change({ lost: true });

/** Asks how the server gets on with a received file until it is done with it. */
async function follow(id: string, signal: AbortSignal): Promise<void> {
  change({ state: 'received', share: 0, lost: false });
  while (!signal.aborted) {
    const status = await client.uploads.status({ id }, { signal }).catch((error: unknown) => {
      if (toRefusal(error).code !== 'fault/offline') throw error;
      return undefined; // the connection is gone for now; the server works on without us
    });
    change(status ? { ...status, lost: false } : { lost: true });
    if (status?.state === 'active' || status?.state === 'failed') return;
    await new Promise((resolve) => setTimeout(resolve, limits.uploadPollMs));
  }
  throw new NotSent({ code: 'upload/cancelled' });
}

function change(next: Partial<Pick<Transfer, 'samples' | 'lost' | 'state' | 'share'>> & Ending): void {
  const { transfer } = useUploads.getState();
  if (!transfer || !isUnderWay(transfer)) return;
  const { samples, lost, state, share, refusal, warning, visualizationId } = { ...transfer, ...next };
  useUploads.setState({
    transfer: {
      ...transfer,
      samples,
      lost,
      state,
      share,
      ...(refusal ? { refusal } : {}),
      ...(warning ? { warning } : {}),
      ...(visualizationId ? { visualizationId } : {}),
    },
  });
}

type Ending = {
  readonly refusal?: Refusal | undefined;
  readonly warning?: Refusal | undefined;
  readonly visualizationId?: string | undefined;
};

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
