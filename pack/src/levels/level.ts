/** A flat list of what lies within a focus. The hierarchy itself is no such list. */
export const levels = ['pillars', 'clusters', 'keywords'] as const;
export type Level = (typeof levels)[number];

/**
 * The rank for a node in a list: its own row, else the nearest one that contains it, else the first one inside it, else
 * the first of the list.
 */
export type ListPlace = { readonly rank: number; readonly is: 'same' | 'around' | 'inside' | 'first' };
