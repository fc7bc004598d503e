import { sayError } from '@kc/rules/all-messages';
import { paths } from '@kc/rules/paths';
import type { Visualization } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { client } from '../../api/client.ts';
import { SavedViewLinks } from '../../explore/panels/saved/views-panel.tsx';
import { useMe, useScreenSettings } from '../../session/session.ts';
import { RetryBanner } from '../../ui/banner.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { PersonSelect } from '../../ui/person-select.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { isOwn } from './choice.ts';
import { VisualizationList } from './visualization-list.tsx';

type PickerBodyProps = {
  readonly current: Visualization;
  /** The user's own visualizations. */
  readonly all: readonly Visualization[];
  readonly onChosen: () => void;
  readonly onDescribe: (one: Visualization) => void;
  readonly freshness: ReactNode;
  readonly onCompare?: ((id: string) => void) | undefined;
};

/**
 * All visualizations that the user can open: their own, and for administrators those of others, starting with the owner
 * of the current one.
 */
export function PickerBody({ current, all, onChosen, onDescribe, freshness, onCompare }: PickerBodyProps) {
  const me = useMe();
  const [owner, setOwner] = useState(isOwn(current, all) ? undefined : current.userId);
  const ofOther = useQuery({
    queryKey: ['visualizations', owner],
    queryFn: ({ signal }) => client.visualizations.list({ userId: owner }, { signal }),
    enabled: owner !== undefined,
  });
  const listed = owner === undefined ? all : ofOther.data;
  const canImport = useScreenSettings()?.userImports || me?.isAdmin;
  return (
    <div className="flex flex-col gap-2">
      {me?.isAdmin && (
        <div className="px-1 pt-1">
          <OwnerSelect you={me.account?.id} chosen={owner ?? me.account?.id} onChange={setOwner} />
        </div>
      )}
      {listed ? (
        <>
          <VisualizationList
            key={owner ?? ''}
            all={listed}
            current={current}
            onChosen={onChosen}
            onDescribe={onDescribe}
            onCompare={onCompare}
          />
          {listed.length === 0 && <p className="m-0 px-3 py-2 text-small text-muted">No visualizations yet</p>}
        </>
      ) : ofOther.isError ? (
        <RetryBanner of={ofOther}>{sayError(ofOther.error)}</RetryBanner>
      ) : (
        <div role="status" className="flex flex-col gap-2 p-2">
          <span className="sr-only">Loading your visualizations</span>
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
      )}
      <SavedViewLinks onChosen={onChosen} />
      <div className="flex flex-wrap items-center justify-between gap-2 px-2 pb-1">
        {canImport && (
          <Link to={paths.import} className={buttonClass('ghost', 'dense')} onClick={onChosen}>
            <ListPlus size={16} />
            Import a list
          </Link>
        )}
        <div className="ml-auto">{freshness}</div>
      </div>
    </div>
  );
}

type OwnerSelectProps = {
  /** The ID of the signed-in user. */
  readonly you: string | undefined;
  readonly chosen: string | undefined;
  /** Called with an account ID; `undefined` for the user's own. */
  readonly onChange: (id: string | undefined) => void;
};

/** The account whose visualizations an administrator sees, searchable by email or name. */
function OwnerSelect({ you, chosen, onChange }: OwnerSelectProps) {
  const accounts = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => client.accounts.list(undefined, { signal }),
  });
  const people = (accounts.data ?? []).filter((one) => !one.isSample).sort((a, b) => Number(b.isYou) - Number(a.isYou));
  return (
    <PersonSelect
      label="Visualizations of"
      people={people}
      chosen={people.find((one) => one.id === chosen)}
      labelOf={({ email, isYou }) => (isYou ? `You (${email})` : email)}
      noneLabel={accounts.isPending ? 'Loading users...' : 'You'}
      onChange={(id) => onChange(id === you ? undefined : id)}
      disabled={!accounts.data}
    />
  );
}
