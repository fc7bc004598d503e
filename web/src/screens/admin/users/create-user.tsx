import { type Role, roleNames } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { checkNewUser, type NewUser } from '@kc/rules/sign-in';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { usersQuery } from './users-query.ts';

const blank: NewUser = { email: '', password: '', role: 'user' };

export function CreateUser() {
  const queries = useQueryClient();
  const form = useForm<NewUser>({ defaultValues: blank });
  const [shown, setShown] = useState(false);
  const create = useMutation({
    mutationFn: (fields: NewUser): Promise<ListedAccount> => {
      const checked = checkNewUser(fields);
      if (!checked.ok) throw Object.assign(new Error(checked.refusal.code), { data: checked.refusal });
      return client.accounts.create(checked.value);
    },
    onSuccess: (account) => {
      form.reset(blank);
      queries.setQueryData(usersQuery.queryKey, (all) => [account, ...(all ?? [])]);
    },
    onError: (error) => form.setFocus(wrongField(toRefusal(error).code, form.getValues('email'))),
  });
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,26.25rem)_minmax(0,1fr)]">
      <form
        noValidate
        onSubmit={form.handleSubmit((fields) => create.mutate(fields))}
        className="flex flex-col gap-5 rounded-card border border-line bg-surface p-6 shadow-1 short:gap-3 short:p-4"
      >
        <h3 className="text-h2">Create User</h3>
        {create.isError && (
          <Banner key={create.submittedAt} tone="error" lifeMs={limits.bannerMs} onDismiss={() => create.reset()}>
            {sayRefusal(toRefusal(create.error))}
          </Banner>
        )}
        {create.isSuccess && (
          <Created key={create.submittedAt} account={create.data} onDismiss={() => create.reset()} />
        )}
        <Field label="Email" type="email" inputMode="email" autoComplete="off" {...form.register('email')} />
        <Field
          label="Password"
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          hint={`At least ${limits.minPasswordLength} characters`}
          {...form.register('password')}
          trailing={
            <IconButton label={shown ? 'Hide Password' : 'Show Password'} size="dense" onClick={() => setShown(!shown)}>
              <Icon size={18} strokeWidth={1.75} aria-hidden />
            </IconButton>
          }
        />
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="mb-1.5 font-medium text-small">Role</legend>
          {(['user', 'admin'] as const).map((role) => (
            <RoleCard key={role} role={role} input={form.register('role')} />
          ))}
        </fieldset>
        <Button type="submit" variant="primary" size="large" disabled={create.isPending}>
          {create.isPending ? 'Creating...' : 'Create User'}
        </Button>
      </form>
      <aside className="rounded-card border border-line bg-sunken p-6 text-body">
        <h3 className="text-h2">What happens next</h3>
        <p className="mt-2 text-muted">
          The new user is created as approved and can sign in at once with the password you set here.
        </p>
        <p className="mt-2 text-muted">Give them their data on the Upload tab; they see it as soon as it is read.</p>
      </aside>
    </div>
  );
}

/** The field a refusal is about. */
function wrongField(code: string, email: string): 'email' | 'password' {
  if (code === 'create-user/both-required') return email.trim() ? 'password' : 'email';
  return code.startsWith('sign-up/password') || code === 'sign-up/weak' ? 'password' : 'email';
}

const roleHints: Readonly<Record<Role, string>> = {
  user: 'Sees their own visualizations',
  admin: 'Manages users and uploads',
};

function RoleCard({ role, input }: { readonly role: Role; readonly input: object }) {
  return (
    <label className="flex cursor-pointer items-start gap-3 rounded-control border border-line-strong p-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2">
      <input
        type="radio"
        value={role}
        {...input}
        className="mt-0.5 size-4.5 shrink-0 appearance-none rounded-full border border-line-strong bg-surface outline-none checked:border-[5px] checked:border-brand"
      />
      <span className="min-w-0">
        <span className="block font-medium text-body leading-5">{roleNames[role]}</span>
        <span className="mt-0.5 block text-micro text-muted">{roleHints[role]}</span>
      </span>
    </label>
  );
}

function Created({ account, onDismiss }: { readonly account: ListedAccount; readonly onDismiss: () => void }) {
  return (
    <Banner tone="success" lifeMs={limits.bannerMs} onDismiss={onDismiss}>
      <p>{say('create-user/created', { email: account.email })}</p>
      <Link
        to={paths.adminUpload}
        params={{ userId: account.id }}
        className={`${buttonClass('approve', 'dense')} mt-2`}
      >
        Upload data for this user
      </Link>
    </Banner>
  );
}
