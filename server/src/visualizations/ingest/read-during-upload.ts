import { type Followed, followUpload } from './follow-upload.ts';
import type { IngestDeps } from './ingest.ts';

type ReadDuringUpload = {
  /** Ends all readings. Each upload is read again from its start by the server that takes over. */
  stop(): Promise<void>;
};

/** How many uploads one server reads while they arrive. Others are read after their last byte. */
const maxFollowed = 4;

/**
 * Reads uploads while they arrive, so that a broken file is refused at its first error and a good one is almost read
 * when its last byte arrives.
 *
 * Every server is notified of every upload's progress, whichever server receives the bytes. The one that gets the
 * upload's lock reads them from storage, up to the committed offset. The state lives in the reading process: if that
 * ends early, the next server that is notified reads the upload from its start, or the job that was queued with the
 * last byte does.
 */
export function readDuringUpload(deps: IngestDeps): ReadDuringUpload {
  const followed = new Map<string, Followed>();
  /** Attempted in vain: these are read after their last byte. */
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
