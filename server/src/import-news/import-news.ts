import { createHash } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { type ChangeLevel, changeLevels, defaultThresholds } from '@kc/pack/vocabulary/changes';
import { type BuiltInAdmins, effective } from '@kc/rules/account';
import { sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import { cleanLine } from '@kc/rules/plan';
import type { Refusal } from '@kc/rules/result';
import type { ImportChanges, News, WebhookEvent } from '@kc/rules/webhook';
import { sql } from 'kysely';
import { wantsMail } from '../accounts/mail-settings.ts';
import { toAccount } from '../accounts/responses.ts';
import type { Config } from '../config.ts';
import { inTransaction, type Queryable, type Tx } from '../database/open.ts';
import { isOutage } from '../http/refusals.ts';
import type { Jobs, Queue } from '../jobs/jobs.ts';
import { failedImportLetter, importLetter, waitingLetter } from '../mail/mail-texts.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { entriesToLookAt } from '../plans/entries-to-look-at.ts';
import { findPlan } from '../plans/plan-queries.ts';
import type { ServerParts } from '../server-parts.ts';
import { dataSetOf, uploadsOfDataSet } from '../visualizations/data-sets.ts';
import { findVisualization, type OwnedRecord } from '../visualizations/queries.ts';

type ImportNewsDeps = Pick<ServerParts, 'db' | 'packQueries' | 'log' | 'now'> & {
  readonly enqueue: Jobs['enqueue'];
  readonly mailer: Pick<Mailer, 'send'>;
  readonly sender: Pick<Config, 'baseUrl' | 'supportEmail'>;
  readonly builtInAdmins: BuiltInAdmins;
  /** Queues deliveries to webhooks. */
  notifyWebhooks(tx: Tx, news: News): Promise<void>;
};

type Published = { readonly visualizationId: string };
type ImportMail = {
  readonly accountId: string;
  readonly since: number;
  readonly about:
    | { readonly visualizationId: string; readonly compared: Compared | null }
    | { readonly name: string; readonly draft: string; readonly waitsFor: readonly Refusal[] }
    | { readonly name: string; readonly draft: string | null; readonly reason: Refusal };
};

const newsQueue = 'import-news';
const mailQueue = 'import-mails';

/**
 * Notifies webhooks and people of the outcome of an import. What a published upload changed is computed by a job, after the
 * upload: its sender does not wait for that. Source: docs/decisions/111
 *
 * The owner of the map gets a mail, unless they imported it by hand and so saw the outcome. A failed import is reported by
 * mail only if a program made it: a person saw it on the page. If the list of a program waits as a draft, the owner of the
 * program gets a mail.
 */
export function createImportNews(deps: ImportNewsDeps) {
  const { db, enqueue, notifyWebhooks, now } = deps;

  /** A repeated job changes nothing: what it queues and writes has IDs of its own. */
  const idOf = (...parts: string[]) => createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);

  async function announce(tx: Tx, news: News): Promise<void> {
    if (news.event === 'import.published') {
      const { visualizationId } = news;
      return enqueue(tx, { name: newsQueue }, idOf(newsQueue, visualizationId), { visualizationId });
    }
    await notifyWebhooks(tx, news);
    if (news.event === 'import.waiting') {
      const { byId: accountId, name, draft, reasons: waitsFor } = news;
      const mail: ImportMail = { accountId, since: now(), about: { name, draft, waitsFor } };
      return enqueue(tx, { name: mailQueue }, idOf(mailQueue, draft, String(mail.since)), mail);
    }
    if (news.event !== 'import.failed' || !(await isByProgram(tx, news))) return;
    const { ownerId: accountId, name, draft = null, upload = '', reason } = news;
    const mail: ImportMail = { accountId, since: now(), about: { name, draft, reason } };
    await enqueue(tx, { name: mailQueue }, idOf(mailQueue, upload, draft ?? '', String(mail.since)), mail);
  }

  const published: Queue<Published> = {
    name: newsQueue,
    expireSeconds: 3_600,
    retrySeconds: 10,
    async run({ visualizationId }, signal) {
      const record = await findVisualization(db, visualizationId);
      if (!record) return;
      const { user_id: accountId, uploaded_by, upload_id } = record;
      const isMailed = uploaded_by !== accountId || (await isByProgram(db, { upload: upload_id ?? undefined }));
      if (!isMailed && !(await isWanted(db))) return;
      const compared = await comparedOr(record, signal);
      await inTransaction(db, async (tx) => {
        const changes = typeof compared === 'object' ? compared : undefined;
        await notifyWebhooks(tx, { event: 'import.published', visualizationId, ...(changes && { changes }) });
        if (!isMailed) return;
        const mail: ImportMail = { accountId, since: now(), about: { visualizationId, compared: compared ?? null } };
        await enqueue(tx, { name: mailQueue }, idOf(mailQueue, visualizationId), mail);
      });
    },
  };

  async function comparedOr(record: OwnedRecord, signal: AbortSignal): Promise<Compared> {
    try {
      return await compareWithBefore(deps, record, signal);
    } catch (error) {
      if (signal.aborted || isOutage(error)) throw error;
      // One of the two may have been deleted meanwhile.
      deps.log.warn({ err: error, visualization: record.id }, 'An import could not be compared with the one before');
      return undefined;
    }
  }

  const mails: Queue<ImportMail> = {
    name: mailQueue,
    expireSeconds: 120,
    retrySeconds: 60,
    run: (mail) => sendMail(deps, mail),
  };

  return { announce, queues: [published, mails] };
}

