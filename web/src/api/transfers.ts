import type { MemberSummaries } from '@kc/pack/upload/member-summary';
import type { UploadOutline } from '@kc/pack/upload/upload-outline';
import { draftPercent } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { type Refusal, refusedWith, toRefusal } from '@kc/rules/result';
import { progressFor, type UploadState } from '@kc/rules/upload';
import { create } from 'zustand';
import { client } from './client.ts';
import type { discardSent, Sending, SendingCallbacks, sendFile, UploadRequest } from './send-file.ts';
import { type Sample, withSample } from './transfer-rate.ts';

export type Receiver = { readonly id: string; readonly email: string };

/** Progress and findings of the content check in this browser. */
export type FileCheck = {
  readonly state: 'running' | 'good' | 'broken' | 'skipped';
  /** Bytes read. */
  readonly bytes: number;
  readonly keywords: number;
  readonly nodes: number;
  readonly outline?: UploadOutline;
  /** The members of its entries, by its beginning. */
  readonly members?: MemberSummaries;
};

/** Bytes that this browser is sending. */
export type Transfer = {
  readonly totalBytes: number;
  /** Share of the current step, 0 to 1. */
  readonly share: number;
  /** When bytes last started to flow, in ms of `performance.now()`. */
  readonly movingSinceMs: number;
  readonly samples: readonly Sample[];
  /** Why nothing moves: paused by the user, connection lost, or session ended. */
  readonly standstill?: 'paused' | 'lost' | 'signed-out' | undefined;
  /** The largest request that a proxy lets through, in bytes; absent as long as it refuses none. */
  readonly chunkLimit?: number;
};

/** An upload from this browser, from the first byte to the end. */
export type FileTransfer = Transfer & {
  readonly number: number;
  readonly fileName: string;
  readonly receiver: Receiver;
  /** Account ID of the administrator who sends it. */
  readonly senderId: string;
  /** Its ID on the server, once assigned. */
  readonly uploadId?: string;
  readonly check: FileCheck;
  readonly state: UploadState;
  readonly refusal?: Refusal | undefined;
  readonly warning?: Refusal | undefined;
  readonly visualizationId?: string | undefined;
  /** Entries that repeat a keyword and were merged. */
  readonly merged?: number | undefined;
  /** The user has seen the outcome. */
  readonly isSeen?: true;
  /** The partial upload on the server was deleted. */
  readonly isDiscarded?: true;
};

type Transfers = {
  /** The account last chosen to upload for. */
  readonly receiverId: string;
  readonly upload: FileTransfer | undefined;
  /** The draft that this browser started or follows, until it is opened or put away. */
  readonly draft: Draft | undefined;
  /** Its lists, while this browser sends them. */
  readonly lists: Transfer | undefined;
  /** Why its lists could not be sent. */
  readonly listsRefusal: Refusal | undefined;
};

const noImport = { draft: undefined, lists: undefined, listsRefusal: undefined };
export const noTransfers: Transfers = { receiverId: '', upload: undefined, ...noImport };

/** What this browser sends lives outside the pages, so navigation does not end it. */
export const useTransfers = create<Transfers>(() => noTransfers);
const { getState, setState } = useTransfers;

// Closing the page would stop what is being sent.
const isSending = ({ upload, lists }: Transfers): boolean => upload?.state === 'receiving' || lists !== undefined;
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
useTransfers.subscribe((now, before) => {
  if (isSending(now) === isSending(before)) return;
  if (isSending(now)) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
});

export const chooseReceiver = (receiverId: string): void => setState({ receiverId });

export const isUnderWay = ({ state }: FileTransfer): boolean => state !== 'active' && state !== 'failed';
export const percentOf = ({ state, share }: FileTransfer): number => progressFor(state, share);

/** The progress of a draft. While this browser sends, its own progress is newer than the server's last response. */
export const draftPercentOf = (draft: Draft, lists: Transfer | undefined): number =>
  lists ? draftPercent('receiving', { received: lists.share }) : Math.round(draft.percent);

const atStart = (totalBytes: number): Transfer => ({
  totalBytes,
  share: 0,
  movingSinceMs: performance.now(),
  samples: [],
});
const stopped = (standstill: Transfer['standstill']) => ({ standstill, samples: [] });
const moving = () => ({ standstill: undefined, samples: [], movingSinceMs: performance.now() });

