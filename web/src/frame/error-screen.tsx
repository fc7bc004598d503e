import { sayRefusal } from '@kc/rules/entry-messages';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { toRefusal } from '../api/refusal.ts';
import { spaceButtonClass } from '../ui/space-button.ts';
import { SpaceMessage } from '../ui/space-message.tsx';
import { pageTitle } from './page-changes.tsx';

/** What is left when a page failed: says so, offers to load it again, keeps the details folded. */
export function ErrorScreen({ error }: ErrorComponentProps) {
  useEffect(() => {
    document.title = pageTitle('Something went wrong');
  }, []);
  return (
    <main className="flex min-h-dvh flex-col">
      <SpaceMessage
        title="Oops! Something went wrong"
        text="This page could not be shown. Your data is safe; loading the page again usually helps."
      >
        <button type="button" className={spaceButtonClass} onClick={() => location.reload()}>
          Try Again
        </button>
        <details className="max-w-md text-small text-space-muted">
          <summary className="cursor-pointer py-2">Technical details</summary>
          <p className="mt-1 select-all rounded-control bg-space-0 p-3 text-left font-mono wrap-anywhere">
            {sayRefusal(toRefusal(error))} — {String(error)}
          </p>
        </details>
      </SpaceMessage>
    </main>
  );
}
