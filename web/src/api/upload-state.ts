import type { MemberSummaries } from '@kc/pack/upload/member-summary';
import type { UploadOutline } from '@kc/pack/upload/upload-outline';
import type { Refusal } from '@kc/rules/result';
import { progressFor, type UploadState } from '@kc/rules/upload';
import { create } from 'zustand';
import type { Sample } from './transfer-rate.ts';

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

/** Why the transfer has stopped: paused by the user, connection lost, or session ended. */
export type Standstill = 'paused' | 'lost' | 'signed-out';

/** An upload from this browser, from the first byte to the end. */
export type Transfer = {
  readonly number: number;
  readonly fileName: string;
  readonly totalBytes: number;
  readonly receiver: Receiver;
  /** Account ID of the administrator who sends it. */
  readonly senderId: string;
  /** Its ID on the server, once assigned. */
  readonly uploadId?: string;
  readonly check: FileCheck;
  /** When bytes last started to flow, in ms of `performance.now()`. */
  readonly movingSinceMs: number;
  readonly samples: readonly Sample[];
  readonly standstill?: Standstill;
  /** The largest request that a proxy lets through, in bytes; absent as long as it refuses none. */
  readonly chunkLimit?: number;
  readonly state: UploadState;
  /** Share of the current step, 0 to 1. */
  readonly share: number;
  readonly refusal?: Refusal;
  readonly warning?: Refusal;
  readonly visualizationId?: string;
  /** Entries that repeat a keyword and were merged. */
  readonly merged?: number;
  /** The user has seen the outcome. */
  readonly isTold?: true;
  /** The partial upload on the server was deleted. */
  readonly isTakenBack?: true;
};

type Uploads = {
  /** The account last chosen to upload for. */
  readonly receiverId: string;
  readonly transfer: Transfer | undefined;
};

/** Uploads live outside the pages, so navigation does not end them. */
export const useUploads = create<Uploads>(() => ({ receiverId: '', transfer: undefined }));

export const chooseReceiver = (receiverId: string): void => useUploads.setState({ receiverId });

export const isUnderWay = (transfer: Transfer): boolean => transfer.state !== 'active' && transfer.state !== 'failed';

export const percentOf = (transfer: Transfer): number => progressFor(transfer.state, transfer.share);
