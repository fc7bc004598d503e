import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countedFor, personOf, type RequestContext, visitorOf } from '../../accounts/require.ts';
import { audit } from '../../database/audit.ts';
import type { Listener, Notification } from '../../database/notifications.ts';
import { signalOf } from '../../http/connections.ts';
import { attachmentHeader } from '../../http/headers.ts';
import { consume, type Limit } from '../../http/rate-limits.ts';
import { asError } from '../../http/refusals.ts';
import type { ServerParts } from '../../server-parts.ts';
import { mayTake } from '../access.ts';
import type { OwnedRecord } from '../queries.ts';
import type { PackQueries } from '../query/pack-queries.ts';

type DownloadDeps = Pick<ServerParts, 'db' | 'log' | 'now'> & { readonly listener: Pick<Listener, 'on'> };

/**
 * The details of an export in the audit log. They omit the words of the filter, which reveal what someone is looking for.
 */
export type ExportDetails = {
  readonly form: 'csv' | 'json' | 'original' | 'xlsx' | 'md' | 'html';
  /** Which part, for example "a branch"; absent for everything. */
  readonly part?: string | undefined;
  readonly filtered?: true | undefined;
};

type Download = {
  /** Records in the audit log that a fault interrupted the download. */
  failed(): Promise<void>;
};

/** Tracks the downloads of visualizations. */
export type Downloads = {
  /**
   * Begins a download: writes it to the audit log and from then on aborts the response as soon as its reader may no
   * longer see the visualization, for whatever reason. Every browser treats an aborted response as incomplete.
   *
   * @throws the refusal if there were too many
   */
  begin(context: RequestContext, reply: FastifyReply, record: OwnedRecord, exported: ExportDetails): Promise<Download>;
  stop(): void;
};

/** Each download is a line of a log that is never shortened. */
const limit: Limit = { name: 'export', uses: 600, windowMs: 3_600_000 };
/** Sessions expire silently, and notifications can get lost, so access is checked again at this interval. */
const recheckMs = 25_000;

export function createDownloads({ db, listener, log, now }: DownloadDeps): Downloads {
  const listeners = new Set<(notification: Notification) => void>();
  const unsubscribe = listener.on((notification) => {
    for (const onNotification of listeners) onNotification(notification);
  });

  function watch(context: RequestContext, reply: FastifyReply, record: OwnedRecord, onLost: () => Promise<void>): void {
    // The client may have disconnected while the log entry was written; then no `close` event will follow.
    if (reply.raw.destroyed) return;
    const visitor = visitorOf(context);
    const concerns = new Set(visitor ? visitor.dependsOn : [personOf(context).account.id, record.user_id]);
    let isLost = false;
    const checkAccess = async (): Promise<void> => {
      const hasAccess = await mayTake(db, context, record.id);
      // Two checks may run at once, and the reader may have received everything already: report the end at most once.
      if (hasAccess || isLost || reply.raw.writableFinished || reply.raw.destroyed) return;
      isLost = true;
      reply.raw.destroy();
      await onLost();
    };
    // A database that is briefly unavailable does not end a download.
    const checkAgain = (): void =>
      void checkAccess().catch((error: unknown) => log.warn({ err: error }, 'A download could not check access'));
    const onNotification = (notification: Notification): void => {
      if (!('accountId' in notification) || concerns.has(notification.accountId)) checkAgain();
    };
    const timer = setInterval(checkAgain, recheckMs);
    listeners.add(onNotification);
    reply.raw.once('close', () => {
      clearInterval(timer);
      listeners.delete(onNotification);
    });
    // Access may have been lost between the request and this point.
    checkAgain();
  }

  return {
    async begin(context, reply, record, exported) {
      const visitor = visitorOf(context);
      const actor = visitor ? (visitor.accountId ?? 'anyone') : personOf(context).account.id;
      const wait = await consume(db, limit, countedFor(context), now());
      if (wait > 0) throw asError({ code: 'sign-in/too-many', params: { seconds: wait } });
      const details = {
        file: record.file_name,
        visualization: record.id,
        ...(visitor && { link: visitor.linkId }),
        ...exported,
      };
      const line = { actor, action: 'export', target: record.user_id } as const;
      await audit(db, { ...line, details }, now());
      watch(context, reply, record, () => audit(db, { ...line, result: 'refused', details }, now()));
      return { failed: () => audit(db, { ...line, result: 'failed', details }, now()) };
    },
    stop: unsubscribe,
  };
}

