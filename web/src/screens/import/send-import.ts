import type { Corrections } from '@kc/cluster/read/reading';
import type { Draft, DraftSettings, ListCorrectionsShape } from '@kc/rules/draft-shapes';
import { type Refusal, toRefusal } from '@kc/rules/result';
import { cleanFileName } from '@kc/rules/upload';
import { client } from '../../api/client.ts';
import { sendFile } from '../../api/send-file.ts';
import {
  followDraft,
  isFollowed,
  isMissing,
  putAway,
  sendLists,
  stopLists,
  useTransfers,
} from '../../api/transfers.ts';

export type ImportRequest = {
  /** Whose map it becomes. */
  readonly userId: string;
  readonly name: string;
  readonly description: string;
  readonly files: readonly {
    readonly file: File;
    readonly corrections: Corrections;
    /** Present if the corrections are to be remembered for it. */
    readonly header?: string | undefined;
  }[];
  readonly settings: DraftSettings;
  /** The visualization that this is next month's export of. */
  readonly updateOf?: string;
};

/** @returns the refusal if the server refuses one of the calls */
async function refusalOf(calls: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await calls();
    return undefined;
  } catch (error) {
    return toRefusal(error);
  }
}

/** Starts a draft and sends its lists. Resolves once the draft exists, with the refusal if it could not be started. */
export const startImport = ({ files, ...request }: ImportRequest): Promise<Refusal | undefined> =>
  refusalOf(async () => {
    const draft = await client.drafts.create({
      ...request,
      files: files.map(({ file, corrections, header }) => ({
        name: file.name,
        size: file.size,
        modified: file.lastModified,
        corrections: corrections as ListCorrectionsShape,
        ...(header && { header }),
      })),
    });
    const lists = files.map(({ file }) => file);
    void sendLists(draft, lists, sendFile);
  });

/**
 * Continues a draft whose lists have not arrived completely.
 *
 * @returns whether these are its files: by name and size, in any order
 */
export function resumeImport(draft: Draft, files: readonly File[]): boolean {
  const found = draft.files.map(({ name, size }) =>
    files.find((file) => cleanFileName(file.name) === name && file.size === size),
  );
  if (found.some((file, place) => !file && isMissing(draft.files[place]!))) return false;
  void sendLists(draft, found, sendFile);
  return true;
}

/** Cancels an import: while it is sent, all of it is deleted; later the clustering stops and the lists are kept. */
export async function cancelImport(draft: Draft): Promise<Refusal | undefined> {
  if (useTransfers.getState().lists) return discardDraft(draft);
  return refusalOf(async () => {
    const stopped = await client.drafts.stop({ id: draft.id });
    if (isFollowed(draft.id)) useTransfers.setState({ draft: stopped });
  });
}

/** Clusters the lists of a stopped or failed draft again, and follows it. */
export const restartDraft = ({ id }: Draft): Promise<Refusal | undefined> =>
  refusalOf(async () => void followDraft(id, await client.drafts.start({ id })));

/** Discards a draft with its lists. */
export const discardDraft = ({ id }: Draft): Promise<Refusal | undefined> =>
  refusalOf(async () => {
    if (isFollowed(id)) await stopLists();
    await client.drafts.remove({ id });
    if (isFollowed(id)) putAway();
  });
