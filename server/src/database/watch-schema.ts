import type { Log } from '../log.ts';
import { schemaFault } from './migrate.ts';
import type { Db } from './open.ts';

/** Whether this server can still work with the schema, which servers of newer versions may migrate while it runs. */
export type SchemaWatch = {
  /** Why it cannot, as far as was seen. Nothing undoes that but another version of the server. */
  readonly fault: string | undefined;
  /** Aborted when it cannot any more: work in the background ends, and other servers do it. */
  readonly rest: AbortSignal;
  /** Looks now. @throws if the database does not answer */
  look(): Promise<string | undefined>;
  stop(): void;
};

const lookMs = 5_000;

export function watchSchema(db: Db, log: Log): SchemaWatch {
  const resting = new AbortController();
  let fault: string | undefined;
  const look = async (): Promise<string | undefined> => {
    fault ??= await schemaFault(db);
    if (fault && !resting.signal.aborted) {
      log.error({ event: 'schema' }, `${fault}: this server answers no more requests. Replace it`);
      resting.abort(new Error(fault));
    }
    return fault;
  };
  // While the database does not answer, others say so.
  const timer = setInterval(() => void look().catch(() => undefined), lookMs).unref();
  return {
    get fault() {
      return fault;
    },
    rest: resting.signal,
    look,
    stop: () => clearInterval(timer),
  };
}
