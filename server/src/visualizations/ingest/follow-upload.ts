import { newKey } from '../../storage/storage.ts';
import { isSameMap } from '../queries.ts';
import { beginAttempt, findUpload, forgetAttempt, type Upload } from '../upload/upload-queries.ts';
import { FieldsCorrected, Withdrawn } from './activate.ts';
import { attemptLog, failUpload, finishUpload, readingProgress, Superseded, whyEnded } from './finish-upload.ts';
import { type IngestDeps, readingLock } from './ingest.ts';
import type { IngestOutcome } from './ingest-messages.ts';
import { type Reading, startReading } from './run-ingest.ts';

/** An upload that is read while it arrives. */
type Followed = {
  /** Call this when the upload has changed. */
  look(): void;
  /** @param why for the log */
  stop(why: string): void;
  /** Never rejects. Resolves to whether it should wait for the last byte. */
  readonly ended: Promise<boolean>;
};

/** A smaller file takes less time to read than to start reading. */
const worthwhileBytes = 8 * 2 ** 20;
/** Without progress for this long, another upload gets the slot. */
const defaultIdleMs = 60_000;

/** Why reading ended without a verdict although nothing is wrong with the file. */
class Stopped extends Error {
  readonly isAbandoned: boolean;
  constructor(why: string, isAbandoned = false) {
    super(why);
    this.isAbandoned = isAbandoned;
  }
}

/** It is read again from its start, with the new field map. */
const corrected = 'Its fields were corrected';

/** It must not be read any more. */
class Dropped extends Stopped {}

/**
 * Reads an upload up to its durable offset and finishes it: a broken file at its first error, a good one after its last
 * byte. Does nothing if another server reads it.
 */
function followUpload(deps: IngestDeps, id: string): Followed {
  const { storage, activation, session, memoryBytes, log } = deps;
  const { db } = activation;
  const end = new AbortController();
  let isIdle = false;
  const idle = idleTimer(deps.idleMs ?? defaultIdleMs, () => {
    isIdle = true;
    catchingUp.request();
  });
  const report = attemptLog(log, id, 'while it arrives');
  const progress = readingProgress(deps, (why) => end.abort(why));
  let reading: Reading | undefined;
  let fieldMap: Upload['field_map'] = null;
  /** Set once the last byte has arrived. */
  let attempt: Upload | undefined;
  let allowed = 0;

  async function catchUp(): Promise<void> {
    if (attempt || !reading) return;
    const upload = await findUpload(db, id);
    const isThere = upload?.state === 'receiving' || upload?.state === 'received';
    if (!isThere) return end.abort(new Dropped('It was cancelled, or settled elsewhere'));
    if (!isSameMap(upload.field_map, fieldMap)) return end.abort(new Stopped(corrected));
    if (upload.state === 'received') {
      // All bytes are there. From here on only the reader takes time.
      idle.end();
      attempt = await beginAttempt(db, id, new Date(deps.now()));
      if (!attempt) return end.abort(await whyEnded(db, upload));
    } else if (upload.received > allowed) {
      moved();
    } else if (isIdle) {
      return end.abort(new Stopped('No byte arrived, and none was read, for too long'));
    }
    allowed = upload.received;
    reading.allow(allowed);
  }
  const moved = (): void => {
    isIdle = false;
    idle.refresh();
  };
  const catchingUp = oneAtATime(() => catchUp().catch((fault: unknown) => end.abort(fault)));

  async function read(): Promise<void> {
    const upload = await findUpload(db, id);
    if (!isWorthwhile(upload)) return;
    const tempKey = newKey('temp');
    const share = deps.shares.whileArriving(() => end.abort(new Stopped('There is no memory for it', true)));
    const { file_key: fileKey, size: fileBytes } = upload;
    fieldMap = upload.field_map;
    const request = { place: storage.place, fileKey, tempKey, fileBytes, memoryBytes, fieldMap };
    try {
      report.began();
      reading = (deps.startReading ?? startReading)(request, end.signal, ({ neededBytes, share: read }) => {
        share.need(neededBytes);
        moved();
        if (attempt) progress.report(attempt, read);
      });
      catchingUp.request();
      const outcome = await reading.outcome;
      await conclude(upload, tempKey, outcome);
    } catch (error) {
      // An attempt may just be starting; it must be forgotten as well.
      await catchingUp.settled();
      if (error instanceof Withdrawn) {
        report.ended('refused', error.refusal.code);
        return await failUpload(deps, attempt ?? upload, error.refusal);
      }
      const how = error instanceof Dropped || error instanceof Superseded ? 'dropped' : 'interrupted';
      report.ended(how, error instanceof Error ? error.message : String(error));
      if (attempt && error instanceof Stopped) await forgetAttempt(db, attempt);
      throw error;
    } finally {
      share.release();
      await progress.settled();
      await storage.remove(tempKey);
    }
  }

  async function conclude(upload: Upload, tempKey: string, outcome: IngestOutcome): Promise<void> {
    idle.end();
    await catchingUp.settled();
    await progress.settled();
    if (outcome.ok) {
      await finishUpload(deps, attempt ?? upload, tempKey, outcome).catch((error: unknown) => {
        throw error instanceof FieldsCorrected ? new Stopped(corrected) : error;
      });
      return report.ended('active');
    }
    report.ended('refused', outcome.refusal.code);
    if (!(await findUpload(db, id))) return;
    await failUpload(deps, attempt ?? upload, outcome.refusal);
    // A client that is still sending gets the refusal now, not with its next byte.
    await session.want(id);
  }

  async function run(): Promise<boolean> {
    if (!isWorthwhile(await findUpload(db, id))) return false;
    const unlock = await session.tryLock(readingLock(id));
    if (!unlock) return false;
    try {
      await read();
      return false;
    } finally {
      await unlock();
    }
  }
  const ended = run()
    .catch((error: unknown) => {
      if (error instanceof Stopped) return error.isAbandoned;
      if (error instanceof Superseded) return false;
      log.warn({ err: error, upload: id }, 'An upload could not be read while it was arriving');
      return true;
    })
    .finally(idle.end);
  return { look: catchingUp.request, stop: (why) => end.abort(new Stopped(why)), ended };
}

