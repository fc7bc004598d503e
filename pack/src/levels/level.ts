/** A flat list of what lies within a focus. The hierarchy itself is no such list. */
export const levels = ['pillars', 'clusters', 'subtopics', 'keywords'] as const;
export type Level = (typeof levels)[number];

/** What a plot shows: a level, or the children of the focus, which may be of several. */
export const pointLevels = [...levels, 'children'] as const;
export type PointLevel = (typeof pointLevels)[number];

/** The levels between pillars and keywords. */
export type TopicLevel = Extract<Level, 'clusters' | 'subtopics'>;

/** Types are as spelled in the file. */
const isType = (wanted: string) => (type: string) => type.trim().toLowerCase() === wanted;
export const isClusterType = isType('cluster');
export const isSubtopicType = isType('subtopic');
/** What holds the keywords that are in no topic. */
export const isStrayType = isType('stray');

/**
 * The levels of a map by the types of its nodes, the widest first. Without subtopics, these are pillars, clusters and
 * keywords, whatever the types.
 *
 * @param isOutside whether subtopics contain clusters, where usually clusters contain subtopics
 */
export function levelsWith(types: readonly string[], isOutside: boolean): readonly Level[] {
  if (!types.some(isSubtopicType)) return ['pillars', 'clusters', 'keywords'];
  if (!types.some(isClusterType)) return ['pillars', 'subtopics', 'keywords'];
  return isOutside ? ['pillars', 'subtopics', 'clusters', 'keywords'] : levels;
}

/** The level of the smallest topics: each of them is a page of a site. */
export const pageLevel = (of: readonly Level[]): TopicLevel => (of.at(-2) === 'subtopics' ? 'subtopics' : 'clusters');

/**
 * The rank for a node in a list: its own row, else the nearest one that contains it, else the first one inside it, else
 * the first of the list.
 */
export type ListPlace = { readonly rank: number; readonly is: 'same' | 'around' | 'inside' | 'first' };
