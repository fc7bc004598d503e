import { type Role, roleNames } from '@kc/rules/account';

const hints: Readonly<Record<Role, string>> = {
  user: 'Sees their own visualizations',
  admin: 'Manages users and uploads',
};

type Props = { readonly value: Role; readonly onChange: (role: Role) => void };

export function RoleCards({ value, onChange }: Props) {
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1.5 font-medium text-small">Role</legend>
      {(['user', 'admin'] as const).map((role) => (
        <label
          key={role}
          className="flex cursor-pointer items-start gap-3 rounded-control border border-line-strong p-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="role"
            value={role}
            checked={role === value}
            onChange={() => onChange(role)}
            className="mt-0.5 size-4.5 shrink-0 appearance-none rounded-full border border-line-strong bg-surface outline-none checked:border-[5px] checked:border-brand"
          />
          <span className="min-w-0">
            <span className="block font-medium text-body leading-5">{roleNames[role]}</span>
            <span className="mt-0.5 block text-micro text-muted">{hints[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
