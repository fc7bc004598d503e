import type { ListedAccount } from '@kc/rules/shapes';
import { Select } from '../../../ui/select.tsx';

type Props = {
  readonly users: { readonly data: readonly ListedAccount[] | undefined; readonly isPending: boolean };
  /** An account's id, or empty. */
  readonly value: string;
  readonly onChange: (id: string) => void;
};

export function UserSelect({ users, value, onChange }: Props) {
  const first = { value: '', label: users.isPending ? 'Loading users...' : '-- Select a user --' };
  const people = users.data?.filter((account) => !account.isSample) ?? [];
  const options = people.map((account) => ({
    value: account.id,
    label: account.role === 'admin' ? `${account.email} (Admin)` : account.email,
  }));
  return (
    <Select
      label="Select User"
      value={value}
      options={[first, ...options]}
      onChange={onChange}
      disabled={users.isPending}
    />
  );
}
