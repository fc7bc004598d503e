import { type Followed, followUpload } from './follow-upload.ts';
import type { IngestDeps } from './ingest.ts';

export type ReadDuringUpload = {
  /** Ends what is read; each upload is read anew, from its beginning, by whoever goes on. */
  stop(): Promise<void>;
};

/** As many transfers at once are read behind on one server; the others are read after their last byte. */
const maxFollowed = 4;

/**
 * Reads uploads while they arrive, so that a broken file is refused at its first error and a good one is nearly read
 * when its last byte comes.
 *
 * Every server hears of every upload that moved, whichever received the bytes; the one that gets the upload's lock reads
 * them from storage, up to the offset that is committed. What was read lives in the process that reads: when that ends
 * on the way, the next server to hear of the upload reads its beginning again, or the job that was queued with the last
 * byte does.
 */
export function readDuringUpload(deps: IngestDeps): ReadDuringUpload {
  const followed = new Map<string, Followed>();
  /** Tried in vain: these are read after their last byte. */
  const left = new Set<string>();
  let isStopping = false;

  const moved = (id: string): void => {
    const one = followed.get(id);
    one?.look();
    if (one || isStopping || left.has(id) || followed.size >= maxFollowed) return;
    const next = followUpload(deps, id);
    followed.set(id, next);
    void next.ended.then((isLeft) => {
      followed.delete(id);
      if (isLeft) left.add(id);
    });
  };
  const stopAll = (why: string): void => {
    for (const one of followed.values()) one.stop(why);
  };
  const lost = (): void => stopAll('The connection that holds the locks broke');
  deps.session.hear({ moved, wanted: (id) => followed.get(id)?.look(), lost });
  return {
    async stop() {
      isStopping = true;
      stopAll('The server stops');
      await Promise.all([...followed.values()].map((one) => one.ended));
    },
  };
}
