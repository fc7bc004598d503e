import { sayError } from '@kc/rules/entry-messages';
import { paths } from '@kc/rules/paths';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { spaceButtonClass } from '../../ui/space.tsx';
import { SpaceCard } from './space-card.tsx';

type Props<T> = {
  readonly subtitle: string;
  /** What the link's token is for. */
  readonly read: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
};

/** The page that a mailed or printed link leads to. Checks the link first, and says so if it is no longer valid. */
export function LinkCard<T>({ subtitle, read, children }: Props<T>) {
  return (
    <SpaceCard
      subtitle={read.isError ? 'This link cannot be used' : subtitle}
      lit={{ parent: read.isSuccess, children: false }}
    >
      {read.isError && <LinkEnd tone="error" text={sayError(read.error)} to={paths.login} next="Go to sign in" />}
      {read.isPending && <p className="py-8 text-center text-space-muted">Reading the link...</p>}
      {read.isSuccess && children(read.data)}
    </SpaceCard>
  );
}

type EndProps = {
  readonly tone: 'error' | 'success';
  readonly text: string;
  readonly to: string;
  /** The text of the link to `to`. */
  readonly next: string;
};

/** Where a mailed or printed link ends: what became of it, and where to go from here. */
export function LinkEnd({ tone, text, to, next }: EndProps) {
  return (
    <div className="flex flex-col gap-5">
      <Banner tone={tone} surface="space">
        {text}
      </Banner>
      <Link to={to} className={spaceButtonClass}>
        {next}
      </Link>
    </div>
  );
}

/** The token in a link's fragment, as `#token=…` or bare `#…`. Fragments never reach a server or a log. */
export function tokenOf(hash: string): string {
  const fragment = hash.replace(/^#/, '');
  return new URLSearchParams(fragment).get('token') ?? fragment;
}
