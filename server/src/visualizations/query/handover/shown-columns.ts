import type { HandoverReader } from './handover-query.ts';

/**
 * Whom a column is for, if not for everybody. `planned`: whoever may see the plan. `internal`: of these, everybody but
 * clients. `account`: people who can open the visualization themselves.
 */
export type ColumnAudience = 'planned' | 'internal' | 'account';

function isFor(audience: ColumnAudience | undefined, { who, seesPlan }: HandoverReader): boolean {
  switch (audience) {
    case undefined:
      return true;
    case 'planned':
      return seesPlan;
    case 'internal':
      return seesPlan && who !== 'client';
    case 'account':
      return who === 'team';
  }
}

/** The columns that a reader gets, and the cells of a row in them. */
export function shownColumns<Column extends { readonly audience?: ColumnAudience }>(
  columns: readonly Column[],
  reader: HandoverReader,
) {
  const isShown = columns.map(({ audience }) => isFor(audience, reader));
  return {
    columns: columns.filter((_, at) => isShown[at]),
    only: <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_, at) => isShown[at]),
  };
}
