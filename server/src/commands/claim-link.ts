import { resolve } from 'node:path';
import { claimLinks, reserveAccounts } from '../accounts/built-in-accounts.ts';
import { createPasswords } from '../accounts/passwords.ts';
import { readConfig, readEnvironment } from '../config.ts';
import { readDatabaseTime } from '../database/clock.ts';
import { withDatabase } from '../database/start.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLog } from '../log.ts';
import { claimNote } from '../startup.ts';
import { readArguments } from './arguments.ts';

/** Prints a new claim link for each built-in administrator without a proven email, with or without a running server. */
process.umask(0o077);
readArguments('Usage: npm run claim-link', {});
const root = resolve(import.meta.dirname, '../../..');
try {
  const config = readConfig(readEnvironment(root, process.env), root);
  const log = createLog('ERROR');
  const claims = await withDatabase(config, log, prepareJobs, async (db) => {
    const now = await readDatabaseTime(db);
    await reserveAccounts({ config, db, log, passwords: await createPasswords() }, now);
    return claimLinks({ config, db, log }, now);
  });
  for (const { email, link } of claims) process.stdout.write(`${claimNote(email)}\n  ${link}\n`);
  if (claims.length === 0) process.stdout.write('Every built-in administrator has a password already.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