/** What sends the exports of packs. */
export type ExportSenders = {
  readonly packQueries: PackQueries;
  readonly downloads: Downloads;
  readonly places: ExportPlaces;
};

/** An export that may be sent. */
type Export = {
  readonly details: ExportDetails;
  /** Its media type. */
  readonly type: string;
  begin(signal: AbortSignal): Promise<{ readonly number: number; readonly branch: string | undefined }>;
  /** @param branch the name of the branch that is exported */
  name(branch: string | undefined): string;
};

/** Sends an export of a visualization as a download, part by part. It takes one of the reader's slots until it ends. */
export async function sendExport(
  { packQueries, downloads, places }: ExportSenders,
  { requestContext: context }: FastifyRequest,
  reply: FastifyReply,
  record: OwnedRecord,
  { details, type, begin, name }: Export,
): Promise<FastifyReply> {
  const freeSlot = places.take(countedFor(context));
  let download: Download;
  try {
    download = await downloads.begin(context, reply, record, details);
  } catch (error) {
    freeSlot();
    throw error;
  }
  const signal = signalOf(reply);
  const parts = partsOf(packQueries, () => begin(signal), { signal, freeSlot, failed: download.failed });
  // Compute the first part before sending headers: an immediate fault is then an error response, not a truncated file.
  const first = await parts.next();
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
  return reply
    .header('Content-Disposition', attachmentHeader(name(first.value?.branch)))
    .type(type)
    .send(streamOf(first, parts));
}

type Part = { readonly bytes: Uint8Array; readonly branch: string | undefined };

/** Counts a user's running exports on this server. */
type ExportPlaces = ReturnType<typeof createPlaces>;

/** No reader is this slow. A connection that accepts nothing for this long would keep a pack open in vain. */
const stalledMs = 120_000;

/**
 * Requests one part after another, each when the previous one has been sent. Ends the export when `signal` fires because
 * the client has disconnected.
 */
async function* partsOf(
  packQueries: PackQueries,
  begin: () => Promise<{ readonly number: number; readonly branch: string | undefined }>,
  { signal, freeSlot, failed }: { readonly signal: AbortSignal; freeSlot(): void; failed(): Promise<void> },
): AsyncGenerator<Part> {
  try {
    const { number, branch } = await begin();
    // Also while a part is being computed, which can take long.
    const abandon = (): void => {
      // What goes wrong here also ends the part.
      packQueries.endExport({ number }).catch(() => undefined);
    };
    signal.addEventListener('abort', abandon, { once: true });
    try {
      for (let bytes = await packQueries.nextPart({ number }); bytes; bytes = await packQueries.nextPart({ number })) {
        yield { bytes, branch };
      }
    } finally {
      signal.removeEventListener('abort', abandon);
      await packQueries.endExport({ number });
    }
  } catch (error) {
    if (signal.aborted) throw asError({ code: 'fault/unavailable' });
    await failed();
    throw error;
  } finally {
    freeSlot();
  }
}

/** Streams one part after another. Ends the export when the stream ends or is destroyed. */
function streamOf(first: IteratorResult<Part>, rest: AsyncGenerator<Part>): Readable {
  let pending: IteratorResult<Part> | undefined = first;
  return new Readable({
    read() {
      const next = pending ? Promise.resolve(pending) : rest.next();
      pending = undefined;
      next.then(
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
  const slotsInUse = new Map<string, number>();
  return {
    /** @returns a function that frees the slot @throws the refusal if all slots are taken */
    take(personId: string): () => void {
      const inUse = slotsInUse.get(personId) ?? 0;
      if (inUse >= most) throw asError({ code: 'visualization/export-busy' });
      slotsInUse.set(personId, inUse + 1);
      return () => {
        const remaining = slotsInUse.get(personId)! - 1;
        if (remaining === 0) slotsInUse.delete(personId);
        else slotsInUse.set(personId, remaining);
      };
    },
  };
}
