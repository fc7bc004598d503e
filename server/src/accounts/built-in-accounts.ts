import { sampleEmail, sampleId } from '@kc/rules/upload';
import type { Config } from '../config.ts';
import { audit } from '../database/audit.ts';
import { type Db, inTransaction } from '../database/open.ts';
import type { Log } from '../log.ts';
import { issueClaim, proveAdmin } from './claim.ts';
import type { Passwords } from './passwords.ts';
import { accountByEmail, insertAccount, passwordHash, savePassword } from './queries.ts';

type Needs = { readonly config: Config; readonly db: Db; readonly log: Log; readonly passwords: Passwords };

/**
 * Creates the accounts that exist before anybody signs up: the built-in administrators, reserved so that nobody else
 * can take their emails, and with `SAMPLE=on` the sample's own row. Runs at every start; repeating it changes nothing.
 *
 * Source: SECURITY.md, S1.
 */
export async function reserveAccounts(needs: Needs, now: number): Promise<void> {
  const { config, db, log } = needs;
  for (const email of config.adminEmails) {
    await inTransaction(db, (tx) => insertAccount(tx, { email, displayName: '' }, now));
  }
  await markBuiltIn(db, config, log);
  if (config.adminPassword) await giveFirstPassword(needs, config.adminPassword, now);
  if (config.sample) await addSampleAccount(db, now);
}

/** An account removed from the list keeps its stored role and loses its protection. The log says so once. */
async function markBuiltIn(db: Db, config: Config, log: Log): Promise<void> {
  const emails = [...config.adminEmails];
  const removed = await db
    .updateTable('accounts')
    .set({ built_in: false })
    .where('built_in', '=', true)
    .where('email', 'not in', emails)
    .returning(['id', 'role'])
    .execute();
  for (const { id, role } of removed) {
    log.warn({ event: 'config', account: id, role }, 'No longer a built-in admin: it keeps its stored role');
  }
  await db.updateTable('accounts').set({ built_in: true }).where('email', 'in', emails).execute();
}

async function giveFirstPassword(needs: Needs, password: string, now: number): Promise<void> {
  const { config, db, log } = needs;
  const account = await accountByEmail(db, config.adminEmails[0]!);
  if (!account) return;
  if (await passwordHash(db, account.id)) {
    log.info({ event: 'config' }, 'ADMIN_PASSWORD is ignored: the first built-in admin has a password already');
    return;
  }
  const hash = await needs.passwords.hash(password);
  await inTransaction(db, async (tx) => {
    await proveAdmin(tx, account.id, now);
    await savePassword(tx, account.id, hash, now);
    await tx.deleteFrom('tokens').where('account_id', '=', account.id).execute();
    await audit(tx, { actor: 'system', action: 'claim', target: account.id, details: { by: 'ADMIN_PASSWORD' } }, now);
  });
  log.info({ event: 'claim', account: account.id }, 'ADMIN_PASSWORD gave the first built-in admin a password');
}

async function addSampleAccount(db: Db, now: number): Promise<void> {
  const at = new Date(now);
  await db
    .insertInto('accounts')
    .values({
      id: sampleId,
      email: sampleEmail,
      display_name: 'Sample',
      status: 'approved',
      is_sample: true,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * A claim link for each built-in administrator who has no password, or whose email is unproven. Earlier links become
 * invalid.
 */
export async function claimLinks(
  needs: Omit<Needs, 'passwords'>,
  now: number,
): Promise<{ email: string; link: string }[]> {
  const links: { email: string; link: string }[] = [];
  for (const email of needs.config.adminEmails) {
    const account = await accountByEmail(needs.db, email);
    if (!account) continue;
    if (account.email_proven_at && (await passwordHash(needs.db, account.id))) continue;
    const token = await issueClaim(needs.db, account.id, now);
    // In the fragment, so that it reaches no log and no referrer.
    links.push({ email, link: new URL(`/claim#${token}`, needs.config.baseUrl).href });
  }
  return links;
}
