import { planStatuses } from '@kc/pack/vocabulary/choices';
import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { contentTypes, maxLeadMonths } from './plan.ts';
import { id } from './shapes.ts';
import { storableText } from './text-shapes.ts';

/** Milliseconds since 1970, UTC. */
const time = z.number();
/** A node ID: 16 hex digits. */
export const address = z.string().check(z.regex(/^[0-9a-f]{16}$/));
/** A revision of a plan; it grows with every write. */
export const revision = z.coerce.number<number>().check(z.int(), z.gte(0));
/** Chosen by the page for each write, so that a repeated request changes nothing. */
export const batch = z.string().check(z.regex(/^[\w-]{16,64}$/));

const line = (max: number) => storableText({ max });
const tag = line(limits.maxPlanTagLength);
/** An owner: a free text, or an account that the asker was offered. */
const owner = z.union([line(limits.maxPlanAssigneeLength), z.strictObject({ account: id })]);

/** New values, as in `PlanChange`. */
export const planSet = z.strictObject({
  isPlanned: z.optional(z.boolean()),
  status: z.optional(z.enum(planStatuses)),
  assignee: z.optional(owner),
  url: z.optional(line(limits.maxPlanUrlLength)),
  contentType: z.optional(z.enum([...contentTypes, ''])),
  note: z.optional(line(limits.maxPlanNoteLength)),
  due: z.optional(line(7)),
  primaryKeyword: z.optional(line(limits.maxPlanKeywordLength)),
});
/** What a colleague may set whose link allows editing the plan: `writerFields`. */
export const writerSet = z.pick(planSet, { status: true, assignee: true, note: true });
/** An entry that exists. */
export const entryTarget = z.strictObject({ entry: id });
export const leadInMonths = z.number().check(z.int(), z.gte(0), z.lte(maxLeadMonths));
export const tagList = z.array(tag).check(z.maxLength(limits.maxPlanTags));

/** An entry that exists, or a node that becomes one. */
export const planTarget = z.union([entryTarget, z.strictObject({ node: address })]);

/** Who last wrote a field, and when. `by` is an account; its name is among the people of the response. */
const mark = z.object({ rev: z.number(), by: z.string(), at: time });

const planEntry = z.object({
  id,
  kind: z.enum(['branch', 'keyword']),
  /** The revision of its last change. */
  rev: z.number(),
  /** The names from below the root to the node, as the entry knows it. */
  path: z.array(z.string()),
  /** The ID of its node in this visualization; absent if that has no such node. */
  node: z.optional(address),
  /** Figures of the node: here, or as last known where it is missing. */
  keywords: z.number(),
  volume: z.optional(z.number()),
  isPlanned: z.boolean(),
  status: z.enum(planStatuses),
  /** The name of the owner as it is now. */
  assignee: z.string(),
  /** The account of the owner; absent for a free text. */
  assigneeId: z.optional(z.string()),
  url: z.string(),
  contentType: z.enum([...contentTypes, '']),
  tags: z.array(z.string()),
  note: z.string(),
  due: z.string(),
  primaryKeyword: z.string(),
  marks: z.record(z.string(), mark),
  addedBy: z.string(),
  addedAt: time,
});
export type PlanEntry = z.infer<typeof planEntry>;

const person = z.object({ id: z.string(), name: z.string() });
export type PlanPerson = z.infer<typeof person>;
/** The people who can be made owners, in the order of their names. */
export const planPeople = z.object({ people: z.array(person) });

/** What has changed since a revision. `more`: the next page begins at `revision`. */
export const planPage = z.object({
  revision: z.number(),
  /** Grows when the nodes of entries that did not change may have changed: then all have to be read again. */
  matching: z.number(),
  entries: z.array(planEntry),
  more: z.boolean(),
  people: z.array(person),
  /** The account that sent the request. */
  you: z.string(),
  /** Months between publishing a page and the peak that it is for. */
  lead: z.number(),
});
export type PlanPage = z.infer<typeof planPage>;

