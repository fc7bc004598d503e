import { limits } from './limits.ts';

/** How far the page for an entry of a plan has come, in this order. */
export const planStatuses = ['idea', 'planned', 'written', 'live'] as const;
export type PlanStatus = (typeof planStatuses)[number];

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

/** What a person writes about an entry. An empty text, or no tags, is a value that nobody has given. */
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

/** What the owner of an entry is called whose account is gone. */
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
export const cleanNote = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trimEnd();

/** A change as a page asks for it. */
export type AskedChange = Omit<PlanChange, 'set'> & {
  readonly set: Omit<PlanChange['set'], 'assignee'> & { readonly assignee?: Owner };
};

/** A change as it is stored, with texts cleaned; or the code of what is wrong with it. */
export function checkChange(change: AskedChange): { readonly change: PlanChange } | { readonly code: string } {
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

/** `February 2027`, without the locale of a browser. */
export function monthText(due: string): string {
  const [year, month] = due.split('-');
  return `${monthNames[Number(month) - 1] ?? ''} ${year}`.trim();
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
