import type { ListedAccount } from '@kc/rules/shapes';
import { type SearchableOption, SearchableSelect } from '../../../ui/searchable-select.tsx';
import { matching } from '../users/user-lists.ts';

type Props = {
  readonly users: { readonly data: readonly ListedAccount[] | undefined; readonly isPending: boolean };
  /** Nobody yet when absent. */
  readonly chosen: ListedAccount | undefined;
  readonly onChange: (id: string) => void;
};

export function UserSelect({ users, chosen, onChange }: Props) {
  const nobody = { value: '', label: users.isPending ? 'Loading users...' : '-- Select a user --' };
  const people = users.data?.filter((account) => !account.isSample) ?? [];
  return (
    <SearchableSelect
      label="Select User"
      chosen={chosen ? optionOf(chosen) : nobody}
      find={(text) => [...(text.trim() === '' ? [nobody] : []), ...matching(text, people).map(optionOf)]}
      onChange={onChange}
      searchLabel="Search by email or name"
      nothing="No user found"
      disabled={users.isPending}
    />
  );
}

const optionOf = ({ id, email, displayName, role }: ListedAccount): SearchableOption<string> => ({
  value: id,
  label: role === 'admin' ? `${email} (Admin)` : email,
  detail: displayName,
});
