/** Shapes of the calls about drafts: clustered lists that are not published yet. */
import { presets, sharings } from '@kc/pack/vocabulary/choices';
import * as z from 'zod/mini';
import { draftOrigins, draftStages, draftStates } from './draft.ts';
import { limits } from './limits.ts';
import { id, refusal } from './shapes.ts';
import { fieldText, storableText } from './text-shapes.ts';

/** Milliseconds since 1970, UTC. */
const time = z.number();
const count = z.number().check(z.int(), z.gte(0));
/** The address of a node: 16 hex digits, as in links. */
const address = z.string().check(z.regex(/^[0-9a-f]{16}$/));
const addresses = z.array(address).check(z.minLength(1), z.maxLength(limits.maxDraftSelection));
const name = storableText({ min: 1, max: limits.maxDraftNameLength });
/** As the revision has it, however long. */
const keyword = fieldText;
const fileName = storableText({ min: 1, max: limits.maxListNameLength });

/** What a person corrected in the reading of one list. Names and meanings are those of `cluster/src/read/reading.ts`. */
export const listCorrections = z.strictObject({
  encoding: z.optional(storableText({ max: 32 })),
  /** One of the delimiters, `columns`: padded with blanks, or `lines`: one keyword per line. */
  delimiter: z.optional(storableText({ max: 8 })),
  /** The line of the header; 0 for none. */
  header: z.optional(count),
  sheet: z.optional(storableText({ max: 255 })),
  market: z.optional(storableText({ max: 16 })),
  /** By the number of the column, from 0. */
  meanings: z.optional(z.record(z.string().check(z.regex(/^\d{1,4}$/)), storableText({ max: 40 }))),
  fillsDown: z.optional(z.boolean()),
  isZeroCpcUnknown: z.optional(z.boolean()),
  isCtrPercent: z.optional(z.boolean()),
  areThousands: z.optional(z.boolean()),
  isDayFirst: z.optional(z.boolean()),
  isFirstMonthNewest: z.optional(z.boolean()),
  areResults: z.optional(z.boolean()),
});
export type ListCorrectionsShape = z.infer<typeof listCorrections>;

const phrases = z.array(storableText({ min: 1, max: 200 })).check(z.maxLength(limits.maxFilterPhrases));

/** Which keywords of a list are clustered. */
const keywordFilter = z.strictObject({
  /** Of searches per month. Keywords whose volume is unknown are kept. */
  minVolume: z.optional(count),
  /** Keywords with one of these words or phrases are left out. */
  leaveOut: z.optional(phrases),
  /** Keywords with one of these get "yes" in the column "Branded", the others "no". */
  brands: z.optional(phrases),
});
export type KeywordFilterShape = z.infer<typeof keywordFilter>;

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** ISO 639-1, such as `en`. */
export const languageCode = z.string().check(
  z.regex(/^[a-z]{2}$/),
  z.refine((code) => !/^[a-z]{2}$/.test(code) || languageNames.of(code) !== undefined, 'No language has this code'),
);

/** A country, such as `us`. */
export const marketCode = z.string().check(z.regex(/^[a-z]{2}$/));

/** How a list is clustered: what a person chose; everything else has its default. */
export const draftSettings = z.strictObject({
  preset: z.enum(presets),
  /** From 1, the coarsest, to 9; by the preset if absent. */
  stop: z.optional(z.number().check(z.int(), z.gte(1), z.lte(9))),
  levels: z.optional(z.union([z.literal(2), z.literal(3)])),
  /** `columns`: by the grouping columns of the list, if it has some. `none`: never. Or columns from the top level down; or the pages or folders of keywords. */
  grouping: z.union([
    z.literal('columns'),
    z.literal('none'),
    z.array(storableText({ max: 500 })).check(z.minLength(1), z.maxLength(4)),
    z.strictObject({ url: z.union([z.literal('page'), z.literal(1), z.literal(2), z.literal(3)]) }),
  ]),
  /** By shared result URLs; by the file if absent, never if `off`. */
  results: z.optional(
    z.union([
      z.literal('off'),
      z.strictObject({
        sharing: z.enum(sharings),
        least: z.number().check(z.int(), z.gte(1), z.lte(10)),
        perKeyword: z.union([z.literal(10), z.literal(20), z.literal(30)]),
      }),
    ]),
  ),
  smallestCluster: z.optional(z.number().check(z.int(), z.gte(1), z.lte(20))),
  /** The market whose rows alone are used; all markets, with added volumes, if absent. */
  market: z.optional(marketCode),
  /** How many pillar topics there should be; automatic if absent. */
  pillars: z.optional(z.number().check(z.int(), z.gte(1), z.lte(200))),
  /** ISO 639-1; detected if absent. */
  language: z.optional(languageCode),
  model: z.optional(z.enum(['built-in', 'none'])),
  /** Whether keywords in groups such as "Other" are clustered, too. */
  splitsOther: z.optional(z.boolean()),
  filter: z.optional(keywordFilter),
  /** The lists are search results for the map that they update: it stays as it is, or its keywords are clustered anew. */
  adds: z.optional(z.enum(['results', 'results-anew'])),
});
export type DraftSettings = z.infer<typeof draftSettings>;

