import type { Draft } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import { create } from 'zustand';

/** The lists of a draft on their way from this browser. */
export type ImportSending = {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Why nothing moves. */
  readonly standstill?: 'lost' | 'signed-out' | undefined;
  /** The largest request that a proxy lets through, in bytes; absent as long as it refuses none. */
  readonly chunkLimit?: number;
  readonly stop: () => void;
  readonly resume: () => void;
};

type Imports = {
  /** The draft that this browser began or follows, until it is opened or put away. */
  readonly draft: Draft | undefined;
  readonly sending: ImportSending | undefined;
  /** Why its lists could not be sent. */
  readonly refusal: Refusal | undefined;
};

export const noImport: Imports = { draft: undefined, sending: undefined, refusal: undefined };

/** Imports live outside the pages, so navigation does not end them. What changes them is loaded with their screen. */
export const useImports = create<Imports>(() => noImport);

/** Forgets the import of this browser, because another user signs in here. What was sent stays on the server. */
export function leaveImport(): void {
  useImports.getState().sending?.stop();
  useImports.setState(noImport);
}

/** Goes on sending after a new sign-in. */
export function resumeImportSending(): void {
  const { sending } = useImports.getState();
  if (!sending?.standstill) return;
  useImports.setState({ sending: { ...sending, standstill: undefined } });
  sending.resume();
}
