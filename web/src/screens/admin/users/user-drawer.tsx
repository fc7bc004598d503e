import { roleNames, statusNames } from '@kc/rules/account';
import { sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2, Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { toRefusal } from '../../../api/refusal.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { contentText, dateText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { visualizationsOf } from '../upload/uploads-queries.ts';
import { deleteReason } from './account-changes.ts';
import type { RowActions } from './row-actions.ts';
import { Decide, Moment, statusTones, Who } from './user-fields.tsx';
import { UserLimits } from './user-limits.tsx';

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
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="User details"
      place="drawer"
      actions={<DrawerActions account={account} actions={actions} onClose={onClose} />}
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
          {sayRefusal(toRefusal(listed.error))}
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

type ActionsProps = { readonly account: ListedAccount; readonly actions: RowActions; readonly onClose: () => void };

function DrawerActions({ account, actions, onClose }: ActionsProps) {
  const reason = deleteReason(account);
  const remove = () => {
    onClose();
    actions.remove(account);
  };
  return (
    <>
      {account.status === 'pending' && <Decide account={account} onChange={actions.change} size="default" />}
      {!account.isSample && (
        <Link to={paths.adminUpload} params={{ userId: account.id }} className={buttonClass()}>
          <Upload size={18} strokeWidth={1.75} aria-hidden />
          Upload Data
        </Link>
      )}
      {!account.isYou && (
        <Button
          variant="danger"
          icon={<Trash2 size={18} strokeWidth={1.75} aria-hidden />}
          aria-disabled={reason !== undefined}
          title={reason}
          onClick={() => !reason && remove()}
        >
          Delete
        </Button>
      )}
    </>
  );
}
