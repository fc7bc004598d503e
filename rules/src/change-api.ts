import * as z from 'zod/mini';
import { changedNode, changeLevel, changeName, changesPage, thresholdText } from './change-shapes.ts';
import { api } from './contract-call.ts';
import { filter, id, row } from './shapes.ts';

/** The calls about what changed between two uploads: part of those about visualizations. */
export const changeCalls = {
  /**
   * What changed from the earlier upload `vs` of the same owner: counts, and a page of the changed nodes from `from`
   * on. `ct`: thresholds. `within`: a branch, whose nodes and what is gone from it are counted and listed.
   */
  changes: api
    .route({ method: 'GET', path: '/visualizations/{id}/changes' })
    .meta({ who: 'approved' })
    .input(
      z.object({
        id,
        vs: id,
        level: z.optional(changeLevel),
        kind: z.optional(changeName),
        from: z.optional(row),
        within: z.optional(row),
        ct: z.optional(thresholdText),
        filter,
      }),
    )
    .output(changesPage),
  /** How one node changed from the earlier upload `vs`. */
  change: api
    .route({ method: 'GET', path: '/visualizations/{id}/nodes/{node}/change' })
    .meta({ who: 'approved' })
    .input(z.object({ id, node: row, vs: id, ct: z.optional(thresholdText), filter }))
    .output(changedNode),
};
