import { type Role, roleNames, type Status, statusNames } from '@kc/rules/account';
import { say } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { useId } from 'react';
import { Dot, type Tone } from '../../../ui/badge.tsx';
import { Select } from '../../../ui/select.tsx';
import type { Change } from './use-user-changes.ts';

const tones: Readonly<Record<Status, Tone>> = { pending: 'warn', approved: 'ok', denied: 'bad' };
const statuses = (['pending', 'approved', 'denied'] as const).map((value) => ({
  value,
  label: statusNames[value],
  mark: <Dot tone={tones[value]} />,
}));
const roles = (['user', 'admin'] as const).map((value) => ({ value, label: roleNames[value] }));

type Props = { readonly account: ListedAccount; readonly onChange: (change: Change) => void };

export function StatusChoice({ account, onChange }: Props) {
  const reason = statusReason(account);
  return (
    <Fixed reason={reason}>
      {(describedBy) => (
        <Select<Status>
          label={`Status of ${account.email}`}
          showLabel={false}
          size="dense"
          value={account.status}
          options={statuses}
          disabled={reason !== undefined}
          onChange={(to) => to !== account.status && onChange({ account, what: 'status', to })}
          {...(describedBy ? { describedBy } : {})}
        />
      )}
    </Fixed>
  );
}

export function RoleChoice({ account, onChange }: Props) {
  const reason = roleReason(account);
  return (
    <Fixed reason={reason}>
      {(describedBy) => (
        <Select<Role>
          label={`Role of ${account.email}`}
          showLabel={false}
          size="dense"
          value={account.role}
          options={roles}
          disabled={reason !== undefined}
          onChange={(to) => to !== account.role && onChange({ account, what: 'role', to })}
          {...(describedBy ? { describedBy } : {})}
        />
      )}
    </Fixed>
  );
}

/** Why the status of an account cannot be chosen, or `undefined` when it can. */
export function statusReason(account: ListedAccount): string | undefined {
  if (account.isYou) return say('account/own-status');
  if (account.isPrimaryAdmin) return say('account/primary-admin');
  return account.isSample ? sampleReason : undefined;
}

/** Why the role of an account cannot be chosen, or `undefined` when it can. */
export function roleReason(account: ListedAccount): string | undefined {
  if (account.isYou) return say('account/own-role');
  if (account.isPrimaryAdmin) return say('account/primary-admin-role');
  return account.isSample ? sampleReason : undefined;
}

/** Why an account other than one's own cannot be deleted, or `undefined` when it can. */
export function deleteReason(account: ListedAccount): string | undefined {
  if (account.isPrimaryAdmin) return say('account/primary-admin-delete');
  return account.isSample ? say('account/sample-delete') : undefined;
}

const sampleReason = 'The sample belongs to nobody and cannot be changed';

type FixedProps = {
  readonly reason: string | undefined;
  readonly children: (describedBy: string | undefined) => React.ReactNode;
};

/** A choice that may be fixed: the reason is its tooltip and its description. */
function Fixed({ reason, children }: FixedProps) {
  const id = useId();
  return (
    <div title={reason}>
      {children(reason ? id : undefined)}
      {reason && (
        <span id={id} hidden>
          {reason}
        </span>
      )}
    </div>
  );
}
