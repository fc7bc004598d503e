import { roleNames, statusNames } from '@kc/rules/account';
import type { OwnLimits, UserQuota } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { client } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { contentText, dateText, numberText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { visualizationsOf } from '../upload/uploads-queries.ts';
import { deleteReason } from './account-changes.ts';
import { Decide, Moment, statusTones, Who } from './user-fields.tsx';
import type { RowActions } from './user-row.tsx';

type Props = {
  readonly account: ListedAccount;
  /** Who created the account: the email if the ID is known, else the ID. */
  readonly createdBy: string;
  readonly actions: RowActions;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** All details of an account, as a drawer at the side; as a bottom sheet on phones. */
export function UserDrawer({ account, createdBy, actions, open, onClose }: Props) {
  const undeletable = deleteReason(account);
  const remove = () => {
    onClose();
    actions.remove(account);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="User details"
      place="drawer"
      actions={
        <>
          {account.status === 'pending' && <Decide account={account} onChange={actions.change} size="default" />}
          {!account.isSample && (
            <Link to={paths.adminUpload} params={{ userId: account.id }} className={buttonClass()}>
              <Upload size={18} />
              Upload Data
            </Link>
          )}
          {!account.isYou && (
            <Button
              variant="danger"
              icon={<Trash2 size={18} />}
              aria-disabled={undeletable !== undefined}
              title={undeletable}
              onClick={() => !undeletable && remove()}
            >
              Delete
            </Button>
          )}
        </>
      }
    >
      <div className="text-body">
        <Who account={account} />
      </div>
      <dl className="mt-4 grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-small">
        <Fact name="Email">
          {account.email}{' '}
          <Badge tone={account.emailProven ? 'ok' : 'neutral'}>
            {account.emailProven ? 'Email verified' : 'Email not verified'}
          </Badge>
        </Fact>
        <Fact name="Name">{account.displayName || 'No display name'}</Fact>
        <Fact name="Status">
          <Badge tone={statusTones[account.status]} dot>
            {statusNames[account.status]}
          </Badge>
        </Fact>
        <Fact name="Role">{roleNames[account.role]}</Fact>
        <Fact name="Created">
          <Moment at={account.createdAt} />
        </Fact>
        <Fact name="Created by">{createdBy}</Fact>
        <Fact name="Last login">{account.lastLogin === undefined ? 'Never' : <Moment at={account.lastLogin} />}</Fact>
        <Fact name="Updated">
          <Moment at={account.updatedAt} />
        </Fact>
        <Fact name="uid">
          <Code>{account.id}</Code>
        </Fact>
        <Fact name="uniqueId">
          <Code>{account.uniqueId}</Code>
        </Fact>
      </dl>
      <section className="mt-6">
        <h3 className="font-medium text-body">Visualizations</h3>
        {account.isSample ? <SampleLink /> : <Owned userId={account.id} />}
      </section>
      {!account.isSample && <UserLimits account={account} />}
    </Dialog>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

const Code = ({ children }: { readonly children: string }) => (
  <code className="select-all font-mono text-micro">{children}</code>
);

/** Lists of other people's visualizations leave out the sample. */
function SampleLink() {
  return (
    <p className="mt-1 text-small">
      <Link to={paths.visualization} search={{ v: 'sample' }} className="font-medium text-brand-ink">
        The sample
      </Link>
      , which every approved person can open.
    </p>
  );
}

/** The user's visualizations. */
function Owned({ userId }: { readonly userId: string }) {
  const listed = useQuery({ ...visualizationsOf(userId), staleTime: 0 });
  const owned = listed.data?.filter((one) => one.userId === userId);
  return (
    <>
      {listed.isPending && <Skeleton className="mt-2 h-10" />}
      {listed.isError && (
        <p role="alert" className="mt-1 text-bad text-small">
          {sayError(listed.error)}
        </p>
      )}
      {owned?.length === 0 && <p className="mt-1 text-muted text-small">None yet.</p>}
      <ul className="mt-2 flex flex-col gap-2">
        {owned?.map((one) => (
          <li key={one.id} className="rounded-control border border-line px-3 py-2 text-small">
            <p className="flex items-center gap-2">
              <Link
                to={paths.visualization}
                search={{ v: one.id }}
                className="min-w-0 flex-1 truncate font-medium text-brand-ink"
                title={one.fileName}
              >
                {one.fileName}
              </Link>
              {one.isActive && <Badge tone="ok">Active</Badge>}
            </p>
            <p className="text-micro text-muted tabular-nums">
              {contentText(one)} · {dateText(one.uploadDate)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a user stores, and the limits that an administrator sets for them. Administrators have none. */
function UserLimits({ account: { id, role } }: { readonly account: ListedAccount }) {
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
          {sayError(found.error)}
        </p>
      )}
      {found.data && <LimitsForm id={id} quota={found.data} />}
    </section>
  );
}

type Typed = { readonly [Name in keyof OwnLimits]: string };

const fields = [
  { name: 'visualizations', label: 'Visualizations', max: limits.maxOwnVisualizations },
  { name: 'storageMb', label: 'MB of storage', max: limits.maxOwnStorageMb },
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
  return (
    <Form onSubmit={() => own && isChanged && !saving.isPending && saving.mutate(own)} className="mt-2">
      <div className="grid grid-cols-2 gap-3">
        {fields.map(({ name, label, max }) => (
          <Field
            key={name}
            label={label}
            inputMode="numeric"
            value={typed[name]}
            placeholder={String(quota[name].byDefault)}
            error={limitIn(typed[name], max) === undefined ? say('quota/number', { most: max }) : undefined}
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
          {saving.isError && <span className="text-bad">{sayError(saving.error)}</span>}
        </p>
      </div>
    </Form>
  );
}

function hintOf(quota: UserQuota, name: keyof OwnLimits): string {
  const { used, byDefault } = quota[name];
  const max = quota.own[name];
  const of = max === null ? `${numberText(byDefault)}, as in the settings` : `${numberText(max)}`;
  return `${numberText(used)} used of ${of}`;
}

function ownLimitsIn(typed: Typed): OwnLimits | undefined {
  const visualizations = limitIn(typed.visualizations, limits.maxOwnVisualizations);
  const storageMb = limitIn(typed.storageMb, limits.maxOwnStorageMb);
  return visualizations === undefined || storageMb === undefined ? undefined : { visualizations, storageMb };
}

/** A whole number; null for an empty text, which means the limit of the settings; undefined for anything else. */
function limitIn(text: string, max: number): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const number = /^\d{1,8}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return number <= max ? number : undefined;
}
