import { say, sayError } from '@kc/rules/entry-messages';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ErrorComponentProps, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery, useMe } from '../session/session.ts';
import { Banner, BannerButton } from '../ui/banner.tsx';
import { reloadIfServed } from '../ui/reload.ts';
import { SpaceMessage, spaceButtonClass } from '../ui/space.tsx';
import { followNewBuild, MissingScript } from './lazy-screen.ts';

/** The frame of every page. Runs the guards again whenever the session changes. */
export function RootFrame() {
  useGuardsFollowSession();
  useDataOfOneAccount();
  return (
    <>
      <PageChanges />
      <OtherVersion />
      <Outlet />
    </>
  );
}

function useGuardsFollowSession(): void {
  const router = useRouter();
  const { data } = useQuery({ ...sessionQuery, enabled: false });
  const key = data && [data.account?.id, data.status, data.isAdmin].join();
  const lastKey = useRef(key);
  useEffect(() => {
    if (lastKey.current === key) return;
    const first = lastKey.current === undefined;
    lastKey.current = key;
    if (!first) void router.invalidate();
  }, [key, router]);
}

/**
 * Somebody else may have signed in in another tab of this browser: then this page has their session, too, and what it
 * loaded for the previous user is loaded again.
 */
function useDataOfOneAccount(): void {
  const queries = useQueryClient();
  const { data } = useQuery({ ...sessionQuery, enabled: false });
  const id = data?.account?.id;
  const lastId = useRef(id);
  useEffect(() => {
    const before = lastId.current;
    if (id === undefined || id === before) return;
    lastId.current = id;
    if (before === undefined) return;
    void queries.resetQueries({
      // What a page that is about to open has just requested is requested in the new session.
      predicate: (query) =>
        query.queryKey[0] !== sessionQuery.queryKey[0] && (query.isActive() || query.state.fetchStatus === 'idle'),
    });
  }, [id, queries]);
}

const product = 'Keyword Clustering';

/** The document title for a page. */
const pageTitle = (page: string): string => (page ? `${page} · ${product}` : product);

/** After a navigation: updates the document title, focuses the page's heading and so announces the page. */
function PageChanges() {
  const router = useRouter();
  const [announced, setAnnounced] = useState('');

  useEffect(() => {
    return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const page = router.state.matches.findLast((match) => match.staticData.title)?.staticData.title ?? '';
      if (!pathChanged && fromLocation) return;
      document.title = pageTitle(page);
      if (!fromLocation) return;
      setAnnounced(page);
      focusHeading();
    });
  }, [router]);

  return (
    <p className="sr-only" aria-live="polite">
      {announced}
    </p>
  );
}

/** A screen that has focused something itself, such as its first field, keeps the focus there. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  const placed = document.activeElement?.closest('main');
  if (!heading || placed) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Warns when the server has a different version than this page, because its API may differ. */
function OtherVersion() {
  const me = useMe();
  if (!me || me.server.version === __PRODUCT_VERSION__) return null;
  return (
    <div className="bg-bg p-2">
      <Banner tone="error" actions={<BannerButton onClick={() => location.reload()}>Refresh Page</BannerButton>}>
        {say('fault/other-version')}
      </Banner>
    </div>
  );
}

/**
 * The error screen: reports that the page failed, offers to reload it, and has collapsible details. It stays while the
 * server cannot be reached, because then a reload would leave only the browser's own error page.
 */
export function ErrorScreen({ error }: ErrorComponentProps) {
  const [isCutOff, setCutOff] = useState(false);
  const isMissing = error instanceof MissingScript;
  useEffect(() => {
    document.title = pageTitle('Something went wrong');
    if (error instanceof MissingScript) void followNewBuild(error);
  }, [error]);

  async function tryAgain(): Promise<void> {
    setCutOff(false);
    setCutOff(!(await reloadIfServed()));
  }

  return (
    <main className="flex min-h-dvh flex-col">
      <SpaceMessage
        title="Oops! Something went wrong"
        text={
          isMissing
            ? say('screen/not-loaded')
            : 'This page could not be shown. Your data is safe; loading the page again usually helps.'
        }
      >
        <button type="button" className={spaceButtonClass} onClick={() => void tryAgain()}>
          Try Again
        </button>
        <p role="status" className="text-small text-space-bad empty:hidden">
          {isCutOff && say('fault/offline')}
        </p>
        <details className="max-w-md text-small text-space-muted">
          <summary className="cursor-pointer py-2">Technical details</summary>
          <p className="mt-1 select-all rounded-control bg-space-0 p-3 text-left font-mono wrap-anywhere">
            {isMissing ? String(error.cause) : `${sayError(error)} — ${String(error)}`}
          </p>
        </details>
      </SpaceMessage>
    </main>
  );
}
