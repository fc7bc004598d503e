import type { Explorer } from '../../model/explorer.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';

/** The sections of a report, in their order. */
export const reportParts = ['picture', 'opportunities', 'plan', 'warnings', 'changes', 'method'] as const;
export type ReportPart = (typeof reportParts)[number];

export const partNames: Readonly<Record<ReportPart, string>> = {
  picture: 'Picture',
  opportunities: 'Top opportunities',
  plan: 'Plan',
  warnings: 'Warnings',
  changes: 'What changed',
  method: 'How these figures were made',
};

/** The sections that these data can have. @param hasPicture whether a chart is shown, which a table is not */
export function possibleParts(
  { isKept, hasWarnings }: Pick<Explorer, 'isKept' | 'hasWarnings'>,
  { vs }: Pick<ExplorerState, 'vs'>,
  hasPicture: boolean,
): ReportPart[] {
  const isPossible: Readonly<Record<ReportPart, boolean>> = {
    picture: hasPicture,
    opportunities: true,
    plan: isKept,
    warnings: hasWarnings,
    changes: vs !== undefined,
    method: true,
  };
  return reportParts.filter((part) => isPossible[part]);
}
