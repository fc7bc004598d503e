import type { FastifyPluginAsync } from 'fastify';
import { clusteringTimeRoutes } from './clustering-times.ts';
import { editingRoutes } from './editing-routes.ts';
import { createEditors } from './editors.ts';
import { listReadingRoutes } from './list-readings.ts';
import { type DraftRouteDeps, draftRoutes } from './routes.ts';
import type { ChangeDeps } from './wanted-change.ts';

export type DraftDeps = Omit<ChangeDeps, 'editors'> & DraftRouteDeps;

export type Drafts = {
  /** What the app registers. */
  readonly mount: {
    readonly routes: {
      readonly drafts: ReturnType<typeof editingRoutes> & ReturnType<typeof draftRoutes>;
      readonly clustering: ReturnType<typeof clusteringTimeRoutes>;
      readonly listReadings: ReturnType<typeof listReadingRoutes>;
    };
    readonly raw: FastifyPluginAsync;
  };
  /** To be called when the app no longer responds. */
  stop(): void;
};

/** Starts what drafts need: routes for the app, and the processes that edit. */
export function startDrafts(deps: DraftDeps): Drafts {
  const editors = createEditors(deps.memoryBytes);
  return {
    mount: {
      routes: {
        drafts: { ...draftRoutes(deps), ...editingRoutes({ ...deps, editors }) },
        clustering: clusteringTimeRoutes(deps.db),
        listReadings: listReadingRoutes(deps.db),
      },
      raw: async () => undefined,
    },
    stop: editors.stop,
  };
}
