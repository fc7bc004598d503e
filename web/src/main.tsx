import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from './api/query-client.ts';
import { startLoadingOverlay } from './frame/loading-overlay.ts';
import { ignoreSkippedTransition } from './frame/skipped-transitions.ts';
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