/** Records what a sender reports. @param sentBefore bytes of the files before this one */
function noting(
  transfer: () => Transfer | undefined,
  change: (next: Partial<Transfer>) => void,
  sentBefore = 0,
): Omit<SendingCallbacks, 'onStarted'> {
  return {
    onBytes(sent) {
      const now = transfer();
      if (!now) return;
      const bytes = sentBefore + sent;
      change({
        samples: withSample(now.samples, { atMs: performance.now(), bytes }),
        share: now.totalBytes > 0 ? bytes / now.totalBytes : 1,
        standstill: undefined,
      });
    },
    onLost: () => change({ ...moving(), standstill: 'lost' }),
    onLimited: (chunkLimit) => change({ chunkLimit }),
    onSignedOut: () => change(stopped('signed-out')),
  };
}

type UploadOptions = Omit<UploadRequest, 'userId'> & { readonly receiver: Receiver; readonly senderId: string };

/**
 * Checks a file's content and reports findings while it does. Resolves with a refusal, or `undefined` for a valid file.
 * Stops when the signal is aborted.
 */
export type ContentCheck = (
  file: File,
  onProgress: (found: Omit<FileCheck, 'state'>) => void,
  signal: AbortSignal,
) => Promise<Refusal | undefined>;

/** The dependencies of an upload. */
export type UploadDeps = {
  readonly check: ContentCheck;
  readonly send: typeof sendFile;
  readonly discard: typeof discardSent;
};

/** Sends the file of the upload. */
let fileSender: Sending | undefined;
let cancelling = new AbortController();
let checking = new AbortController();
let lastNumber = 0;

/** Sends a file for an account while its content is checked here. The first error of either ends the upload. */
export async function startUpload(request: UploadOptions, { check, send, discard }: UploadDeps): Promise<void> {
  cancelling = new AbortController();
  checking = new AbortController();
  const { signal } = cancelling;
  const ownCheck = checking;
  const mine = begin(request);
  const onStarted = (uploadId: string) => changeUpload({ uploadId });
  const sender = send(
    { ...request, userId: request.receiver.id },
    { onStarted, ...noting(() => getState().upload, changeUpload) },
  );
  fileSender = sender;
  const cancelled = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(refusedWith({ code: 'upload/cancelled' })));
  });
  cancelled.catch(() => undefined);
  try {
    const id = await Promise.race([sender.done, refused(request.file, check), cancelled]);
    await Promise.race([follow(id, mine, signal), cancelled]);
    ownCheck.abort();
  } catch (error) {
    const left = sender.stop();
    changeUpload({ state: 'failed', refusal: toRefusal(error) });
    // If the content is invalid, the bytes already sent are useless.
    const isUseless = signal.aborted || getState().upload?.check.state === 'broken';
    // Update the state before waiting for the server: another upload may start meanwhile.
    ownCheck.abort();
    const id = await left;
    if (!id || !isUseless) return;
    await discard(id);
    const { upload } = getState();
    if (upload?.number === mine) setState({ upload: { ...upload, isDiscarded: true } });
  }
}

/** Pauses the upload until {@link resumeUpload}; nothing sent is lost. */
export function pauseUpload(): void {
  if (getState().upload?.state !== 'receiving') return;
  fileSender?.pause();
  changeUpload(stopped('paused'));
}

/** Resumes an upload that was paused or waited for a new sign-in. */
export function resumeUpload(): void {
  const { upload } = getState();
  if (upload?.state !== 'receiving' || !upload.standstill) return;
  changeUpload(moving());
  fileSender?.resume();
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
  const { upload } = getState();
  if (upload && !isUnderWay(upload)) setState({ upload: { ...upload, isSeen: true } });
}

/** Leaves a running upload for its sender to resume later, because another user signs in here. */
export function leaveUpload(): void {
  void fileSender?.stop();
  checking.abort();
  setState({ upload: undefined });
}

async function refused(file: File, check: ContentCheck): Promise<never> {
  const { signal } = checking;
  const refusal = await check(file, changeCheck, signal);
  if (!signal.aborted) changeCheck({ state: refusal ? 'broken' : 'good' });
  if (refusal && !signal.aborted) throw refusedWith(refusal);
  return new Promise(() => undefined); // a good file: only the transfer can end the race
}

/** @returns the upload's number */
function begin({ file, receiver, senderId, uploadId }: UploadOptions): number {
  lastNumber += 1;
  setState({
    upload: {
      ...atStart(file.size),
      number: lastNumber,
      fileName: file.name,
      receiver,
      senderId,
      ...(uploadId ? { uploadId } : {}),
      check: { state: 'running', bytes: 0, keywords: 0, nodes: 0 },
      state: 'receiving',
    },
  });
  return lastNumber;
}

