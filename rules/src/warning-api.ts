import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import { filter, id, row } from './shapes.ts';
import { storableText } from './text-shapes.ts';
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

const query = { id, filter };

/**
 * Warnings about what the conditions of a filter on keywords keep, by the saved thresholds of the data. What was
 * dismissed and the thresholds belong to all data that an owner has under the same root; everybody has their own for
 * the sample.
 */
export const warnings = {
  summary: route('GET', '/visualizations/{id}/warnings', { who: 'approved', scope: 'read' })
    .input(z.object(query))
    .output(warningSummary),
  /** The warnings of a kind after the first `from`, those that affect most volume first. */
  page: route('GET', '/visualizations/{id}/warnings/{kind}', { who: 'approved', scope: 'read' })
    .input(
      z.object({
        ...query,
        kind: warningKind,
        from: z.optional(row),
        count: z.optional(z.coerce.number<number>().check(z.int(), z.gte(1), z.lte(limits.maxWarningsAtATime))),
      }),
    )
    .output(warningPage),
  /** The warnings about one node. */
  ofNode: route('GET', '/visualizations/{id}/nodes/{node}/warnings', { who: 'approved', scope: 'read' })
    .input(z.object({ ...query, node: row }))
    .output(z.array(warningLine)),
  /** What the map marks; `unknown`: with mostly unknown clusters. */
  marks: route('GET', '/visualizations/{id}/warning-marks', { who: 'approved', scope: 'read' })
    .input(z.object({ ...query, unknown: z.optional(z.enum(['yes'])) }))
    .output(warningMarks),
  setThresholds: route('PUT', '/visualizations/{id}/warning-thresholds', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, thresholds: warningThresholds }))
    .output(warningThresholds),
  /** What was dismissed, newest first. */
  dismissed: route('GET', '/visualizations/{id}/dismissed', { who: 'approved', scope: 'read' })
    .input(z.object({ id }))
    .output(z.array(dismissedWarning)),
  /** Dismisses a warning as no problem. `node` and `subject` are those of its line. Dismissing it again changes nothing. */
  dismiss: route('PUT', '/visualizations/{id}/dismissed', { who: 'approved', scope: 'plan' })
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
  restore: route('DELETE', '/visualizations/{id}/dismissed', { who: 'approved', scope: 'plan' })
    .input(z.strictObject({ id, dismissed: id }))
    .output(z.object({ dismissed: z.string() })),
};
