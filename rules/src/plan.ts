import { type PlanStatus, planStatuses } from '@kc/pack/vocabulary/choices';
import { limits } from './limits.ts';

export const contentTypes = [
  'Article',
  'Guide',
  'Category page',
  'Product page',
  'Landing page',
  'Comparison',
  'Tool',
  'FAQ',
  'Video',
  'Other',
] as const;
export type ContentType = (typeof contentTypes)[number];

/** What a person writes about an entry. An empty text, or no tags, means that nobody has set the value. */
export type PlanFields = {
  /** Whether the entry is in the plan. A removed entry keeps its other fields. */
  readonly isPlanned: boolean;
  readonly status: PlanStatus;
  /** Who will write it: a free text, or an account as {@link ownerText} stores it. */
  readonly assignee: string;
  /** An address with http or https, or a path. */
  readonly url: string;
  readonly contentType: ContentType | '';
  /** In ascending order, without duplicates. */
  readonly tags: readonly string[];
  readonly note: string;
  /** `2027-02`. */
  readonly due: string;
  readonly primaryKeyword: string;
};
export type PlanField = keyof PlanFields;

export const emptyFields: PlanFields = {
  isPlanned: true,
  status: 'idea',
  assignee: '',
  url: '',
  contentType: '',
  tags: [],
  note: '',
  due: '',
  primaryKeyword: '',
};
export const planFieldNames = Object.keys(emptyFields) as readonly PlanField[];

/** The owner of an entry: a free text, or an account of this server, which may be renamed or deleted later. */
export type Owner = string | { readonly account: string };

/** No text of a person begins with it: see {@link cleanLine}. */
const accountSign = '\u0001';

/** An owner as it is stored. */
export const ownerText = (owner: Owner): string =>
  typeof owner === 'string' ? owner : `${accountSign}${owner.account}`;

/** The owner that a stored text means. */
export const ownerOf = (text: string): Owner =>
  text.startsWith(accountSign) ? { account: text.slice(accountSign.length) } : text;

/** The account that a stored text means; undefined for a free text. */
export function ownerAccount(text: string): string | undefined {
  const owner = ownerOf(text);
  return typeof owner === 'string' ? undefined : owner.account;
}

/** The name shown for an owner of an entry whose account was deleted. */
export const deletedOwner = 'A deleted account';

/** The fields that a colleague may change whose link allows editing the plan. */
export const writerFields = ['status', 'assignee', 'note'] as const satisfies readonly PlanField[];

/** New values of fields. Tags are added and removed one by one, so that two people cannot undo each other. */
export type PlanChange = {
  readonly set: Partial<Omit<PlanFields, 'tags'>>;
  readonly addTags: readonly string[];
  readonly removeTags: readonly string[];
};

/** Whether a text can be a target: an address with http or https, or a path on the site of the reader. */
export function isTargetUrl(text: string): boolean {
  if (text.length > limits.maxPlanUrlLength || /[\s\p{Cc}]/u.test(text)) return false;
  // Two slashes would begin the address of another host.
  return /^https?:\/\/[^/]/i.test(text) || /^\/(?!\/)/.test(text);
}

export const isDueMonth = (text: string): boolean => /^[12]\d{3}-(?:0[1-9]|1[0-2])$/.test(text);

/** A text in one line, without invisible characters. */
export const cleanLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();

/** A text of several lines, without other control characters and without blanks at its end. */
const cleanNote = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trimEnd();

/** A change as a page requests it. */
export type PlanChangeRequest = Omit<PlanChange, 'set'> & {
  readonly set: Omit<PlanChange['set'], 'assignee'> & { readonly assignee?: Owner };
};

/** A change as it is stored, with texts cleaned; or the code of what is wrong with it. */
export function checkChange(change: PlanChangeRequest): { readonly change: PlanChange } | { readonly code: string } {
  const { set } = change;
  const cleaned: Partial<Record<PlanField, unknown>> = { ...set };
  for (const name of ['url', 'due', 'primaryKeyword'] as const) {
    if (set[name] !== undefined) cleaned[name] = cleanLine(set[name]);
  }
  const { assignee } = set;
  if (assignee !== undefined)
    cleaned.assignee = ownerText(typeof assignee === 'string' ? cleanLine(assignee) : assignee);
  if (set.note !== undefined) cleaned.note = cleanNote(set.note);
  const checked = cleaned as PlanChange['set'];
  if (checked.url && !isTargetUrl(checked.url)) return { code: 'plan/url' };
  if (checked.due && !isDueMonth(checked.due)) return { code: 'plan/due' };
  const addTags = change.addTags.map(cleanLine).filter((tag) => tag !== '');
  const removeTags = change.removeTags.map(cleanLine).filter((tag) => !addTags.includes(tag));
  return { change: { set: checked, addTags, removeTags } };
}

