import { type Level, levels } from '../vocabulary/choices.ts';

/** The levels between pillars and keywords. */
export type TopicLevel = Extract<Level, 'clusters' | 'subtopics'>;

/** Types are as spelled in the file. */
const isType = (wanted: string) => (type: string) => type.trim().toLowerCase() === wanted;
export const isClusterType = isType('cluster');
export const isSubtopicType = isType('subtopic');
/** The type of a node that holds the keywords that are in no topic. */
export const isStrayType = isType('stray');

/**
 * The levels of a map by the types of its nodes, the widest first. Without nodes of type `subtopic`, these are pillars, clusters and
 * keywords.
 *
 * @param isOutside whether subtopics contain clusters; usually clusters contain subtopics
 */
export function levelsWith(types: readonly string[], isOutside: boolean): readonly Level[] {
  if (!types.some(isSubtopicType)) return ['pillars', 'clusters', 'keywords'];
  if (!types.some(isClusterType)) return ['pillars', 'subtopics', 'keywords'];
  return isOutside ? ['pillars', 'subtopics', 'clusters', 'keywords'] : levels;
}

/** The level of the smallest topics, each of which is to be one page of a site. */
export const pageLevel = (of: readonly Level[]): TopicLevel => (of.at(-2) === 'subtopics' ? 'subtopics' : 'clusters');

/**
 * The rank of the row that stands for a node in a list: the node itself, else the nearest row that contains it, else the first row
 * inside it, else the first row of the list.
 */
export type ListPlace = { readonly rank: number; readonly is: 'same' | 'around' | 'inside' | 'first' };
