import type { Corrections } from '@kc/cluster/read/reading';
import type { Draft, DraftSettings, ListCorrectionsShape } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { cleanFileName } from '@kc/rules/upload';
import { client } from '../../api/client.ts';
import { type ImportSending, noImport, useImports } from '../../api/imports.ts';
import { toRefusal } from '../../api/refusal.ts';
import { type Sending, sendFile } from '../../api/send-file.ts';

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

let sending: Sending | undefined;

/** Begins a draft and sends its lists. Resolves once the draft exists, with the refusal if it could not be begun. */
export async function startImport({ files, ...request }: ImportRequest): Promise<Refusal | undefined> {
  let draft: Draft;
  try {
    draft = await client.drafts.create({
      ...request,
      files: files.map(({ file, corrections, header }) => ({
        name: file.name,
        size: file.size,
        modified: file.lastModified,
        corrections: corrections as ListCorrectionsShape,
        ...(header && { header }),
      })),
    });
  } catch (error) {
    return toRefusal(error);
  }
  void sendLists(
    draft,
    files.map(({ file }) => file),
  );
  return undefined;
}

/**
 * Goes on with a draft whose lists have not arrived as a whole.
 *
 * @returns whether these are its files: by name and size, in any order
 */
export function resumeImport(draft: Draft, files: readonly File[]): boolean {
  const found = draft.files.map(({ name, size }) =>
    files.find((file) => cleanFileName(file.name) === name && file.size === size),
  );
  if (found.some((file, place) => !file && isMissing(draft.files[place]!))) return false;
  void sendLists(draft, found);
  return true;
}

type List = Draft['files'][number];
const isMissing = ({ received, size }: List): boolean => received < size;

/** Sends one list after the other, then follows the draft. @param files by the place of the list; absent if it is there */
async function sendLists(draft: Draft, files: readonly (File | undefined)[]): Promise<void> {
  const totalBytes = draft.files.reduce((sum, { size }) => sum + size, 0);
  let before = draft.files.reduce((sum, list) => sum + (isMissing(list) ? 0 : list.size), 0);
  const stop = () => void sending?.stop();
  const resume = () => sending?.resume();
  useImports.setState({ draft, refusal: undefined, sending: { sentBytes: before, totalBytes, stop, resume } });
  addEventListener('beforeunload', warn);
  try {
    for (const [place, list] of draft.files.entries()) {
      const file = files[place];
      if (!isMissing(list) || !file) continue;
      sending = sendFile(
        { file, userId: draft.ownerId, description: '', uploadId: list.id },
        {
          onBegun: () => undefined,
          onBytes: (sent) => change(draft.id, { sentBytes: before + sent, standstill: undefined }),
          onLost: () => change(draft.id, { standstill: 'lost' }),
          onLimited: (chunkLimit) => change(draft.id, { chunkLimit }),
          onSignedOut: () => change(draft.id, { standstill: 'signed-out' }),
        },
      );
      await sending.done;
      before += list.size;
    }
    if (!isCurrent(draft.id)) return;
    useImports.setState({ sending: undefined });
    void followDraft(draft.id);
  } catch (error) {
    if (isCurrent(draft.id)) useImports.setState({ sending: undefined, refusal: toRefusal(error) });
  } finally {
    removeEventListener('beforeunload', warn);
  }
}

const isCurrent = (id: string): boolean => useImports.getState().draft?.id === id;

function change(id: string, next: Partial<ImportSending>): void {
  const { sending: last } = useImports.getState();
  if (last && isCurrent(id)) useImports.setState({ sending: { ...last, ...next } });
}

const endStates: ReadonlySet<Draft['state']> = new Set(['ready', 'stopped', 'failed', 'publishing', 'published']);

/** Polls a draft until it is ready, stopped or failed. A later draft ends it. */
export async function followDraft(id: string, known?: Draft): Promise<void> {
  if (known) useImports.setState({ ...noImport, draft: known });
  for (;;) {
    // Without a connection or a session, the polling just waits: the server goes on by itself.
    const draft = await client.drafts.get({ id }).catch((error: unknown) => {
      if (toRefusal(error).code === 'draft/not-found') return 'gone' as const;
      return undefined;
    });
    if (!isCurrent(id)) return;
    if (draft === 'gone') return putAway();
    if (draft) useImports.setState({ draft });
    if (draft && endStates.has(draft.state)) return;
    await new Promise((resolve) => setTimeout(resolve, limits.draftPollMs));
    if (!isCurrent(id)) return;
  }
}

/** No longer shows the draft of this browser; it stays in the list. */
export const putAway = (): void => useImports.setState(noImport);

/** Cancels an import: while it is sent, all of it goes; later the clustering stops and the lists are kept. */
export async function cancelImport(draft: Draft): Promise<Refusal | undefined> {
  if (useImports.getState().sending) return discardDraft(draft);
  try {
    const stopped = await client.drafts.stop({ id: draft.id });
    if (isCurrent(draft.id)) useImports.setState({ draft: stopped });
    return undefined;
  } catch (error) {
    return toRefusal(error);
  }
}

/** Clusters the lists of a stopped or failed draft again, and follows it. */
export async function restartDraft({ id }: Draft): Promise<Refusal | undefined> {
  try {
    const draft = await client.drafts.start({ id });
    void followDraft(id, draft);
    return undefined;
  } catch (error) {
    return toRefusal(error);
  }
}

/** Discards a draft with its lists. */
export async function discardDraft({ id }: Draft): Promise<Refusal | undefined> {
  try {
    if (isCurrent(id)) await sending?.stop();
    await client.drafts.remove({ id });
    if (isCurrent(id)) putAway();
    return undefined;
  } catch (error) {
    return toRefusal(error);
  }
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
