import { sayError } from '@kc/rules/messages';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../session/session.ts';
import { Badge } from '../../ui/badge.tsx';

/** A plain diagnostics page: shows what works in this browser. */
export function TestScreen() {
  const { data: session, error, isPending } = useQuery({ ...sessionQuery, staleTime: 0 });
  const reached = session !== undefined && error === null;
  return (
    <div className="mx-auto w-full max-w-180 px-4 py-8 md:px-6 short:py-4">
      <h1 className="text-h1">Test</h1>
      <p className="mt-2 text-body text-muted">
        This page loaded. Below is what works between this browser and the server.
      </p>
      <dl className="mt-6 divide-y divide-line rounded-card border border-line bg-surface px-4">
        <Line name="API">{isPending ? 'Asking…' : <Verdict works={reached} yes="Reachable" no="Not reachable" />}</Line>
        {error && <Line name="Reason">{sayError(error)}</Line>}
        {session && <Line name="Server version">{session.server.version}</Line>}
        {session && <Line name="Signed in as">{session.account?.email ?? 'Nobody'}</Line>}
        {capabilitiesOf(globalThis).map(({ name, works }) => (
          <Line key={name} name={name}>
            <Verdict works={works} yes="Works" no="Missing" />
          </Line>
        ))}
      </dl>
    </div>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 py-2">
      <dt className="text-body text-muted">{name}</dt>
      <dd className="min-w-0 text-right text-body wrap-anywhere">{children}</dd>
    </div>
  );
}

type VerdictProps = { readonly works: boolean; readonly yes: string; readonly no: string };

function Verdict({ works, yes, no }: VerdictProps) {
  return (
    <Badge tone={works ? 'ok' : 'bad'} dot>
      {works ? yes : no}
    </Badge>
  );
}

type Capability = { readonly name: string; readonly works: boolean };

/** The browser features that the product uses, and whether this browser has them. */
function capabilitiesOf(browser: typeof globalThis): readonly Capability[] {
  return [
    { name: 'Workers', works: 'Worker' in browser },
    { name: 'Drawing off the main thread', works: 'OffscreenCanvas' in browser },
    { name: 'Live events', works: 'EventSource' in browser },
    { name: 'Page transitions', works: 'startViewTransition' in browser.document },
    { name: 'Local storage', works: storageWorks(browser) },
  ];
}

/** A browser with storage disabled throws as soon as the property is read. */
function storageWorks(browser: typeof globalThis): boolean {
  try {
    return browser.localStorage.length >= 0;
  } catch {
    return false;
  }
}
