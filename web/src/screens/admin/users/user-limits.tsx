import type { OwnLimits, UserQuota } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { numberText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';

/** What a user stores, and the limits that an administrator sets for them. Administrators have none. */
export function UserLimits({ account: { id, role } }: { readonly account: ListedAccount }) {
  const found = useQuery({
    queryKey: ['users', id, 'quota'],
    queryFn: ({ signal }) => client.quotas.get({ id }, { signal }),
    staleTime: 0,
  });
  return (
    <section className="mt-6">
      <h3 className="font-medium text-body">Limits for imports</h3>
      {role === 'admin' && <p className="mt-1 text-muted text-small">Administrators have no limits.</p>}
      {found.isPending && <Skeleton className="mt-2 h-24" />}
      {found.isError && (
        <p role="alert" className="mt-1 text-bad text-small">
          {sayRefusal(toRefusal(found.error))}
        </p>
      )}
      {found.data && <LimitsForm id={id} quota={found.data} />}
    </section>
  );
}

type Typed = { readonly [Name in keyof OwnLimits]: string };

const fields = [
  { name: 'visualizations', label: 'Visualizations', most: limits.maxOwnVisualizations },
  { name: 'storageMb', label: 'MB of storage', most: limits.maxOwnStorageMb },
] as const;

function LimitsForm({ id, quota }: { readonly id: string; readonly quota: UserQuota }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Typed>({
    visualizations: String(quota.own.visualizations ?? ''),
    storageMb: String(quota.own.storageMb ?? ''),
  });
  const saving = useMutation({
    mutationFn: (own: OwnLimits) => client.quotas.set({ id, own }),
    onSuccess: (saved) => queries.setQueryData(['users', id, 'quota'], saved),
  });
  const own = ownLimitsIn(typed);
  const isChanged = own?.visualizations !== quota.own.visualizations || own?.storageMb !== quota.own.storageMb;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (own && isChanged && !saving.isPending) saving.mutate(own);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-2">
      <div className="grid grid-cols-2 gap-3">
        {fields.map(({ name, label, most }) => (
          <Field
            key={name}
            label={label}
            inputMode="numeric"
            value={typed[name]}
            placeholder={String(quota[name].byDefault)}
            error={limitIn(typed[name], most) === undefined ? say('quota/number', { most }) : undefined}
            hint={hintOf(quota, name)}
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        ))}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!own || !isChanged || saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save limits'}
        </Button>
        <p role="status" className="text-muted text-small">
          {saving.isSuccess && !isChanged && say('quota/saved')}
          {saving.isError && <span className="text-bad">{sayRefusal(toRefusal(saving.error))}</span>}
        </p>
      </div>
    </form>
  );
}

function hintOf(quota: UserQuota, name: keyof OwnLimits): string {
  const { used, byDefault } = quota[name];
  const most = quota.own[name];
  const of = most === null ? `${numberText(byDefault)}, as in the settings` : `${numberText(most)}`;
  return `${numberText(used)} used of ${of}`;
}

function ownLimitsIn(typed: Typed): OwnLimits | undefined {
  const visualizations = limitIn(typed.visualizations, limits.maxOwnVisualizations);
  const storageMb = limitIn(typed.storageMb, limits.maxOwnStorageMb);
  return visualizations === undefined || storageMb === undefined ? undefined : { visualizations, storageMb };
}

/** A whole number; null for nothing, which means the limit of the settings; undefined for anything else. */
export function limitIn(text: string, most: number): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const number = /^\d{1,8}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return number <= most ? number : undefined;
}