/** Whether any webhook subscribes to published imports. */
async function isWanted(db: Queryable): Promise<boolean> {
  const event: WebhookEvent = 'import.published';
  const { rows } = await sql`select from webhooks where off_at is null and events @> array[${event}]`.execute(db);
  return rows.length > 0;
}

/**
 * Whether a program sent the upload, or brought the lists of the draft, or of the draft that the upload is of, and nobody went
 * on by hand.
 */
async function isByProgram(
  db: Queryable,
  { upload = '', draft }: { readonly upload?: string | undefined; readonly draft?: string | undefined },
): Promise<boolean> {
  let drafts = db.selectFrom('drafts').select('id').where('hands_off', 'is not', null);
  drafts = draft === undefined ? drafts.where('upload_id', '=', upload) : drafts.where('id', '=', draft);
  const uploads = db.selectFrom('uploads').select('id').where('id', '=', upload).where('by_program', '=', true);
  return (await drafts.unionAll(uploads).executeTakeFirst()) !== undefined;
}

/** Sends one mail, if its recipient may still see what it is about. What cannot be sent is tried again until it is a day old. */
async function sendMail(
  { db, mailer, sender, builtInAdmins, log, now }: ImportNewsDeps,
  { accountId, since, about }: ImportMail,
): Promise<void> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
  if (!row || row.migrated_to !== null || effective(toAccount(row), builtInAdmins).status !== 'approved') return;
  if (!(await wantsMail(db, accountId, 'imports'))) return;
  const letter = await letterOf({ email: row.email, displayName: row.display_name });
  if (!letter) return;
  const what = { event: 'mail', kind: 'import', account: accountId };
  if (now() > since + limits.assignmentMailKeptMs) {
    log.warn({ ...what, result: 'given up' }, 'A mail could not be sent in time');
    return;
  }
  try {
    await mailer.send(letter);
  } catch (error) {
    log.warn({ ...what, result: 'failed', err: error }, 'A mail could not be sent yet');
    throw error;
  }
  log.info({ ...what, result: 'ok' }, 'A mail was sent');

  async function letterOf(person: { readonly email: string; readonly displayName: string }): Promise<Mail | undefined> {
    const linkTo = (path: string, query: Readonly<Record<string, string>>) =>
      new URL(`${path}?${new URLSearchParams(query)}`, sender.baseUrl).href;
    if ('waitsFor' in about) {
      const { name, draft, waitsFor } = about;
      const reasons = waitsFor.map(sayRefusal);
      return waitingLetter(
        person,
        { name: cleanLine(name), reasons, link: linkTo(paths.visualization, { draft }) },
        sender,
      );
    }
    if ('reason' in about) {
      const { name, draft, reason } = about;
      const link =
        draft === null ? new URL(paths.visualization, sender.baseUrl).href : linkTo(paths.visualization, { draft });
      return failedImportLetter(person, { name: cleanLine(name), reason: sayRefusal(reason), link }, sender);
    }
    const record = await findVisualization(db, about.visualizationId);
    if (!record || record.user_id !== accountId) return undefined;
    const { compared } = about;
    const changes = compared !== null && typeof compared === 'object' ? compared : undefined;
    const query = { v: record.id, ...(changes && { vs: changes.since, panel: 'changes' }) };
    return importLetter(
      person,
      {
        map: cleanLine(record.root_name),
        keywords: record.keywords,
        isFirst: compared === 'first',
        changes,
        link: linkTo(paths.visualization, query),
      },
      sender,
    );
  }
}

