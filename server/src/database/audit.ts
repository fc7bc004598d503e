import type { ActivityKind, ActivityResult } from '@kc/rules/activity';
import type { Queryable } from './open.ts';

export type AuditLine = {
  /** Account id, `system`, or `anyone` for somebody who is not signed in. */
  readonly actor: string;
  readonly action: ActivityKind;
  /** Account id, or what it was done to. */
  readonly target: string;
  readonly result?: ActivityResult;
  /** No secrets, and nothing that was typed by somebody who is not signed in. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/**
 * Appends to the audit log; in the transaction of the act, so that neither is there without the other.
 *
 * Source: security SEC-26.
 */
export async function audit(db: Queryable, line: AuditLine, now: number): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ ...line, at: new Date(now), details: JSON.stringify(line.details ?? {}) })
    .execute();
}
