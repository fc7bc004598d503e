import { limits } from '@kc/rules/limits';
import { sayRefusal } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { checkNewUser, type NewUser } from '@kc/rules/sign-in';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { client } from '../../../api/client.ts';
import { refusedWith, toRefusal } from '../../../api/refusal.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CreatedBanner } from './created-banner.tsx';
import { NewEmailField } from './new-email-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { RoleCards } from './role-cards.tsx';
import { usersQuery } from './users-queries.ts';

type Props = {
  /** Buttons that an error banner offers. */
  readonly recovery: ReactNode;
};

const blank: NewUser = { email: '', password: '', role: 'user' };

/** Makes an approved user with a password that the admin hands on. Source: spec §5, experience §4.4. */
export function CreateUser({ recovery }: Props) {
  const queries = useQueryClient();
  const form = useForm<NewUser>({ defaultValues: blank });
  const { email, password } = useWatch({ control: form.control });
  const create = useMutation({
    mutationFn: async (fields: NewUser): Promise<ListedAccount> => {
      const checked = checkNewUser(fields);
      if (!checked.ok) throw refusedWith(checked.refusal);
      return client.accounts.create(checked.value);
    },
    onSuccess: (account) => {
      form.reset(blank);
      queries.setQueryData(usersQuery.queryKey, (all) => [account, ...(all ?? [])]);
    },
    onError: (error) => {
      const field = wrongField(toRefusal(error).code, form.getValues('email'));
      if (field) form.setFocus(field);
    },
  });
  const wrong = create.isError && wrongField(toRefusal(create.error).code, email ?? '');
  const marked = (field: 'email' | 'password') => (wrong === field ? { 'aria-invalid': true } : {});
  return (
    <div className="flex max-w-240 flex-col gap-4">
      {create.isSuccess && (
        <CreatedBanner
          key={create.submittedAt}
          account={create.data}
          password={create.variables.password}
          onDismiss={(hadFocus) => {
            create.reset();
            if (hadFocus) form.setFocus('email');
          }}
        />
      )}
      <div className="grid overflow-hidden rounded-card border border-line bg-surface shadow-1 lg:grid-cols-[minmax(0,26.25rem)_minmax(0,1fr)]">
        <form
          noValidate
          onSubmit={form.handleSubmit((fields) => create.mutate(fields))}
          className="flex flex-col gap-5 p-6 short:gap-3 short:p-4"
        >
          <h3 className="text-h2">Create User</h3>
          {create.isError && (
            <Banner
              key={create.submittedAt}
              tone="error"
              lifeMs={limits.bannerMs}
              onDismiss={() => create.reset()}
              actions={recovery}
            >
              {sayRefusal(toRefusal(create.error))}
            </Banner>
          )}
          <NewEmailField value={email ?? ''} {...form.register('email')} {...marked('email')} />
          <NewPasswordField
            value={password ?? ''}
            onGenerate={(generated) => form.setValue('password', generated)}
            {...form.register('password')}
            {...marked('password')}
          />
          <RoleCards input={form.register('role')} />
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

/** The field a refusal is about; none for what is nobody's mistake. */
function wrongField(code: string, email: string): 'email' | 'password' | undefined {
  if (code === 'create-user/both-required') return email.trim() ? 'password' : 'email';
  if (code.startsWith('sign-up/')) return 'password';
  return code.startsWith('create-user/') ? 'email' : undefined;
}
