import { sayRefusal } from '@kc/rules/entry-messages';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toRefusal } from '../../api/refusal.ts';
import { SpaceCard } from './space-card.tsx';
import { SpentLink } from './spent-link.tsx';

type Props<T> = {
  readonly subtitle: string;
  /** What the link's token stands for. */
  readonly read: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
};

/** The card that a mailed or printed link leads to: it is read first, and says so when it is good no more. */
export function LinkCard<T>({ subtitle, read, children }: Props<T>) {
  return (
    <SpaceCard
      title="Keyword Clustering"
      subtitle={read.isError ? 'This link cannot be used' : subtitle}
      lit={{ parent: read.isSuccess, children: false }}
    >
      {read.isError && <SpentLink text={sayRefusal(toRefusal(read.error))} />}
      {read.isPending && <p className="py-8 text-center text-space-muted">Reading the link...</p>}
      {read.isSuccess && children(read.data)}
    </SpaceCard>
  );
}
