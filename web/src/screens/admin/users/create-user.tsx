import { type Role, roleNames } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { sayRefusal } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { checkNewUser, type NewUser } from '@kc/rules/sign-in';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { refusedWith, toRefusal } from '../../../api/refusal.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CreatedBanner } from './created-banner.tsx';
import { NewEmailField } from './new-email-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { usersQuery } from './users-queries.ts';

type Props = {
  /** Buttons that an error banner offers. */
  readonly recovery: ReactNode;
};

const blank: NewUser = { email: '', password: '', role: 'user' };

/** Creates an approved user with a password that the administrator passes on. */
export function CreateUser({ recovery }: Props) {
  const queries = useQueryClient();
  const [fields, setFields] = useState(blank);
  const inputs = { email: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) };
  const change = (changed: Partial<NewUser>) => setFields((before) => ({ ...before, ...changed }));
  const create = useMutation({
    mutationFn: async (entered: NewUser): Promise<ListedAccount> => {
      const checked = checkNewUser(entered);
      if (!checked.ok) throw refusedWith(checked.refusal);
      return client.accounts.create(checked.value);
    },
    onSuccess: (account) => {
      setFields(blank);
      queries.setQueryData(usersQuery.queryKey, (all) => [account, ...(all ?? [])]);
    },
    onError: (error, entered) => {
      const field = wrongField(toRefusal(error).code, entered.email);
      if (field) inputs[field].current?.focus();
    },
  });
  const wrong = create.isError && wrongField(toRefusal(create.error).code, fields.email);
  const inputProps = (field: 'email' | 'password') => ({
    name: field,
    value: fields[field],
    ref: inputs[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [field]: event.target.value }),
    ...(wrong === field && { 'aria-invalid': true }),
  });
  return (
    <div className="flex max-w-240 flex-col gap-4">
      {create.isSuccess && (
        <CreatedBanner
          key={create.submittedAt}
          account={create.data}
          password={create.variables.password}
          onDismiss={(hadFocus) => {
            create.reset();
            if (hadFocus) inputs.email.current?.focus();
          }}
        />
      )}
      <div className="grid overflow-hidden rounded-card border border-line bg-surface shadow-1 lg:grid-cols-[minmax(0,26.25rem)_minmax(0,1fr)]">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate(fields);
          }}
          className="flex flex-col gap-5 p-6 short:gap-3 short:p-4"
        >
          <h3 className="text-h2">Create User</h3>
          {create.isError && (
            <InSight key={create.submittedAt}>
              <Banner tone="error" lifeMs={limits.bannerMs} onDismiss={() => create.reset()} actions={recovery}>
                {sayRefusal(toRefusal(create.error))}
              </Banner>
            </InSight>
          )}
          <NewEmailField {...inputProps('email')} />
          <NewPasswordField
            {...inputProps('password')}
            email={fields.email}
            onGenerate={(password) => change({ password })}
          />
          <RoleCards value={fields.role} onChange={(role) => change({ role })} />
          <Button type="submit" variant="primary" size="large" disabled={create.isPending}>
            {create.isPending ? 'Creating...' : 'Create User'}
          </Button>
        </form>
        <aside className="border-line border-t bg-sunken p-6 text-body lg:border-t-0 lg:border-l short:p-4">
          <h3 className="text-h2">What happens next</h3>
          <ol className="mt-3 flex list-decimal flex-col gap-2 pl-5 text-muted">
            <li>The new user is created as approved and can sign in at once.</li>
            <li>Give them their email and password: “Copy credentials” is there once, right after.</li>
            <li>Upload their data; they see it as soon as it is read.</li>
          </ol>
        </aside>
      </div>
    </div>
  );
}

/** Scrolls to what has just appeared: on a phone the button that was pressed is far below it. */
function InSight({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className="scroll-mt-20 scroll-mb-20">
      {children}
    </div>
  );
}

/** The field that a refusal is about; undefined if the input is not at fault. */
function wrongField(code: string, email: string): 'email' | 'password' | undefined {
  if (code === 'create-user/both-required') return email.trim() ? 'password' : 'email';
  if (code.startsWith('sign-up/')) return 'password';
  return code.startsWith('create-user/') ? 'email' : undefined;
}

const hints: Readonly<Record<Role, string>> = {
  user: 'Sees their own visualizations',
  admin: 'Manages users and uploads',
};

type RoleCardsProps = { readonly value: Role; readonly onChange: (role: Role) => void };

function RoleCards({ value, onChange }: RoleCardsProps) {
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
