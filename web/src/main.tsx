import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from './api/query-client.ts';
import { startLoadingOverlay } from './frame/loading-overlay.ts';
import { makeRouter } from './routes.tsx';
import { sessionQuery } from './session/session.ts';

const queries = makeQueryClient(() => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }));
const router = makeRouter(queries);
startLoadingOverlay(router);
addEventListener('unhandledrejection', ignoreSkippedTransition);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

/** Ignores the AbortError of a page transition that a newer navigation skipped. The router does not handle it. */
function ignoreSkippedTransition(event: PromiseRejectionEvent): void {
  const { reason } = event;
  const skipped = reason instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(reason.name);
  if (skipped && /transition/i.test(reason.message)) event.preventDefault();
}
