import type { Visualization } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../api/client.ts';
import { SavedLinks } from '../../explore/panels/saved-views/saved-links.tsx';
import { useMe } from '../../session/session.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { isOwn } from './choice.ts';
import { OwnerSelect } from './owner-select.tsx';
import { VisualizationList } from './visualization-list.tsx';

type PickerBodyProps = {
  readonly current: Visualization;
  /** One's own. */
  readonly all: readonly Visualization[];
  readonly onChosen: () => void;
  readonly onDescribe: (one: Visualization) => void;
  readonly freshness: ReactNode;
};

/** Everything there is to explore: one's own, and for admins anybody's, beginning with whose they are looking at. */
export function PickerBody({ current, all, onChosen, onDescribe, freshness }: PickerBodyProps) {
  const me = useMe();
  const [owner, setOwner] = useState(isOwn(current, all) ? undefined : current.userId);
  const ofOther = useQuery({
    queryKey: ['visualizations', owner],
    queryFn: ({ signal }) => client.visualizations.list({ userId: owner }, { signal }),
    enabled: owner !== undefined,
  });
  const listed = owner === undefined ? all : ofOther.data;
  return (
    <div className="flex flex-col gap-2">
      {me?.isAdmin && (
        <div className="px-1 pt-1">
          <OwnerSelect you={me.account?.id} chosen={owner ?? me.account?.id} onChange={setOwner} />
        </div>
      )}
      {listed ? (
        <>
          <VisualizationList all={listed} current={current} onChosen={onChosen} onDescribe={onDescribe} />
          {listed.length === 0 && <p className="m-0 px-3 py-2 text-small text-muted">No visualizations yet</p>}
        </>
      ) : (
        <LoadingList />
      )}
      <SavedLinks onChosen={onChosen} />
      <div className="flex justify-end px-2 pb-1">{freshness}</div>
    </div>
  );
}

export function LoadingList() {
  return (
    <div role="status" className="flex flex-col gap-2 p-2">
      <span className="sr-only">Loading your visualizations</span>
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  );
}
