import { type Role, roleNames, type Status, statusNames } from '@kc/rules/account';
import type { ListedAccount } from '@kc/rules/shapes';
import { Suspense, useId, useState } from 'react';
import { Dot, type Tone } from '../../../ui/badge.tsx';
import { ClosedSelect, type SelectOption } from '../../../ui/closed-select.tsx';
import { LoadedSelect } from '../../../ui/lazy-select.tsx';
import type { Change } from './changes.ts';
import { roleReason, statusReason } from './fixed-reasons.ts';

export const statusTones: Readonly<Record<Status, Tone>> = { pending: 'warn', approved: 'ok', denied: 'bad' };
export const statusOptions = (['pending', 'approved', 'denied'] as const).map((value) => ({
  value,
  label: statusNames[value],
  mark: <Dot tone={statusTones[value]} />,
}));
export const roleOptions = (['user', 'admin'] as const).map((value) => ({ value, label: roleNames[value] }));

type Props = {
  readonly account: ListedAccount;
  readonly onChange: (change: Change) => void;
  /** How the rows of a table open and leave it; left out, it opens by itself. */
  readonly control?: Control;
};

type Control = {
  readonly tabIndex: number;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** What has the focus afterwards. */
  readonly returnTo: () => HTMLElement | null;
};

export function StatusChoice({ account, onChange, control }: Props) {
  return (
    <Choice<Status>
      label={`Status of ${account.email}`}
      reason={statusReason(account)}
      value={account.status}
      options={statusOptions}
      onChange={(to) => onChange({ account, what: 'status', to })}
      control={control}
    />
  );
}

export function RoleChoice({ account, onChange, control }: Props) {
  return (
    <Choice<Role>
      label={`Role of ${account.email}`}
      reason={roleReason(account)}
      value={account.role}
      options={roleOptions}
      onChange={(to) => onChange({ account, what: 'role', to })}
      control={control}
    />
  );
}

type ChoiceProps<T extends string> = {
  readonly label: string;
  /** Why it is fixed, or `undefined` when it can be chosen: the tooltip, and the description. */
  readonly reason: string | undefined;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  readonly control: Control | undefined;
};

/** A select that is a mere button until it is opened for the first time: a long list has hundreds of them. */
function Choice<T extends string>({ label, reason, value, options, onChange, control }: ChoiceProps<T>) {
  const id = useId();
  const [self, setSelf] = useState({ open: false, used: false });
  const open = control ? control.open : self.open;
  const setOpen = (next: boolean) => {
    setSelf({ open: next, used: true });
    control?.onOpenChange(next);
  };
  const parts = {
    label,
    value,
    options,
    disabled: reason !== undefined,
    ...(reason ? { describedBy: id } : {}),
    ...(control ? { tabIndex: control.tabIndex, returnTo: control.returnTo } : {}),
  };
  const closed = <ClosedSelect<T> {...parts} onOpen={() => setOpen(true)} />;
  return (
    <div title={reason}>
      {open || self.used ? (
        <Suspense fallback={closed}>
          <LoadedSelect<T>
            {...parts}
            showLabel={false}
            size="dense"
            open={open && reason === undefined}
            onOpenChange={setOpen}
            onChange={(to) => to !== value && onChange(to)}
          />
        </Suspense>
      ) : (
        closed
      )}
      {reason && (
        <span id={id} hidden>
          {reason}
        </span>
      )}
    </div>
  );
}
