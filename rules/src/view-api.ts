import * as z from 'zod/mini';
import { api } from './contract-call.ts';
import { limits } from './limits.ts';
import { id, row, savedView, viewName, viewState } from './shapes.ts';

/**
 * The user's own views of the data of a visualization, that is, of all data that its owner has under the same root.
 */
export const views = {
  list: api
    .route({ method: 'GET', path: '/visualizations/{id}/views' })
    .meta({ who: 'approved' })
    .input(z.object({ id }))
    .output(z.array(savedView)),
  /** Appended to the list, or inserted at position `at`, counted from 0. */
  save: api
    .route({ method: 'POST', path: '/visualizations/{id}/views' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, name: viewName, state: viewState, at: z.optional(row) }))
    .output(savedView),
  /** The named views come first, in this order; unknown IDs are ignored. */
  order: api
    .route({ method: 'PUT', path: '/visualizations/{id}/views/order' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, ids: z.array(id).check(z.maxLength(limits.maxSavedViews)) }))
    .output(z.array(savedView)),
  rename: api
    .route({ method: 'PUT', path: '/views/{id}/name' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, name: viewName }))
    .output(savedView),
  remove: api
    .route({ method: 'DELETE', path: '/views/{id}' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id }))
    .output(z.object({ id })),
};
