import { limits } from './limits.ts';
import { done, type Result, refuse } from './result.ts';
import { cutText } from './storable-text.ts';

/** What a browser knows about a chosen file. `size` in bytes. */
export type ChosenFile = { readonly name: string; readonly type: string; readonly size: number };

/** Whether a file may be sent, or the refusal to show. The server applies the same check when tus creates an upload. */
export function checkUploadFile(file: ChosenFile | undefined, userId: string | undefined): Result<ChosenFile> {
  if (!file) return refuse('upload/no-file');
  if (!userId) return refuse('upload/no-user');
  if (file.type !== 'application/json' && !/\.json$/i.test(file.name)) return refuse('upload/not-json');
  if (file.size > limits.maxUploadBytes) return refuse('upload/too-large', { maxMb: limits.maxUploadMb });
  return done(file);
}

/**
 * The state of an upload. `receiving` until the last byte is durable, `received` while it waits, `reading` while the
 * worker reads it, `saving` once the pack is published, then `active` or `failed`. A complete keyword list is `kept`.
 */
export type UploadState = 'receiving' | 'received' | 'reading' | 'saving' | 'active' | 'failed' | 'kept';

/**
 * The percentage shown for an upload. `share` is the completed part of the current step, 0 to 1.
 *
 * 10 once created, up to 60 during transfer, 60 while processing, 70 after the file is stored and readable, 85 before
 * the status update, 100 when done. `reading` moves from 60 to 70 by its own share.
 */
export function progressFor(state: UploadState, share = 0): number {
  switch (state) {
    case 'receiving':
      return Math.round(10 + 50 * Math.min(1, Math.max(0, share)));
    case 'received':
      return 60;
    case 'reading':
      return Math.round(60 + 10 * Math.min(1, Math.max(0, share)));
    case 'saving':
      return 85;
    case 'active':
    case 'kept':
      return 100;
    case 'failed':
      return 0;
  }
}

/** Title and subtitle of the progress card. */
export function progressTexts(percent: number): { readonly title: string; readonly text: string } {
  const title = percent < limits.uploadProcessingPercent ? 'Uploading...' : 'Processing...';
  if (percent < limits.uploadProcessingPercent) return { title, text: 'Transferring file to server' };
  if (percent < limits.uploadFinalizingPercent) return { title, text: 'Saving visualization data' };
  return { title, text: 'Finalizing upload' };
}

/** What a person can declare a member of an uploaded JSON file to be: one of our fields, a field of its own (`keep`), or ignored (`leaveOut`). */
export const fieldMeanings = [
  'volume',
  'difficulty',
  'cpc',
  'competition',
  'intent',
  'traffic',
  'trafficPotential',
  'trafficCost',
  'clicks',
  'impressions',
  'ctr',
  'ctrPercent',
  'serpFeatures',
  'keep',
  'leaveOut',
] as const;
export type FieldMeaning = (typeof fieldMeanings)[number];

/** The declared meaning of members, by name. A member that is not listed is recognised by its name. */
export type FieldMap = Readonly<Record<string, FieldMeaning>>;

/** The most members that can be declared. A file with more of them is malformed. */
export const maxMappedMembers = 64;

/** The sample's ID in links and calls. It belongs to no account. */
export const sampleId = 'sample';
export const sampleEmail = 'sample@example.com';

/**
 * The file location that a visualization's record shows. It is only informative: the key under which the file is really
 * stored is random and never leaves the server.
 *
 * @param time of the upload, in milliseconds since 1970
 */
export function storagePath(userId: string, time: number, fileName: string): string {
  return `users/${userId}/visualizations/${time}_${cleanFileName(fileName)}`;
}

/** A file description without control characters, except line ends and tabs. */
export const cleanDescription = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '').trim();

/**
 * A file name that is safe to show and to send in a header: no folders, quotes, control or direction characters, no
 * leading dots, and at most the last 200 UTF-16 code units, which include the extension. `upload.json` if nothing is
 * left.
 */
export function cleanFileName(fileName: string): string {
  const base = fileName.split(/[\\/]/).pop() ?? '';
  const plain = base.replace(/[\p{Cc}\p{Bidi_Control}"]/gu, '').trim();
  return cutText(plain, -200).replace(/^\.+/, '') || 'upload.json';
}