/**
 * What a header is known by: the SHA-256 of its names as a JSON array, as hex, when nothing is corrected. The names
 * themselves may reveal what somebody works on, and stay in the browser until the list is sent.
 */
export const listHeader = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** What somebody corrected in the reading of an earlier list with the same header. */
export const rememberedReading = z.object({ corrections: listCorrections, correctedAt: time });
export type RememberedReading = z.infer<typeof rememberedReading>;

/** A list that is to be sent. `modified`: its modification time by the sender's browser. */
const newList = z.strictObject({
  name: fileName,
  size: count.check(z.gte(1), z.lte(limits.maxUploadBytes)),
  modified: z.optional(time),
  corrections: listCorrections,
  /** If its corrections, or that there are none, are to be remembered for lists with this header. */
  header: z.optional(listHeader),
});

export const newDraft = z.strictObject({
  /** Whose map it becomes. */
  userId: id,
  name,
  description: storableText({ max: limits.maxDescriptionLength }),
  files: z.array(newList).check(z.minLength(1), z.maxLength(limits.maxLists)),
  settings: draftSettings,
  /** The visualization that this is next month's export of, or that its search results are added to. */
  updateOf: z.optional(id),
});
export type NewDraft = z.infer<typeof newDraft>;

/** What a person looks through after an update. */
export const reviewTab = z.enum(['uncertain', 'new', 'clusters', 'gone']);
export type ReviewTab = z.infer<typeof reviewTab>;

/** A change of a draft. Nodes are named by their addresses in the revision that the page shows. */
export const draftOperation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rename'), node: address, name }),
  /** Names topics as the engine does: after the best phrase, that with the words of most keywords, or the best keyword. */
  z.strictObject({ kind: z.literal('name'), nodes: addresses, by: z.enum(['phrase', 'seed-phrase', 'keyword']) }),
  z.strictObject({ kind: z.literal('merge'), nodes: addresses.check(z.minLength(2)) }),
  /** `sharedUrls`: into the groups of keywords that share so many search results. */
  z.strictObject({
    kind: z.literal('split'),
    node: address,
    sharedUrls: z.optional(z.number().check(z.int(), z.gte(1), z.lte(10))),
  }),
  z.strictObject({
    kind: z.literal('move'),
    nodes: addresses,
    to: z.union([address, z.strictObject({ newPillar: name })]),
  }),
  z.strictObject({ kind: z.enum(['lock', 'unlock', 'strays', 'exclude']), nodes: addresses }),
  /** Excluded keywords come back to where they were, and those that an update did not find are kept. */
  z.strictObject({
    kind: z.enum(['restore', 'keep']),
    keywords: z.union([z.literal('all'), z.array(keyword).check(z.maxLength(limits.maxDraftSelection))]),
  }),
  /** What an update did is right. Keywords that are gone are named by their texts. */
  z.strictObject({
    kind: z.literal('accept'),
    tab: reviewTab,
    of: z.union([z.literal('all'), z.array(keyword).check(z.minLength(1), z.maxLength(limits.maxDraftSelection))]),
  }),
  z.strictObject({ kind: z.literal('granularity'), stop: z.number().check(z.int(), z.gte(1), z.lte(9)) }),
]);
export type DraftOperation = z.infer<typeof draftOperation>;

/** What an operation did, as a code of the catalogue, and the node to go to, by its address in the new revision. */
const draftEffect = z.object({ ...refusal.shape, node: z.optional(z.string()) });
export type DraftEffect = z.infer<typeof draftEffect>;

/** The counts of a revision. */
const draftCounts = z.object({
  keywords: count,
  pillars: count,
  clusters: count,
  subtopics: count,
  strays: count,
  excluded: count,
});
export type DraftCounts = z.infer<typeof draftCounts>;

/**
 * The questions about a list, or about next month's list of a map, that a person would answer. Each is the code `list/…` of
 * its text. An automatic import names the right reading, or accepts the guess by this name.
 */
export const importQuestions = [
  'encoding-guess',
  'date-order',
  'month-order',
  'zero-cpc',
  'ctr-scale',
  'thousands-guess',
  'filled-down',
  'group-rows',
  'group-lines',
  'header-guess',
  'results-guess',
  'groups-in-rows',
  'other-sheets',
  'other-lists',
  'hidden-rows',
  'check-reading',
  'unsplit',
  'several-markets',
  'several-currencies',
  'language-guess',
  'other-list',
  'cut-update',
  'lost-volumes',
] as const;
export type ImportQuestion = (typeof importQuestions)[number];

/** What happens to the draft of a list that a program imported. */
export type HandsOff = {
  /** Whether it is published once nothing in it is a guess. */
  readonly publishes: boolean;
  /** The guesses that are right. */
  readonly accepts: readonly ImportQuestion[];
};

