import { shownName } from '@kc/rules/account';
import type { ListedAccount } from '@kc/rules/shapes';
import { Check, X } from 'lucide-react';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, type ButtonSize } from '../../../ui/button.tsx';
import { dateText } from '../../../ui/quantity-text.ts';
import type { Change } from './changes.ts';

/** Avatar, email and name of an account, and what is special about it. */
export function Who({ account }: { readonly account: ListedAccount }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={shownName(account)} photoUrl={account.photoUrl} size="small" presence={account.presence} />
      <span className="min-w-0">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium text-ink" title={account.email}>
            {account.email}
          </span>
          {account.isYou && (
            <Badge tone="brand" className="group-aria-selected:bg-surface">
              You
            </Badge>
          )}
          {account.isSample && <Badge>Sample data</Badge>}
        </span>
        {account.displayName && <span className="block truncate text-micro text-muted">{account.displayName}</span>}
      </span>
    </span>
  );
}

/** A moment, with the exact one as its tooltip. */
export function Moment({ at }: { readonly at: number }) {
  const exact = new Date(at).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {dateText(at)}
    </time>
  );
}

type DecideProps = {
  readonly account: ListedAccount;
  readonly onChange: (change: Change) => void;
  readonly size?: ButtonSize;
  readonly tabIndex?: number;
};

/** Where the table is narrow the words are enough. */
const mark = 'lg:max-xl:hidden';

/** The two answers to somebody who waits. */
export function Decide({ account, onChange, size = 'dense', tabIndex }: DecideProps) {
  const decide = (to: 'approved' | 'denied') => () => onChange({ account, what: 'status', to });
  return (
    <>
      <Button
        variant="approve"
        size={size}
        tabIndex={tabIndex}
        aria-label={`Approve ${account.email}`}
        icon={<Check size={16} strokeWidth={2} className={mark} aria-hidden />}
        onClick={decide('approved')}
      >
        Approve
      </Button>
      <Button
        variant="danger"
        size={size}
        tabIndex={tabIndex}
        aria-label={`Deny ${account.email}`}
        icon={<X size={16} strokeWidth={2} className={mark} aria-hidden />}
        onClick={decide('denied')}
      >
        Deny
      </Button>
    </>
  );
}
