import { sayRefusal } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toRefusal } from '../../api/refusal.ts';
import { Banner } from '../../ui/banner.tsx';
import { spaceButtonClass } from '../../ui/space.tsx';
import { SpaceCard } from './space-card.tsx';

type Props<T> = {
  readonly subtitle: string;
  /** What the link's token stands for. */
  readonly read: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
};

/** The page that a mailed or printed link leads to. Checks the link first, and says so if it is no longer valid. */
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

/** The part of a mutation that describes its failure. */
type Failing = { readonly error: Error | null; readonly submittedAt: number; readonly reset: () => void };

/** A temporary error banner on a Space surface; nothing while there is no error. */
export function RefusedBanner({ of: { error, submittedAt, reset } }: { readonly of: Failing }) {
  if (!error) return null;
  return (
    <Banner key={submittedAt} tone="error" surface="space" lifeMs={limits.bannerMs} onDismiss={reset}>
      {sayRefusal(toRefusal(error))}
    </Banner>
  );
}

/** Says why a mailed or printed link cannot be used. */
function SpentLink({ text }: { readonly text: string }) {
  return (
    <div className="flex flex-col gap-5">
      <Banner tone="error" surface="space">
        {text}
      </Banner>
      <Link to={paths.login} className={spaceButtonClass}>
        Go to sign in
      </Link>
    </div>
  );
}

/** The token in a link's fragment, as `#token=…` or bare `#…`. Fragments never reach a server or a log. */
export function tokenOf(hash: string): string {
  const fragment = hash.replace(/^#/, '');
  return new URLSearchParams(fragment).get('token') ?? fragment;
}