export const draft = z.object({
  id,
  ownerId: id,
  ownerEmail: z.string(),
  begunBy: id,
  name: z.string(),
  description: z.string(),
  state: z.enum(draftStates),
  /** While it is `working`. */
  stage: z.optional(z.enum(draftStages)),
  /** What the stage is done with, and of how many, where it counts. */
  done: z.optional(count),
  total: z.optional(count),
  /** 0 to 100. */
  percent: z.number(),
  /** Estimated; absent if unknown. */
  secondsLeft: z.optional(z.number()),
  /** How many drafts are clustered before this one, while it is `queued`. */
  waiting: z.optional(count),
  /** Why it failed, or why publishing it was refused. */
  refusal: z.optional(refusal),
  /** What a person should know about the result. */
  warnings: z.array(refusal),
  origin: z.enum(draftOrigins),
  /** The visualization that it updates or adjusts; absent once that is deleted. */
  base: z.optional(z.object({ id, name: z.string() })),
  /** The lists in their order; each is sent to `/api/uploads/{id}` with tus. */
  files: z.array(z.object({ id, name: z.string(), size: count, received: count })),
  settings: draftSettings,
  /** How the keywords were grouped, once that is known. */
  method: z.optional(z.enum(['columns', 'results', 'text'])),
  /** Once it is `ready`: the revision that can be looked at like a visualization with the ID `viewId`. */
  revision: z.optional(
    z.object({
      viewId: id,
      /** The number of the last operation in it; 0 before the first. */
      operation: count,
      counts: draftCounts,
      /** Absent where granularity does not apply. */
      stop: z.optional(count),
      canUndo: z.boolean(),
      canRedo: z.boolean(),
    }),
  ),
  /**
   * If a program brought its list, until it is published: whether it is to be published by itself, whether it waits for
   * somebody instead, and what in its reading is a guess that nobody has settled.
   */
  handsOff: z.optional(z.object({ publishes: z.boolean(), waits: z.boolean(), open: z.array(refusal) })),
  /** Who edits it now. */
  editor: z.optional(z.object({ id, name: z.string(), isYou: z.boolean() })),
  createdAt: time,
  /** The last change. */
  touchedAt: time,
  /** When it is deleted unless it is changed. */
  expiresAt: time,
  /** The visualization that it became. */
  visualizationId: z.optional(id),
});
export type Draft = z.infer<typeof draft>;

/** The draft after an operation, and what the operation did. */
export const editedDraft = z.object({ draft, effect: draftEffect });
export type EditedDraft = z.infer<typeof editedDraft>;

/** What the outline of a draft marks. */
export const draftMarks = z.object({
  /** Addresses of locked nodes. */
  locked: z.array(z.string()),
  /** Addresses of clusters that an update has found. */
  new: z.array(z.string()),
  /** Addresses of topics whose keywords have little in common but what most of the list has. */
  rest: z.optional(z.array(z.string())),
  /** In percent, of the nodes for which it is known, by address. */
  confidence: z.record(z.string(), z.number()),
  excluded: z.object({ total: count, keywords: z.array(z.string()) }),
  /** How much of an update nobody has decided about; absent if the draft is none. */
  review: z.optional(z.record(reviewTab, count)),
});
export type DraftMarks = z.infer<typeof draftMarks>;

/** Something of an update about which nobody has decided. */
const reviewRow = z.object({
  name: z.string(),
  /** `keyword`, or the type of a topic. */
  type: z.string(),
  /** Absent for a keyword that is gone. */
  address: z.optional(z.string()),
  /** The topics that it is in, or was in before it was gone, from the top. */
  path: z.array(z.string()),
  /** Monthly searches; absent where unknown. */
  volume: z.optional(z.number()),
  /** Of an uncertain keyword: the mean similarity to those that it resembles in its cluster. */
  similarity: z.optional(z.number()),
  /** Of an uncertain keyword: the share of all that it resembles that is in its cluster, 0 to 1. */
  share: z.optional(z.number()),
  /** How many keywords a cluster has. */
  keywords: z.optional(count),
});
export type ReviewRow = z.infer<typeof reviewRow>;

/** A page of a review list. */
export const reviewPage = z.object({ total: count, rows: z.array(reviewRow) });
export type ReviewPage = z.infer<typeof reviewPage>;

/** Milliseconds that each stage takes for a keyword. */
export const stageRates = z.record(z.enum(draftStages), z.number());

/** How the server has read the lists of a draft. */
export const draftReport = z.object({
  rows: count,
  keywords: count,
  repeats: count,
  files: z.array(
    z.object({
      name: z.string(),
      vendor: z.string(),
      rows: count,
      unreadable: count,
      footers: count,
      /** The day of the export, as in `2026-04-30`, if the list says so. */
      exported: z.optional(z.string()),
      /** At most 1,000. */
      problems: z.array(z.object({ line: count, reason: z.string(), text: z.string() })),
    }),
  ),
});
export type DraftReport = z.infer<typeof draftReport>;
