import { sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import { Link2 } from 'lucide-react';
import { Suspense } from 'react';
import { useSignOut } from '../../session/change-session.ts';
import { lazyPart } from '../../ui/lazy-boundary.tsx';
import { OverlayRegion } from '../../ui/popup.tsx';
import { SpaceMessage, spaceButtonClass } from '../../ui/space.tsx';
import { MessagePlace, ToastProvider } from '../../ui/toast.tsx';
import { captionOf } from '../share-links/link-line.tsx';
import { useLink } from './use-link.ts';

const LinkExplorer = lazyPart(async () => (await import('./link-explorer.tsx')).LinkExplorer);

/** The page of a link: one visualization, to read. It needs no account unless the link is for one. */
export function LinkScreen() {
  const shared = useLink();
  if (shared.state === 'refused') return <Refused code={shared.refusal.code} text={sayRefusal(shared.refusal)} />;
  return (
    <OverlayRegion>
      <ToastProvider lifeMs={limits.bannerMs}>
        <div className="flex h-dvh min-h-96 flex-col">
          <header className="flex shrink-0 flex-wrap items-center gap-2 bg-info-soft px-3 py-1.5 text-small text-info presenting:hidden">
            <Link2 size={16} className="shrink-0" />
            <p className="m-0 min-w-0 wrap-anywhere">
              {shared.state === 'open' ? captionOf(shared.page) : 'Opening the link…'}
            </p>
            <MessagePlace className="ml-auto" />
          </header>
          <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
            <Suspense fallback={<Loading />}>
              {shared.state === 'open' ? <LinkExplorer page={shared.page} /> : <Loading />}
            </Suspense>
          </main>
        </div>
      </ToastProvider>
    </OverlayRegion>
  );
}

function Loading() {
  return (
    <div className="flex flex-1 flex-col bg-canvas">
      <h1 className="sr-only">Shared visualization</h1>
      <p role="status" className="sr-only">
        Loading the visualization
      </p>
    </div>
  );
}

/** Nothing of the visualization stays on the page. */
function Refused({ code, text }: { readonly code: string; readonly text: string }) {
  // Without its cookie the page only knows the name of the link.
  const message = code === 'session/required' ? sayRefusal({ code: 'link/reopen' }) : text;
  return (
    <main className="flex min-h-dvh flex-col">
      <div role="alert" className="flex flex-1 flex-col">
        <SpaceMessage title={titles[code] ?? 'This page cannot be shown'} text={message}>
          {code === 'link/sign-in' && (
            <a href={paths.login} className={spaceButtonClass}>
              Sign in
            </a>
          )}
          {code === 'link/other-account' && <SignOut />}
        </SpaceMessage>
      </div>
    </main>
  );
}

/** A signed-in user is not sent to a sign-in page first. */
function SignOut() {
  const signOut = useSignOut();
  return (
    <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()} className={spaceButtonClass}>
      Sign Out
    </button>
  );
}

const titles: Readonly<Record<string, string>> = {
  'link/ended': 'Link ended',
  'link/resting': 'Link not available',
  'link/sign-in': 'Sign in first',
  'link/other-account': 'Another account',
  'session/required': 'Open the link again',
  'link/reopen': 'Open the link again',
  'request/invalid': 'Link incomplete',
};
