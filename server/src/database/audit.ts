import type { ActivityKind, ActivityResult } from '@kc/rules/activity';
import { type Queryable, storableJson } from './open.ts';

export type AuditLine = {
  /** Account ID, `system`, or `anyone` for signed-out visitors. */
  readonly actor: string;
  readonly action: ActivityKind;
  /** Account ID, or another object of the action. */
  readonly target: string;
  readonly result?: ActivityResult;
  /** No secrets, and no input of signed-out visitors. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/**
 * Appends to the audit log, in the transaction of the action, so that neither exists without the other.
 *
 * Source: SECURITY.md, SEC-26.
 */
export async function audit(db: Queryable, line: AuditLine, now: number): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ ...line, at: new Date(now), details: storableJson(line.details ?? {}) })
    .execute();
}