/** The answer to a write: the entries that it named as they are now, and what it did not change. */
export const planAnswer = z.object({
  revision: z.number(),
  entries: z.array(planEntry),
  /** Fields that somebody else has written since. The entry has their value. */
  conflicts: z.array(z.object({ entry: id, field: z.string() })),
  /** Whether an entry has as many tags as it can have, so that some were left out. */
  isFull: z.boolean(),
  people: z.array(person),
});
export type PlanAnswer = z.infer<typeof planAnswer>;

/** A plan of other data of the owner, most of which this upload has, too. */
const planOffer = z.object({
  plan: id,
  /** The name of the root of those data; absent if no upload has it any more. */
  root: z.optional(z.string()),
  /** Its entries, and those with a node in this upload. */
  entries: z.number(),
  matched: z.number(),
  /** The entries of the plan that this upload has now. */
  own: z.number(),
});
export type PlanOffer = z.infer<typeof planOffer>;
export const planContinuation = z.object({ offer: z.optional(planOffer) });

/** A change of a field of an entry, or of its path. An owner is a text, or `{ account }` of one of the people. */
export const planHistory = z.object({
  lines: z.array(
    z.object({
      revision: z.number(),
      field: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      by: z.string(),
      at: time,
    }),
  ),
  people: z.array(person),
});
export type PlanHistory = z.infer<typeof planHistory>;

/** As `Coverage` of the rules. */
const coverage = z.object({
  keywords: z.number(),
  volumeKnown: z.number(),
  ofStatus: z.array(z.object({ keywords: z.number(), volume: z.number() })),
});

/** Figures of the plan in this visualization: of everything, and of one branch. Repeated keywords count once. */
export const planTotals = z.object({
  revision: z.number(),
  whole: coverage,
  branch: z.optional(coverage),
  /** The keyword of the branch that a page for it would be written for, if nobody chose another. */
  usualKeyword: z.optional(z.string()),
});
export type PlanTotals = z.infer<typeof planTotals>;

/**
 * The entries whose nodes a filter keeps, with the figures of what it keeps: distinct keywords, the sum of their known
 * volumes (absent if none is known), the share that has a page (absent without keywords; see `coveredShare`), and in which
 * of the twelve months of the trends it is searched most, 0 for the oldest (absent if that is unknown or no clear season).
 */
export const planFigures = z.object({
  revision: z.number(),
  entries: z.array(
    z.object({
      entry: id,
      keywords: z.number(),
      volume: z.optional(z.number()),
      covered: z.optional(z.object({ share: z.number(), of: z.enum(['volume', 'keywords']) })),
      peak: z.optional(z.number()),
    }),
  ),
});
export type PlanFigures = z.infer<typeof planFigures>;

/**
 * For an entry without a node: where it may belong. `changed`: branches that hold few of the keywords that they had when they
 * were planned or last confirmed; `kept` is the share that they still hold.
 */
export const planSuggestions = z.object({
  revision: z.number(),
  suggestions: z.array(
    z.object({
      entry: id,
      node: address,
      path: z.array(z.string()),
      /** The share of the keywords that both have, of all in either. */
      overlap: z.number(),
      isLikely: z.boolean(),
    }),
  ),
  changed: z.array(z.object({ entry: id, kept: z.number() })),
});
export type PlanSuggestions = z.infer<typeof planSuggestions>;

/** A link between the pages of two entries: the other entry, and the text to link. */
const planLink = z.object({ entry: id, anchor: z.string() });
/**
 * Which links the page of an entry should have, and which should lead to it. Absent where the file does not say what is
 * similar, or the entry has no node.
 */
export const planLinks = z.object({
  revision: z.number(),
  links: z.optional(z.object({ to: z.array(planLink), from: z.array(planLink) })),
});
export type PlanLinks = z.infer<typeof planLinks>;
