import type { ListCorrectionsShape, NewDraft, RememberedReading } from '@kc/rules/draft-shapes';
import { api, personOf } from '../accounts/require.ts';
import type { Db, Queryable } from '../database/open.ts';

/** Headers for which an account's corrections are remembered; the oldest are forgotten. */
export const maxListReadings = 200;

/** The contract's calls about remembered corrections. Each person has their own. */
export function listReadingRoutes(db: Db) {
  return {
    find: api.listReadings.find.handler(async ({ input, context }) => {
      const found = await findReading(db, personOf(context).account.id, input.header);
      return found ? { found } : {};
    }),
    forget: api.listReadings.forget.handler(async ({ input, context }) => {
      await forgetReading(db, personOf(context).account.id, input.header);
      return {};
    }),
  };
}

/**
 * Remembers how the lists of a new draft are read, for the next ones with their headers. A list that is sent without
 * corrections has none remembered afterwards.
 */
export async function rememberReadings(
  transaction: Queryable,
  accountId: string,
  files: NewDraft['files'],
  at: Date,
): Promise<void> {
  for (const { header, corrections } of files) {
    if (!header) continue;
    const remembered = rememberedPart(corrections);
    if (!remembered) {
      await forgetReading(transaction, accountId, header);
      continue;
    }
    const row = { corrections: JSON.stringify(remembered), corrected_at: at };
    await transaction
      .insertInto('list_readings')
      .values({ account_id: accountId, header_hash: header, ...row })
      .onConflict((conflict) => conflict.columns(['account_id', 'header_hash']).doUpdateSet(row))
      .execute();
  }
  await dropOldest(transaction, accountId);
}

/**
 * What is likely to be right for the next list, too: not its market, nor anything if another sheet than the first with
 * keywords was chosen, because the header is that of the latter.
 */
function rememberedPart({ market: _, sheet, ...rest }: ListCorrectionsShape): ListCorrectionsShape | undefined {
  return sheet !== undefined || Object.keys(rest).length === 0 ? undefined : rest;
}

async function findReading(db: Queryable, accountId: string, header: string): Promise<RememberedReading | undefined> {
  const row = await db
    .selectFrom('list_readings')
    .select(['corrections', 'corrected_at'])
    .where('account_id', '=', accountId)
    .where('header_hash', '=', header)
    .executeTakeFirst();
  return row && { corrections: row.corrections, correctedAt: row.corrected_at.getTime() };
}

/** What an account corrected in the reading of lists, by their headers. */
export async function readingsOf(db: Queryable, accountId: string): Promise<Record<string, ListCorrectionsShape>> {
  const rows = await db
    .selectFrom('list_readings')
    .select(['header_hash', 'corrections'])
    .where('account_id', '=', accountId)
    .execute();
  return Object.fromEntries(rows.map(({ header_hash, corrections }) => [header_hash, corrections]));
}

async function forgetReading(db: Queryable, accountId: string, header: string): Promise<void> {
  await db.deleteFrom('list_readings').where('account_id', '=', accountId).where('header_hash', '=', header).execute();
}

async function dropOldest(db: Queryable, accountId: string): Promise<void> {
  const newest = db
    .selectFrom('list_readings')
    .select('header_hash')
    .where('account_id', '=', accountId)
    .orderBy('corrected_at', 'desc')
    .orderBy('header_hash')
    .limit(maxListReadings);
  await db
    .deleteFrom('list_readings')
    .where('account_id', '=', accountId)
    .where('header_hash', 'not in', newest)
    .execute();
}
