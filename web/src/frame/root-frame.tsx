import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { sessionQuery } from '../session/session.ts';
import { OtherVersion } from './other-version.tsx';
import { PageChanges } from './page-changes.tsx';

/** Around every page: runs the guards again whenever who is asking has changed. */
export function RootFrame() {
  useGuardsFollowSession();
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
  const known = useRef(key);
  useEffect(() => {
    if (known.current === key) return;
    const first = known.current === undefined;
    known.current = key;
    if (!first) void router.invalidate();
  }, [key, router]);
}