/** 0 without a status, then 1 for an idea, up to 4 for what is live. */
export const statusRank = (status: PlanStatus | undefined): number =>
  status === undefined ? 0 : planStatuses.indexOf(status) + 1;

/** From this rank on, volume is covered: there is a page for it. */
const coveredRank = statusRank('written');

/** Figures of the distinct keywords of a branch whose furthest status has a rank: of each rank, from 0 to 4. */
type StatusFigures = readonly { readonly keywords: number; readonly volume: number }[];

/** The keywords of a branch with a known volume, and all of them. */
export type Coverage = {
  readonly keywords: number;
  readonly volumeKnown: number;
  readonly ofStatus: StatusFigures;
};

/**
 * The share of a branch that has a page, from 0 to 1: of its known volume, or of its keywords where the volume of fewer
 * than half of them is known. Undefined for a branch without keywords.
 */
export function coveredShare(
  coverage: Coverage,
): { readonly share: number; readonly of: 'volume' | 'keywords' } | undefined {
  return shareFrom(coverage, coveredRank);
}

/** As {@link coveredShare}, for keywords with a status of at least this rank. */
export function shareFrom(
  { keywords, volumeKnown, ofStatus }: Coverage,
  rank: number,
): { readonly share: number; readonly of: 'volume' | 'keywords' } | undefined {
  const all = sum(ofStatus.map(({ volume }) => volume));
  const from = ofStatus.slice(rank);
  if (2 * volumeKnown >= keywords && all > 0)
    return { share: sum(from.map(({ volume }) => volume)) / all, of: 'volume' };
  return keywords === 0 ? undefined : { share: sum(from.map((one) => one.keywords)) / keywords, of: 'keywords' };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Somebody with an account here, and what makes them known to those who share a map. */
export type PlanCandidate = {
  readonly id: string;
  readonly name: string;
  /** Whether the data of the plan are theirs. */
  readonly isOwner: boolean;
  readonly isAdmin: boolean;
  /** Whether they have opened a link to these data that names them, and that works and shows the plan. */
  readonly isColleague: boolean;
  /** Whether they have written in the plan, or made such a link. */
  readonly takesPart: boolean;
};

/**
 * The people whom somebody may make owners of entries: those who can open the map, as far as the requester may know of them.
 *
 * Administrators can open every map. Only other administrators may know who they are, unless they have shown themselves in
 * this plan. A colleague is somebody who has opened their link, so that making one does not tell whether an email has an
 * account.
 *
 * @returns by name
 */
export function offeredOwners(requesterId: string, candidates: readonly PlanCandidate[]): readonly PlanCandidate[] {
  const isRequestedByAdmin = candidates.some(({ id, isAdmin }) => id === requesterId && isAdmin);
  return candidates
    .filter(({ isOwner, isAdmin, isColleague, takesPart }) => {
      if (isOwner || isColleague) return true;
      return isAdmin && (isRequestedByAdmin || takesPart);
    })
    .toSorted((one, other) => compareNames(one.name, other.name) || compareNames(one.id, other.id));
}

const compareNames = (one: string, other: string): number => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Months between publishing a page and the peak that it is for, unless the plan has another lead. */
export const leadMonths = 2;
export const maxLeadMonths = 6;

/** All leads that a plan can have. */
export const leads: readonly number[] = Array.from({ length: maxLeadMonths + 1 }, (_, months) => months);

/** "2 months before the peak" */
export const leadText = (lead: number): string =>
  lead === 0 ? 'In the month of the peak' : `${lead} ${lead === 1 ? 'month' : 'months'} before the peak`;

/**
 * The next month, from the current one on, in which to publish for a peak that comes every year.
 *
 * @param peak one of twelve months, 0 for the oldest
 * @param newest the last of the twelve; months are as in `2026-04`
 * @param current the month of today
 */
export function publishBy(peak: number, newest: string, current: string, lead = leadMonths): string {
  const now = numberOf(current);
  const month = numberOf(newest) - 11 + peak - lead;
  const next = month + 12 * Math.ceil((now - month) / 12);
  return `${Math.floor(next / 12)}-${String((next % 12) + 1).padStart(2, '0')}`;
}

/** Months since the year 0. */
function numberOf(month: string): number {
  const [year, ofYear] = month.split('-').map(Number) as [number, number];
  return 12 * year + ofYear - 1;
}
