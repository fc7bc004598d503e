import type { Session, Visualization } from '@kc/rules/shapes';

type Adjusted = Pick<Visualization, 'userId' | 'isSample'>;

/**
 * Whether a user may start a draft of a visualization. The rule is that of `drafts.adjust`: administrators of
 * everybody's, others of their own while users may import lists.
 */
export function mayAdjust(me: Session | undefined, userImports: boolean, { userId, isSample }: Adjusted): boolean {
  if (!me?.account || isSample) return false;
  return me.isAdmin || (userImports && userId === me.account.id);
}
