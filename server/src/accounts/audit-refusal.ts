import { type AuditLine, audit } from '../database/audit.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';

const hour = 3_600_000;
const perAddress: Limit = { name: 'audit-refusal', uses: 60, windowMs: hour };
const together: Limit = { name: 'audit-refusal-all', uses: 2_000, windowMs: hour };

/**
 * Records a refusal in the audit log. Strangers can cause any number of refusals and the log is never shortened, so
 * lines are limited per hour, for one network address and for all together. The server's own log has every refusal.
 *
 * Source: SECURITY.md, SEC-26.
 */
export async function auditRefusal(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  line: Omit<AuditLine, 'result'>,
  address: string,
): Promise<void> {
  const at = now();
  if ((await consume(db, perAddress, address, at)) > 0 || (await consume(db, together, '', at)) > 0) return;
  await audit(db, { ...line, result: 'refused', details: { ...line.details, address } }, at);
}
