import type { NodePath } from '@kc/pack/plan/node-paths';
import type { LinkKind } from '@kc/rules/link';
import type { PlanFields } from '@kc/rules/plan';

/** The plan as a table, an outline or a workbook; or a brief for each entry, as Markdown, a page or data. */
export type HandoverForm = 'csv' | 'md' | 'xlsx' | 'briefs.md' | 'briefs.html' | 'briefs.json';

/** An entry of a plan, with the figures of its node when it last had one. */
export type PlannedRow = {
  readonly id: string;
  readonly kind: 'branch' | 'keyword';
  readonly paths: readonly NodePath[];
  readonly fields: PlanFields;
  readonly keywords: number;
  readonly volume: number | null;
};

/** For whom a file is made: somebody whose account may use the plan, or visitors of a link, which may leave the plan out. */
export type HandoverReader = { readonly who: 'team' | LinkKind; readonly seesPlan: boolean };

/** The content of a handover. */
export type HandoverQuery = {
  readonly reader: HandoverReader;
  readonly form: HandoverForm;
  /** The entries of the plan; or all clusters, with what is planned for them. */
  readonly of: 'plan' | 'clusters';
  /** Only what is at or below this row. */
  readonly node: number;
  /** Only what is at or below any of these rows; undefined for no such limit. */
  readonly rows: readonly number[] | undefined;
  /**
   * Only these nodes, by their IDs, whether they are planned or not; undefined for no such limit. What the upload does not have
   * is left out.
   */
  readonly nodes: readonly string[] | undefined;
  /** List at most so many keywords of each entry; undefined for what the form usually lists. */
  readonly top: number | undefined;
  /** Canonical; empty for none. */
  readonly filter: string;
  /** Canonical; undefined for the usual score of the file. */
  readonly score: string | undefined;
  /** Everything that is in the plan. */
  readonly entries: readonly PlannedRow[];
  readonly source: HandoverSource;
};

/** Whom a link is for, who made it (empty if that is an email), and when it ends, in milliseconds since 1970. */
export type SharedNote = { readonly with: string; readonly by: string; readonly until: number };

/** What the file says about where it comes from. */
export type HandoverSource = {
  readonly fileName: string;
  readonly description: string;
  /** Milliseconds since 1970. */
  readonly uploadedAt: number;
  readonly now: number;
  /** The newest month of its trends, as in `2026-04`, if somebody stated it. */
  readonly newestMonth: string | undefined;
  /** Months between publishing a page and the peak that it is for. */
  readonly lead: number;
  /** The address of the visualization, to which `&sel=` and the ID of a node are added; undefined for visitors of a link. */
  readonly link: string | undefined;
  /** For visitors of a link. */
  readonly shared: SharedNote | undefined;
};
