import { say } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import type { Change, Plan } from './account-changes.ts';

/** What can be done to accounts from their row, card or drawer. The same object for as long as the tab is open. */
export type RowActions = {
  readonly change: (change: Change) => void;
  readonly changeAll: (plan: Plan) => void;
  /** Takes the last change back while its notice is shown. */
  readonly undo: () => void;
  readonly remove: (account: ListedAccount) => void;
  readonly open: (account: ListedAccount) => void;
  readonly upload: (account: ListedAccount) => void;
  readonly copy: (text: string, what: 'email' | 'id') => void;
};

const write = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/**
 * Copies a text; what to say of it.
 *
 * @param copy writes to the clipboard, which there is none of on a page without https; rejects when it may not
 */
export async function copied(text: string, what: 'email' | 'id', copy = write): Promise<string> {
  return copy(text).then(
    () => say(what === 'email' ? 'account/email-copied' : 'account/id-copied'),
    () => say('account/copy-refused'),
  );
}
