import { client } from '../../api/client.ts';
import type { WarningCalls } from '../../explore/model/source.ts';

/** Warnings about the data of a visualization, computed and judged on the server. */
export function warningCallsOf(id: string): WarningCalls {
  return {
    summary: (filter, signal) => client.warnings.summary({ id, filter }, { signal }),
    page: (kind, from, filter, signal) => client.warnings.page({ id, kind, from, filter }, { signal }),
    ofNode: (node, filter, signal) => client.warnings.ofNode({ id, node, filter }, { signal }),
    marks: (filter, withUnknown, signal) =>
      client.warnings.marks({ id, filter, ...(withUnknown && { unknown: 'yes' as const }) }, { signal }),
    setThresholds: (thresholds) => client.warnings.setThresholds({ id, thresholds }),
    dismissed: (signal) => client.warnings.dismissed({ id }, { signal }),
    dismiss: async ({ kind, address, subject }) =>
      (await client.warnings.dismiss({ id, kind, node: address, ...(subject !== undefined && { subject }) })).dismissed,
    restore: (dismissed) => client.warnings.restore({ id, dismissed }),
  };
}
