import * as z from 'zod/mini';
import { api } from './contract-call.ts';
import { limits } from './limits.ts';
import { filter, id, row } from './shapes.ts';
import { storableText } from './storable-text.ts';
import {
  dismissedWarning,
  nodeId,
  warningKind,
  warningLine,
  warningMarks,
  warningPage,
  warningSummary,
  warningThresholds,
} from './warning-shapes.ts';

const asked = { id, filter };

/**
 * Warnings about what the conditions of a filter on keywords keep, by the kept thresholds of the data. What was
 * dismissed and the thresholds belong to all data that an owner has under the same root; everybody has their own for
 * the sample.
 */
export const warnings = {
  summary: api
    .route({ method: 'GET', path: '/visualizations/{id}/warnings' })
    .meta({ who: 'approved' })
    .input(z.object(asked))
    .output(warningSummary),
  /** The warnings of a kind after the first `from`, those that affect most volume first. */
  page: api
    .route({ method: 'GET', path: '/visualizations/{id}/warnings/{kind}' })
    .meta({ who: 'approved' })
    .input(
      z.object({
        ...asked,
        kind: warningKind,
        from: z.optional(row),
        count: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(limits.maxWarningsAtATime))),
      }),
    )
    .output(warningPage),
  /** The warnings about one node. */
  ofNode: api
    .route({ method: 'GET', path: '/visualizations/{id}/nodes/{node}/warnings' })
    .meta({ who: 'approved' })
    .input(z.object({ ...asked, node: row }))
    .output(z.array(warningLine)),
  /** What the map marks; `unknown`: with mostly unknown clusters. */
  marks: api
    .route({ method: 'GET', path: '/visualizations/{id}/warning-marks' })
    .meta({ who: 'approved' })
    .input(z.object({ ...asked, unknown: z.optional(z.enum(['yes'])) }))
    .output(warningMarks),
  setThresholds: api
    .route({ method: 'PUT', path: '/visualizations/{id}/warning-thresholds' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, thresholds: warningThresholds }))
    .output(warningThresholds),
  /** What was dismissed, newest first. */
  dismissed: api
    .route({ method: 'GET', path: '/visualizations/{id}/dismissed' })
    .meta({ who: 'approved' })
    .input(z.object({ id }))
    .output(z.array(dismissedWarning)),
  /** Says that a warning is no problem. `node` and `subject` are those of its line. Saying it again changes nothing. */
  dismiss: api
    .route({ method: 'PUT', path: '/visualizations/{id}/dismissed' })
    .meta({ who: 'approved' })
    .input(
      z.strictObject({
        id,
        kind: warningKind,
        node: nodeId,
        subject: z.optional(storableText({ max: limits.maxWarningSubject })),
      }),
    )
    .output(z.object({ dismissed: z.string() })),
  /** Shows a dismissed warning again, by the ID in the list. */
  restore: api
    .route({ method: 'DELETE', path: '/visualizations/{id}/dismissed' })
    .meta({ who: 'approved' })
    .input(z.strictObject({ id, dismissed: id }))
    .output(z.object({ dismissed: z.string() })),
};