/** What an upload changed: `first` if there is none before it; undefined if the two cannot be compared at the moment. */
export type Compared = ImportChanges | 'first' | undefined;

/**
 * The figures of the panel "Changes", with its usual thresholds, from the upload before of the same data; and how many entries of
 * the plan the upload does not have, or has with mostly other keywords.
 *
 * Cost: of the panel, twice, once for each level; the second time the comparison is there.
 *
 * @throws whatever reading the packs throws
 */
async function compareWithBefore(
  { db, packQueries }: Pick<ServerParts, 'db' | 'packQueries'>,
  record: OwnedRecord,
  signal: AbortSignal,
): Promise<Compared> {
  const before = await uploadBefore(db, record);
  if (!before) return 'first';
  if ([record, before].some(({ pack_version }) => pack_version !== packFormatVersion)) return undefined;
  const countsOf = async (level: ChangeLevel) => {
    const query = { level, kind: undefined, from: 0, count: 1, within: undefined };
    const params = { packKey: record.pack_key, vsKey: before.pack_key, filter: '', thresholds: defaultThresholds };
    const { counts } = await packQueries.changes({ ...params, query, signal });
    const { new: added, gone, moved, 'volume-up': volumeUp, 'volume-down': volumeDown } = counts;
    return { new: added, gone, moved, volumeUp, volumeDown };
  };
  const [clusters, keywords] = [await countsOf(changeLevels[0]), await countsOf(changeLevels[1])];
  const planEntries = await planEntriesToLookAt({ db, packQueries }, record, signal);
  return { since: before.id, clusters, keywords, ...(planEntries !== undefined && { planEntries }) };
}

/** The upload of the same data before this one. */
async function uploadBefore(db: Queryable, { id, user_id, root_name }: OwnedRecord): Promise<OwnedRecord | undefined> {
  const all = await uploadsOfDataSet(db, user_id, await dataSetOf(db, user_id, false, root_name));
  const before = all[all.indexOf(id) + 1];
  return before === undefined ? undefined : findVisualization(db, before);
}

async function planEntriesToLookAt(
  deps: Pick<ServerParts, 'db' | 'packQueries'>,
  { user_id: owner_id, root_name, pack_key }: OwnedRecord,
  signal: AbortSignal,
): Promise<number | undefined> {
  const root_hash = await dataSetOf(deps.db, owner_id, false, root_name);
  const plan = await findPlan(deps.db, { owner_id, of_sample: false, root_hash });
  if (!plan) return undefined;
  const { missing, changed } = await entriesToLookAt(deps, plan.id, pack_key, signal);
  return missing.length + changed.length;
}