const isWorthwhile = (upload: Upload | undefined): upload is Upload =>
  upload?.kind === 'json' && upload.state === 'receiving' && upload.received > 0 && upload.size >= worthwhileBytes;

/** Runs `work` once more after the last call, never twice at a time. */
function oneAtATime(work: () => Promise<void>): { request(): void; settled(): Promise<void> } {
  let running: Promise<void> | undefined;
  let isRequested = false;
  const run = async (): Promise<void> => {
    while (isRequested) {
      isRequested = false;
      await work();
    }
    running = undefined;
  };
  return {
    request() {
      isRequested = true;
      running ??= run();
    },
    settled: async () => running,
  };
}

type IdleTimer = {
  /** Call this on every activity. */
  refresh(): void;
  /** Stops waiting. */
  end(): void;
};

/** Calls `onIdle` after this many milliseconds without activity; again after each refresh, never after `end`. */
function idleTimer(milliseconds: number, onIdle: () => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined = setTimeout(onIdle, milliseconds).unref();
  return {
    refresh: () => void timer?.refresh(),
    end() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

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
  /** Attempts that failed: these uploads are read after their last byte. */
  const abandoned = new Set<string>();
  let isStopping = false;

  /** An upload need not be remembered as abandoned once its last byte has arrived, or it was deleted. */
  const forgetEnded = async (id: string): Promise<void> => {
    if (!isWorthwhile(await findUpload(deps.activation.db, id))) abandoned.delete(id);
  };
  const onProgress = (id: string): void => {
    // If the database is away, the next notification looks again.
    if (abandoned.has(id)) return void forgetEnded(id).catch(() => undefined);
    const one = followed.get(id);
    one?.look();
    if (one || isStopping || followed.size >= maxFollowed) return;
    const next = followUpload(deps, id);
    followed.set(id, next);
    void next.ended.then((isAbandoned) => {
      followed.delete(id);
      if (isAbandoned) abandoned.add(id);
    });
  };
  const stopAll = (why: string): void => {
    for (const one of followed.values()) one.stop(why);
  };
  const onConnectionLost = (): void => stopAll('The connection that holds the locks broke');
  deps.session.listen({ moved: onProgress, wanted: (id) => followed.get(id)?.look(), lost: onConnectionLost });
  return {
    async stop() {
      isStopping = true;
      stopAll('The server stops');
      await Promise.all([...followed.values()].map((one) => one.ended));
    },
  };
}
