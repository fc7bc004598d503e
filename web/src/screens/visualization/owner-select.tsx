import type { ListedAccount } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { type SearchableOption, SearchableSelect } from '../../ui/searchable-select.tsx';

type OwnerSelectProps = {
  /** The id of who is asking. */
  readonly you: string | undefined;
  readonly chosen: string | undefined;
  /** Told an account's id; `undefined` for one's own. */
  readonly onChange: (id: string | undefined) => void;
};

/** Whose visualizations an admin looks at, found by email or name. */
export function OwnerSelect({ you, chosen, onChange }: OwnerSelectProps) {
  const accounts = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => client.accounts.list(undefined, { signal }),
  });
  const people = (accounts.data ?? []).filter((one) => !one.isSample).sort((a, b) => Number(b.isYou) - Number(a.isYou));
  const found = people.find((one) => one.id === chosen);
  return (
    <SearchableSelect
      label="Visualizations of"
      chosen={found ? optionOf(found) : { value: '', label: accounts.isPending ? 'Loading users...' : 'You' }}
      find={(text) => people.filter(matches(text)).map(optionOf)}
      onChange={(id) => onChange(id === you ? undefined : id)}
      searchLabel="Search by email or name"
      nothing="No user found"
      disabled={!accounts.data}
    />
  );
}

const matches = (text: string) => {
  const wanted = text.trim().toLowerCase();
  return ({ email, displayName }: ListedAccount) => `${email}\n${displayName}`.toLowerCase().includes(wanted);
};

const optionOf = ({ id, email, displayName, isYou }: ListedAccount): SearchableOption<string> => ({
  value: id,
  label: isYou ? `You (${email})` : email,
  detail: displayName,
});
