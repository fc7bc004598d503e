import type { FastifyPluginAsync } from 'fastify';
import { type LinkEventDeps, linkEventRoutes } from './link-events.ts';
import { type LinkDeps, linkRoutes } from './link-routes.ts';

/** What the app registers of links to visualizations. What their visitors read is served by visualizations themselves. */
export function linkMount(deps: LinkDeps & LinkEventDeps): {
  readonly routes: ReturnType<typeof linkRoutes>;
  readonly raw: FastifyPluginAsync;
} {
  return { routes: linkRoutes(deps), raw: linkEventRoutes(deps) };
}
