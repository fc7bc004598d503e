import { say } from '@kc/rules/all-messages';
import type { ListedAccount, OpenUpload } from '@kc/rules/shapes';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { discardSent, sendFile } from '../../../api/send-file.ts';
import { isUnderWay, useUploads } from '../../../api/upload-state.ts';
import { type ContentCheck, dismissUpload, startUpload, type UploadWays } from '../../../api/uploads.ts';
import { useMe } from '../../../session/session.ts';
import { createWorker } from '../../../trusted-worker.ts';
import type { BannerTone } from '../../../ui/banner.tsx';
import type { CheckMessage } from './check-file.worker.ts';
import workerUrl from './check-file.worker.ts?worker&url';
import { unfinishedOf, whyNotTaken } from './chosen-file.ts';
import { openUploadsOf } from './uploads-queries.ts';

type Notice = {
  readonly id: number;
  readonly tone: BannerTone;
  readonly text: string;
  /** A second line. */
  readonly detail?: string | undefined;
};
type Receiver = Pick<ListedAccount, 'id' | 'email'>;
type Question = { readonly file: File; readonly receiver: Receiver; readonly unfinished: OpenUpload };

/**
 * Validates files however they were chosen, offers to resume an earlier upload of the same file, and starts the upload.
 *
 * @param onBegun called when the upload starts with the description
 */
export function useTakeFile(chosen: Receiver | undefined, description: string, onBegun: () => void) {
  const queries = useQueryClient();
  const senderId = useMe()?.account?.id ?? '';
  const [notice, setNotice] = useState<Notice>();
  const [asked, setAsked] = useState<Question>();
  const dismiss = () => setNotice(undefined);
  const tell = (tone: BannerTone, text: string, detail?: string) =>
    setNotice((last) => ({ id: (last?.id ?? 0) + 1, tone, text, detail }));

  const begin = ({ file, receiver }: Omit<Question, 'unfinished'>, uploadId?: string) => {
    setAsked(undefined);
    if (isRunning()) return;
    const { id, email } = receiver;
    void startUpload({ file, receiver: { id, email }, senderId, description, uploadId }, ways);
    onBegun();
  };

  const take = async (files: readonly File[]): Promise<void> => {
    const why = whyNotTaken(files, chosen?.id, isRunning());
    if (!isRunning()) dismissUpload();
    if (why) return tell('error', why, why === say('upload/not-json') ? say('list/also') : undefined);
    const [file] = files;
    if (!file || !chosen) return;
    if (files.length > 1) tell('info', say('upload/first-only'));
    else dismiss();
    const wish = { file, receiver: chosen };
    // If the request fails, the upload starts over. That costs nothing but time.
    const uploads = await queries.fetchQuery(openUploadsOf(chosen.id)).catch(() => []);
    const unfinished = unfinishedOf(file, uploads);
    if (unfinished) setAsked({ ...wish, unfinished });
    else begin(wish);
  };

  const question = asked && {
    unfinished: asked.unfinished,
    onResume: () => begin(asked, asked.unfinished.id),
    onStartOver: () => {
      void discardSent(asked.unfinished.id);
      begin(asked);
    },
    onLeave: () => setAsked(undefined),
  };
  return { take: (files: readonly File[]) => void take(files), notice, dismiss, tell, question };
}

const isRunning = (): boolean => {
  const { transfer } = useUploads.getState();
  return transfer !== undefined && isUnderWay(transfer);
};

/** Checks a file in a worker while it is sent, so that a broken file is refused before all of it is sent. */
const checkFile: ContentCheck = (file, onProgress, signal) =>
  new Promise((resolve) => {
    const worker = createWorker(workerUrl, 'check-file');
    const end: typeof resolve = (refusal) => {
      worker.terminate();
      resolve(refusal);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
      onProgress(data.found);
      if ('ended' in data) end(data.refusal);
    });
    // If the worker cannot start, nothing is refused: the server reads every file anyway.
    worker.addEventListener('error', () => end(undefined));
    signal.addEventListener('abort', () => end(undefined));
    worker.postMessage(file);
  });

const ways: UploadWays = { check: checkFile, send: sendFile, discard: discardSent };