/** Polls the status of a received file until processing ends. */
async function follow(id: string, number: number, signal: AbortSignal): Promise<void> {
  changeUpload({ state: 'received', share: 0, standstill: undefined });
  // The upload has ended meanwhile, or was left for another user.
  const isOver = () => signal.aborted || getState().upload?.number !== number;
  for (;;) {
    const status = await client.uploads.status({ id }, { signal }).catch((error: unknown) => {
      // Without a connection or a session, the polling just waits: the server continues on its own.
      const { code } = toRefusal(error);
      if (code === 'session/required') return 'signed-out';
      if (code.startsWith('fault/')) return 'lost';
      throw error;
    });
    if (isOver()) return;
    if (typeof status === 'string') changeUpload({ standstill: status });
    else {
      const { id: _id, ...found } = status;
      changeUpload({ ...found, standstill: undefined });
      if (found.state === 'active' || found.state === 'failed') return;
    }
    await new Promise((resolve) => setTimeout(resolve, limits.uploadPollMs));
    if (isOver()) return;
  }
}

/** Updates the running upload only. */
function changeUpload(next: Partial<FileTransfer>): void {
  const { upload } = getState();
  if (upload && isUnderWay(upload)) setState({ upload: { ...upload, ...next } });
}

function changeCheck(found: Partial<FileCheck>): void {
  const { upload } = getState();
  if (upload?.check.state === 'running') setState({ upload: { ...upload, check: { ...upload.check, ...found } } });
}

/** Sends the current list of the draft. */
let listSender: Sending | undefined;

type List = Draft['files'][number];
export const isMissing = ({ received, size }: List): boolean => received < size;

/**
 * Sends one list after the other, then follows the draft.
 *
 * @param files by the place of the list; absent if the server has it
 */
export async function sendLists(
  draft: Draft,
  files: readonly (File | undefined)[],
  send: typeof sendFile,
): Promise<void> {
  const totalBytes = draft.files.reduce((sum, { size }) => sum + size, 0);
  let before = draft.files.reduce((sum, list) => sum + (isMissing(list) ? 0 : list.size), 0);
  const lists = { ...atStart(totalBytes), share: totalBytes > 0 ? before / totalBytes : 0 };
  setState({ ...noImport, draft, lists });
  const change = (next: Partial<Transfer>) => {
    const { lists: last } = getState();
    if (last && isFollowed(draft.id)) setState({ lists: { ...last, ...next } });
  };
  try {
    for (const [place, list] of draft.files.entries()) {
      const file = files[place];
      if (!isMissing(list) || !file) continue;
      listSender = send(
        { file, userId: draft.ownerId, description: '', uploadId: list.id },
        { onStarted: () => undefined, ...noting(() => getState().lists, change, before) },
      );
      await listSender.done;
      before += list.size;
    }
    if (!isFollowed(draft.id)) return;
    setState({ lists: undefined });
    void followDraft(draft.id);
  } catch (error) {
    if (isFollowed(draft.id)) setState({ lists: undefined, listsRefusal: toRefusal(error) });
  }
}

export const isFollowed = (id: string): boolean => getState().draft?.id === id;

const endStates: ReadonlySet<Draft['state']> = new Set(['ready', 'stopped', 'failed', 'publishing', 'published']);

/** Polls a draft until it is ready, stopped or failed. A later draft ends it. */
export async function followDraft(id: string, initial?: Draft): Promise<void> {
  if (initial) setState({ ...noImport, draft: initial });
  for (;;) {
    // Without a connection or a session, the polling just waits: the server continues by itself.
    const draft = await client.drafts.get({ id }).catch((error: unknown) => {
      if (toRefusal(error).code === 'draft/not-found') return 'gone' as const;
      return undefined;
    });
    if (!isFollowed(id)) return;
    if (draft === 'gone') return putAway();
    if (draft) setState({ draft });
    if (draft && endStates.has(draft.state)) return;
    await new Promise((resolve) => setTimeout(resolve, limits.draftPollMs));
    if (!isFollowed(id)) return;
  }
}

/** Resumes lists that waited for a new sign-in. */
export function resumeLists(): void {
  const { lists } = getState();
  if (!lists?.standstill) return;
  setState({ lists: { ...lists, ...moving() } });
  listSender?.resume();
}

/** Stops sending the lists of the draft; what was sent stays on the server. */
export const stopLists = async (): Promise<void> => void (await listSender?.stop());

/** No longer shows the draft of this browser; it stays in the list. */
export const putAway = (): void => setState(noImport);

/** Forgets the import of this browser, because another user signs in here. What was sent stays on the server. */
export function leaveImport(): void {
  if (getState().lists) void stopLists();
  putAway();
}
