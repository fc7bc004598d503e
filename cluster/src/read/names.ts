import { isDate } from '../../../pack/src/upload/entry-dates.ts';
import { fieldOf, fold } from '../../../pack/src/upload/fields.ts';
import { trendField } from '../../../pack/src/upload/trend-columns.ts';
import { isNumbering } from '../../../pack/src/upload/unrecognised.ts';
import type { Meaning } from './reading.ts';

/** What the name of a column suggests; its values decide. */
export type Suggestion = {
  readonly meaning: Meaning;
  /** Of several columns with one meaning, the lowest is taken. */
  readonly rank: number;
};

/** The names of levels of a grouping, from the top down. */
const levelNames = [
  ['pillar', 'pillar topic', 'hub'],
  ['topic'],
  ['group', 'keyword group', 'group name', 'ad group'],
  ['category', 'keyword category'],
  ['parent', 'parent keyword', 'parent topic', 'core keyword', 'main keyword'],
  ['subtopic', 'subcategory'],
  ['cluster', 'cluster name', 'topic cluster', 'keyword cluster'],
  ['page'],
].map((names) => names.map(fold));

/**
 * Where a column stands in a grouping by its name: 0 is the top. Undefined for a name that is no level's. "Tier 2" and
 * "Level 2" stand by their numbers.
 */
export function levelRank(name: string): number | undefined {
  const numbered = /^(?:tier|level)(\d{1,2})$/u.exec(fold(name));
  if (numbered) return Number(numbered[1]) / 100;
  const rank = levelNames.findIndex((names) => names.includes(fold(name)));
  return rank < 0 ? undefined : rank;
}

/** Whether the name of a column allows it to be a level: not tags, notes and other fields that are known to be none. */
export function mayBeLevel(name: string): boolean {
  const meaning = suggestionOf(name)?.meaning;
  return levelRank(name) !== undefined || (meaning !== 'keep' && meaning !== 'leaveOut');
}

/** What a column name suggests; undefined for an unknown name. A level of a grouping suggests "keep" until it is ordered. */
export function suggestionOf(name: string): Suggestion | undefined {
  if (levelRank(name) !== undefined && fieldOf(name)?.name !== 'page') return { meaning: 'keep', rank: 0 };
  if (isDate(name)) return { meaning: 'date', rank: 0 };
  const field = fieldOf(name);
  switch (field?.name) {
    case undefined:
      if (trendField(name) >= 0) return { meaning: 'trendMonth', rank: 0 };
      return isNumbering(name) ? { meaning: 'leaveOut', rank: 0 } : undefined;
    case 'page':
      // After all other spellings of an address.
      return { meaning: 'url', rank: 100 };
    case 'competitors':
      return { meaning: 'resultUrl', rank: field.rank };
    case 'updated':
      return { meaning: 'date', rank: 1 };
    case 'parent':
    case 'tags':
    case 'status':
    case 'notes':
    case 'funnelStage':
      return { meaning: 'keep', rank: field.rank };
    default:
      return { meaning: field!.name, rank: field!.rank };
  }
}

export const isKeywordName = (name: string): boolean => fieldOf(name)?.name === 'keyword';

/** Whether a header cell is the name of a field or of a level. */
export const isKnownName = (name: string): boolean => {
  const meaning = suggestionOf(name)?.meaning;
  return meaning !== undefined && meaning !== 'leaveOut';
};
