import type { ChosenGrouping, GroupsPreview } from '@kc/cluster/lists/grouping-choice';
import type { DraftSettings, KeywordFilterShape } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { counted } from './draft-words.ts';

export type GroupBy = 'columns' | 'page' | 'folder' | 'results' | 'texts';
export type Results = Exclude<NonNullable<DraftSettings['results']>, 'off'>;

/** What a person chose about the map. Absent: as recognised, or the default. */
export type ImportChoices = {
  readonly groupBy?: GroupBy;
  /** Columns from the top level down. */
  readonly columns?: readonly string[];
  /** Levels of folders. */
  readonly folders?: FolderLevels;
  /** Only the rows of this market are used; all rows if absent. */
  readonly market?: string | undefined;
  readonly preset: DraftSettings['preset'];
  readonly filter: ImportFilter;
  readonly more: MoreSettings;
};

/** Which keywords are clustered, as it is typed: words and phrases with commas or line breaks between them. */
export type ImportFilter = { readonly minVolume: string; readonly leaveOut: string; readonly brands: string };
const noFilter: ImportFilter = { minVolume: '', leaveOut: '', brands: '' };

/** The filter that the server gets; undefined if it leaves nothing out and marks nothing. */
export function filterOf({ minVolume, leaveOut, brands }: ImportFilter): KeywordFilterShape | undefined {
  const phrases = (text: string): string[] =>
    text
      .split(/[,\n]/u)
      .map((phrase) => phrase.trim())
      .filter((phrase) => phrase !== '')
      .slice(0, limits.maxFilterPhrases);
  const filter = {
    ...(/^\d{1,9}$/u.test(minVolume.trim()) && { minVolume: Number(minVolume) }),
    ...(phrases(leaveOut).length > 0 && { leaveOut: phrases(leaveOut) }),
    ...(phrases(brands).length > 0 && { brands: phrases(brands) }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

export type FolderLevels = 1 | 2 | 3;
export const defaultFolders: FolderLevels = 1;

/** Settings that few people change. `undefined` is automatic. */
export type MoreSettings = {
  readonly stop?: number | undefined;
  readonly levels?: 2 | 3 | undefined;
  readonly smallestCluster?: number | undefined;
  readonly pillars?: number | undefined;
  readonly language?: string | undefined;
  readonly model?: 'built-in' | 'none' | undefined;
  readonly results?: Results | undefined;
  readonly splitsOther?: boolean | undefined;
};

export const firstChoices: ImportChoices = { preset: 'balanced', filter: noFilter, more: {} };
export const defaultResults: Results = { sharing: 'smart', least: 3, perKeyword: 10 };

/** What is known about the lists; absent until they are read. */
export type ListFacts = { readonly groups?: GroupsPreview | undefined; readonly hasResults: boolean };

/** How the keywords are grouped: as chosen, else as the server would. */
export function groupByOf({ groupBy }: ImportChoices, facts: ListFacts | undefined): GroupBy {
  if (groupBy) return groupBy;
  if (facts?.groups) return 'columns';
  return facts?.hasResults ? 'results' : 'texts';
}

/** The grouping that was chosen and that the lists have; undefined if what is recognised counts, or none. */
export function chosenGrouping({ groupBy, columns, folders }: ImportChoices): ChosenGrouping | undefined {
  if (groupBy === 'page') return { url: 'page' };
  if (groupBy === 'folder') return { url: folders ?? defaultFolders };
  return columns;
}

/** The settings of the draft. What was not chosen is left to the server, which reads the lists as a whole. */
export function settingsOf(choices: ImportChoices): DraftSettings {
  const { groupBy, market, preset, more } = choices;
  const filter = filterOf(choices.filter);
  const { results, ...rest } = more;
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== false));
  const isFound = groupBy === 'results' || groupBy === 'texts';
  const grouping = isFound ? 'none' : ((chosenGrouping(choices) ?? 'columns') as DraftSettings['grouping']);
  return {
    preset,
    grouping,
    ...(market !== undefined && { market }),
    ...(filter && { filter }),
    ...(groupBy === 'texts' && { results: 'off' as const }),
    ...(groupBy !== 'texts' && (groupBy === 'results' || results) && { results: results ?? defaultResults }),
    ...set,
  };
}

/** Whether the lists have all their groups, so that nothing has to be clustered. */
export const isGrouped = (by: GroupBy, { more }: ImportChoices, groups: GroupsPreview | undefined): boolean =>
  by !== 'texts' && by !== 'results' && groups?.are === 'tree' && !(more.splitsOther && groups.without.length > 0);

type Counts = { readonly keywords: number; readonly isOver: boolean };

/** The text of the primary button: what will happen, with the numbers that are known. */
export function actionText(by: GroupBy, counts: Counts | undefined, groups: GroupsPreview | undefined): string {
  if (!counts || counts.keywords === 0) return 'Cluster keywords';
  const keywords = counted(counts.keywords, 'keyword');
  if (counts.isOver) return `Cluster more than ${keywords}`;
  if (by === 'texts' || by === 'results' || !groups || groups.are === 'pillar-topics') return `Cluster ${keywords}`;
  return `Import ${keywords} in ${counted(groups.groups, 'group')}`;
}
