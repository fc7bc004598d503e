import { Readable } from 'node:stream';
import { asError } from '../../http/refusals.ts';
import type { PackQueries } from '../query/pack-queries.ts';

export type Part = { readonly bytes: Uint8Array; readonly branch: string | undefined };

/** Counts a user's running exports on this server. */
export type ExportPlaces = ReturnType<typeof createPlaces>;

/** No reader is this slow. A connection that accepts nothing for this long would keep a pack open in vain. */
export const stalledMs = 120_000;

/**
 * Requests one part after another, each when the previous one has been sent. Ends the export when the reader leaves,
 * which `gone` says.
 */
export async function* partsOf(
  packQueries: PackQueries,
  begin: () => Promise<{ readonly number: number; readonly branch: string | undefined }>,
  { gone, leave, failed }: { readonly gone: AbortSignal; leave(): void; failed(): Promise<void> },
): AsyncGenerator<Part> {
  try {
    const { number, branch } = await begin();
    // Also while a part is being computed, which can take long.
    const abandon = (): void => {
      // What goes wrong here also ends the part.
      packQueries.endExport({ number }).catch(() => undefined);
    };
    gone.addEventListener('abort', abandon, { once: true });
    try {
      for (let bytes = await packQueries.nextPart({ number }); bytes; bytes = await packQueries.nextPart({ number })) {
        yield { bytes, branch };
      }
    } finally {
      gone.removeEventListener('abort', abandon);
      await packQueries.endExport({ number });
    }
  } catch (error) {
    if (gone.aborted) throw asError({ code: 'fault/unavailable' });
    await failed();
    throw error;
  } finally {
    leave();
  }
}

/** Streams one part after another. Ends the export when the stream ends or is destroyed. */
export function streamOf(first: IteratorResult<Part>, rest: AsyncGenerator<Part>): Readable {
  let held: IteratorResult<Part> | undefined = first;
  return new Readable({
    read() {
      const coming = held ? Promise.resolve(held) : rest.next();
      held = undefined;
      coming.then(
        ({ value, done }) => this.push(done ? null : value.bytes),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      rest.return(undefined).then(
        () => callback(error),
        (failure: Error) => callback(failure),
      );
    },
  });
}

/** At most so many at once for one person. */
export function createPlaces(most: number) {
  const taken = new Map<string, number>();
  return {
    /** @returns a function that frees the slot @throws the refusal if all slots are taken */
    take(personId: string): () => void {
      const now = taken.get(personId) ?? 0;
      if (now >= most) throw asError({ code: 'visualization/export-busy' });
      taken.set(personId, now + 1);
      return () => {
        const left = taken.get(personId)! - 1;
        if (left === 0) taken.delete(personId);
        else taken.set(personId, left);
      };
    },
  };
}
