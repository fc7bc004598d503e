import { splitAtStars } from '@kc/pack/levels/row-sort';

/** A column of a flat list as chosen: its ID, and its width in pixels if it was changed. */
export type ChosenColumn = { readonly id: string; readonly width?: number };

export const mostColumns = 24;
export const leastWidth = 48;
export const mostWidth = 640;

/**
 * Writes chosen columns, such as `name.220*volume*field:Stage`: joined by `*`, the width after a dot. In the name of a
 * field `*` and `.` are doubled.
 */
export const writeColumns = (columns: readonly ChosenColumn[]): string =>
  columns
    .map(({ id, width }) => {
      const written = id.replaceAll('.', '..').replaceAll('*', '**');
      return width === undefined ? written : `${written}.${Math.round(width)}`;
    })
    .join('*');

/** The columns of a text, each once; none if it has too many. Whether they exist is not known here. */
export function readColumns(text: string): readonly ChosenColumn[] {
  if (text === '') return [];
  const columns = new Map<string, ChosenColumn>();
  for (const part of splitAtStars(text)) {
    const width = /(?<!\.)(\.+)(\d{1,4})$/u.exec(part);
    // A doubled dot is one of the name.
    const isWidth = width !== null && width[1]!.length % 2 === 1;
    const id = (isWidth ? part.slice(0, width.index) + width[1]!.slice(1) : part).replaceAll('..', '.');
    if (id === '' || columns.has(id)) continue;
    columns.set(id, isWidth ? { id, width: withinWidths(Number(width[2])) } : { id });
  }
  return columns.size > mostColumns ? [] : [...columns.values()];
}

export const withinWidths = (px: number): number => Math.min(mostWidth, Math.max(leastWidth, Math.round(px)));
