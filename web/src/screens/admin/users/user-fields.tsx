import { type Role, roleNames, type Status, shownName, statusNames } from '@kc/rules/account';
import type { ListedAccount } from '@kc/rules/shapes';
import { Check, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge, Dot, type Tone } from '../../../ui/badge.tsx';
import { Button, type ButtonSize } from '../../../ui/button.tsx';
import { dateText } from '../../../ui/number-text.ts';
import { ClosedSelect, Select, type SelectOption } from '../../../ui/select.tsx';
import { type Change, roleReason, statusReason } from './account-changes.ts';

/** Avatar, email, name and badges of an account. */
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

/** A date, with the exact time as its tooltip. */
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

/** In a narrow table, the label alone has to do. */
const mark = 'lg:max-xl:hidden';

/** What can be decided about a pending account. */
export const decisions = [
  { to: 'approved', name: 'Approve', variant: 'approve', Icon: Check },
  { to: 'denied', name: 'Deny', variant: 'danger', Icon: X },
] as const;

/** The Approve and Deny buttons of a pending account. */
export function Decide({ account, onChange, size = 'dense', tabIndex }: DecideProps) {
  return decisions.map(({ to, name, variant, Icon }) => (
    <Button
      key={to}
      variant={variant}
      size={size}
      tabIndex={tabIndex}
      aria-label={`${name} ${account.email}`}
      icon={<Icon size={16} strokeWidth={2} className={mark} />}
      onClick={() => onChange({ account, what: 'status', to })}
    >
      {name}
    </Button>
  ));
}

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
  /** How table rows open and close the list; if absent, it controls itself. */
  readonly control?: Control;
};

type Control = {
  readonly tabIndex: number;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The element that gets the focus when the list closes. */
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
  /** Why the value is fixed, shown as tooltip and description; `undefined` if it can be changed. */
  readonly reason: string | undefined;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  readonly control: Control | undefined;
};

/** A select that is a plain button until it is first opened, because long lists have hundreds of them. */
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
  return (
    <div title={reason}>
      {open || self.used ? (
        <Select<T>
          {...parts}
          showLabel={false}
          size="dense"
          open={open && reason === undefined}
          onOpenChange={setOpen}
          onChange={(to) => to !== value && onChange(to)}
        />
      ) : (
        <ClosedSelect<T> {...parts} onOpen={() => setOpen(true)} />
      )}
      {reason && (
        <span id={id} hidden>
          {reason}
        </span>
      )}
    </div>
  );
}
