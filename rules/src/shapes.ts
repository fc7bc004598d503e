/** Input and output schemas of the contract's calls, with their types for both sides. */
import { matchModes } from '@kc/pack/vocabulary/choices';
import * as z from 'zod/mini';
import { measure, mergedEntries, unplacedSummary } from './keyword-shapes.ts';
import { limits } from './limits.ts';
import { queryText, storableText } from './text-shapes.ts';
import { fieldMeanings, maxMappedMembers } from './upload.ts';

export const refusal = z.object({
  code: z.string(),
  params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
});

export const id = storableText({ min: 1, max: 64 });
export const role = z.enum(['admin', 'user']);
export const status = z.enum(['pending', 'approved', 'denied']);
/** Milliseconds since 1970, UTC. */
const time = z.number();
/** A row of a pack: a node, or a keyword that no node names. */
export const row = z.coerce.number<number>().check(z.int(), z.gte(0));

/** The path at which this server serves a user's picture; absent if there is none. Never an external URL. */
const photoUrl = z.optional(z.string());

export const session = z.object({
  isAuthenticated: z.boolean(),
  status: z.optional(status),
  isAdmin: z.boolean(),
  /** The landing path of this user, and whether it is another page than the visualization. */
  redirectPath: z.optional(z.string()),
  shouldRedirect: z.boolean(),
  account: z.optional(
    z.object({
      id,
      email: z.string(),
      emailProven: z.boolean(),
      displayName: z.string(),
      photoUrl,
      createdAt: time,
      /** Whether the email belongs to a built-in admin. It grants nothing until it is proven. */
      inAdminList: z.boolean(),
    }),
  ),
  /** The server details that the sign-in screen needs. */
  server: z.object({
    version: z.string(),
    /** Whether people can sign in with an identity provider. */
    google: z.boolean(),
    /** What people call it; absent for Google. */
    providerName: z.optional(z.string()),
    supportEmail: z.string(),
  }),
});
export type Session = z.infer<typeof session>;

/** An administrator who signed in with a password gets a step-up handle with the session, valid for ten minutes. */
export const newSession = z.extend(session, { stepUp: z.optional(z.string()) });
export type NewSession = z.infer<typeof newSession>;

/** Whether the user can confirm their identity with a password, and with Google (`purpose=step-up`). */
export const stepUpWays = z.object({ password: z.boolean(), google: z.boolean() });
export type StepUpWays = z.infer<typeof stepUpWays>;

const shortText = storableText({ max: 200 });
/** The latest time that a `Date` can represent. */
const lastTime = 8.64e15;
const count = (max: number) => z.number().check(z.int(), z.gte(0), z.lte(max));
/**
 * The challenge of the check that a visitor is not a bot: a proof of work, to find the counter whose derived key begins
 * with `keyPrefix`. Every member is signed, and is returned unchanged; numbers that no server sends are refused before
 * the signature is verified. Source: altcha's proof of work 2.
 */
export const checkChallenge = z.strictObject({
  parameters: z.strictObject({
    algorithm: shortText,
    nonce: shortText,
    salt: shortText,
    /** Rounds of the derivation. */
    cost: count(1_000_000),
    /** Bytes of the derived key. */
    keyLength: count(64),
    keyPrefix: shortText,
    keySignature: shortText,
    data: z.strictObject({ until: count(lastTime) }),
  }),
  signature: shortText,
});
export type CheckChallenge = z.infer<typeof checkChallenge>;

/** The solved challenge. */
export const checkProof = z.strictObject({
  challenge: checkChallenge,
  solution: z.strictObject({ counter: count(1_000_000), derivedKey: shortText }),
});
export type CheckProof = z.infer<typeof checkProof>;

/** An account as administrators see it. */
export const account = z.object({
  id,
  /** The same as `id`, under the name that the user list shows. */
  uniqueId: z.string(),
  email: z.string(),
  /** Whether the user has proven the address. */
  emailProven: z.boolean(),
  displayName: z.string(),
  photoUrl,
  role,
  status,
  createdAt: time,
  updatedAt: time,
  lastLogin: z.optional(time),
  /** The ID of the administrator who created it, or `system`. */
  createdBy: z.string(),
  /** Whether this is the current administrator. */
  isYou: z.boolean(),
  /** A built-in admin: status and role cannot be changed. */
  isPrimaryAdmin: z.boolean(),
  /** The sample's own row: no credential, cannot be changed. */
  isSample: z.boolean(),
  /** `busy`: an upload of theirs is running; `online`: a page is open. */
  presence: z.enum(['online', 'busy', 'offline']),
});
export type ListedAccount = z.infer<typeof account>;

/** The two upper levels by number of keywords, in shares of 10,000. See `pack/thumbnail` for the members. */
const thumbnail = z.object({ pillars: z.array(z.array(z.number())), rest: z.number() });
export type ThumbnailShape = z.infer<typeof thumbnail>;

/** See {@link FieldMap}. Names as in the file, without control characters. */
export const fieldMap = z
  .record(z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]{1,128}$/u)), z.enum(fieldMeanings))
  .check(z.refine((map) => Object.keys(map).length <= maxMappedMembers));

/** A month of the calendar, such as `2026-04`. */
export const month = z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/));

/** A day of the calendar, such as `2026-04-30`. */
const day = z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/));

export const visualization = z.object({
  id,
  userId: z.string(),
  userEmail: z.string(),
  fileName: z.string(),
  /** Informative, see `storagePath` in `visualization.ts`. */
  storagePath: z.string(),
  /** The path of the original file at this server. */
  downloadUrl: z.string(),
  uploadDate: time,
  uploadedBy: z.string(),
  isActive: z.boolean(),
  isSample: z.boolean(),
  /** Bytes of the original file. */
  fileSize: z.number(),
  description: z.string(),
  /** Length of the file's `keywords` array, 0 if there is none. */
  keywords: z.number(),
  /** Number of entries that repeat a keyword and were merged; absent for an older pack until it is rebuilt. */
  merged: z.optional(z.number()),
  /** Nodes of the hierarchy, including the root. */
  nodes: z.number(),
  /** The root name of the hierarchy. */
  rootName: z.string(),
  /** Absent for a pack older than thumbnails until it is rebuilt. */
  thumbnail: z.optional(thumbnail),
  /** What was corrected in the reading of the file's members. */
  fieldMap: z.optional(fieldMap),
  /** The newest of the twelve months of its trends, if somebody stated it. */
  newestMonth: z.optional(month),
  /** The day on which a tool exported the list that the map is made of, if the list states it. */
  exportedOn: z.optional(day),
});
export type Visualization = z.infer<typeof visualization>;

/** The siblings with a known value, and those of them with a lower or the same value. */
const siblingRank = z.object({ known: z.number(), below: z.number(), equal: z.number() });

/** What the detail panel shows of one node. With a filter, figures cover what it keeps. */
export const nodeDetail = z.object({
  node: z.number(),
  name: z.string(),
  type: z.string(),
  /** 16 hex digits: the node ID in links. */
  address: z.string(),
  /** From the root to the node itself. */
  path: z.array(z.object({ node: z.number(), name: z.string(), address: z.string() })),
  /** Levels below the root. */
  depth: z.number(),
  /** Nodes of the branch, including this one. */
  branchNodes: z.number(),
  children: z.number(),
  keywords: z.number(),
  /** `keywords` without the filter; identical if there is none. */
  ofKeywords: z.number(),
  /** Repeated occurrences of keywords, each of which counts once. */
  repeats: z.number(),
  volume: measure,
  difficulty: measure,
  cpc: measure,
  competition: measure,
  position: measure,
  /** Keywords of the branch by intent; a keyword may have several. */
  intent: z.object({
    informational: z.number(),
    navigational: z.number(),
    commercial: z.number(),
    transactional: z.number(),
    known: z.number(),
  }),
  /**
   * Twelve months, the oldest first: the sum over the `known` keywords, or the share of the keyword's best month if the
   * file gives no absolute numbers. Null for an unknown month; `newest`, as in `2026-04`, if the file names it.
   */
  trend: z.optional(
    z.object({
      months: z.array(z.nullable(z.number())),
      unit: z.enum(['searches', 'share']),
      known: z.number(),
      newest: z.optional(z.string()),
    }),
  ),
  /** The keyword with the highest known volume in the branch; ties go to the first one in the file. */
  topKeyword: z.optional(z.object({ node: z.number(), name: z.string(), volume: z.number() })),
  /**
   * The clusters most similar to a cluster, or the keywords of other clusters to a keyword, nearest first; `above`: the name of
   * the branch around each. Absent where the file does not say it, which only published clusterings do.
   */
  similar: z.optional(
    z.array(z.object({ node: z.number(), address: z.optional(z.string()), name: z.string(), above: z.string() })),
  ),
  /** A comparison with the other children of its parent; absent for the root and for more than 262,144 siblings. */
  siblings: z.optional(
    z.object({
      count: z.number(),
      /** For each figure that is known for the node. */
      standing: z.object({
        keywords: z.optional(siblingRank),
        volume: z.optional(siblingRank),
        difficulty: z.optional(siblingRank),
        cpc: z.optional(siblingRank),
        competition: z.optional(siblingRank),
        position: z.optional(siblingRank),
      }),
      /** Siblings that share words with its name, not counting those of the parent's name. `shared`: these words. */
      similar: z.array(z.object({ node: z.number(), name: z.string(), shared: z.string() })),
    }),
  ),
  /** Every member of the node except `children`, and of the keyword joined to it, as in the uploaded file. */
  original: z.object({
    node: z.optional(z.record(z.string(), z.unknown())),
    keyword: z.optional(z.record(z.string(), z.unknown())),
  }),
  merged: z.optional(mergedEntries),
  /** Only for the root, if there are any; not affected by the filter. */
  notInHierarchy: z.optional(unplacedSummary),
  /** Fields whose mean is weighted by impressions, and for how many keywords. */
  byImpressions: z.array(z.object({ name: z.string(), known: z.number() })),
});
export type NodeDetail = z.infer<typeof nodeDetail>;

/** Number of keywords of a branch with each member of a set field: `BranchMembers` of `pack/branch-members`. */
export const branchMembers = z.object({
  name: z.string(),
  values: z.array(z.object({ value: z.string(), count: z.number() })),
  known: z.number(),
});
export type BranchMembers = z.infer<typeof branchMembers>;

/** Present if the name is not recognised as a metric; it may be a misspelled one. */
const isCustom = z.optional(z.literal(true));

/** A member of the uploaded file, under its name there, or one of the metrics `competition` and `position`. */
export const field = z.discriminatedUnion('kind', [
  /**
   * `rollUp`: whether a branch has the sum or the mean of its keywords, or its own number and, without one, their mean;
   * `least`: the smallest known value.
   */
  z.object({
    name: z.string(),
    kind: z.literal('number'),
    rollUp: z.enum(['sum', 'mean', 'own']),
    least: z.number(),
    /** `weight`: impressions, which weight positions and rates; `weighed`: a field weighted by them. */
    role: z.optional(z.enum(['weight', 'weighed'])),
    isCustom,
  }),
  /**
   * The first value is empty and means unknown; `counts`: keywords of the whole tree with each of the others, empty for the
   * peak month, which is not counted.
   */
  z.object({
    name: z.string(),
    kind: z.literal('category'),
    values: z.array(z.string()),
    counts: z.array(z.number()),
    isCustom,
  }),
  /** A keyword may have several of these at once; the first value is empty and means that none is known. */
  z.object({
    name: z.string(),
    kind: z.literal('set'),
    values: z.array(z.string()),
    counts: z.array(z.number()),
    isCustom,
  }),
]);
export type Field = z.infer<typeof field>;

/**
 * A member of the file that is not available for colour, size or filters, and why: more different values than a
 * category (`values`) or a set (`members`) can have, values that are too long (`long`), a name that indicates addresses
 * or prose (`prose`), or more members than there are columns (`more`).
 */
export const withheldField = z.object({
  name: z.string(),
  kind: z.literal('none'),
  why: z.enum(['values', 'members', 'long', 'prose', 'more']),
  isCustom,
});
export type WithheldField = z.infer<typeof withheldField>;

/** A filter as `pack/filter-text` writes it; absent or empty: none. The response covers what it keeps. */
export const filter = z.optional(queryText);

/** How `q` is matched; absent: all words. */
export const matchMode = z.optional(z.enum(matchModes));

/** Keywords of a branch, the largest volume first. `next`: the cursor of the next page, absent on the last one. */
export const keywordPage = z.object({
  keywords: z.array(z.object({ node: z.number(), name: z.string(), volume: z.optional(z.number()) })),
  next: z.optional(z.string()),
});

/** The end of a page of keywords: the volume of its last keyword (-1 if unknown) and its row, joined by `_`. */
export const keywordCursor = z.string().check(z.regex(/^-?\d{1,17}(\.\d{1,17})?(e[+-]?\d{1,3})?_\d{1,10}$/));

export const keywordLimit = z.optional(
  z.coerce.number<number>().check(z.int(), z.gte(1), z.lte(limits.maxKeywordsAtATime)),
);

/** Totals of selected nodes: each keyword in them counts once. A figure that is unknown is absent. */
const selectionTotals = z.object({
  /** Selected nodes. */
  rows: z.number(),
  keywords: z.number(),
  volume: z.optional(z.number()),
  volumeKnown: z.number(),
  /** The plain mean over the keywords for which it is known. */
  difficulty: z.optional(z.number()),
  difficultyKnown: z.number(),
  /** How much of the volume it is known for, 0 to 1; of the keywords where volumes are mostly unknown. */
  difficultyShare: z.optional(z.number()),
});
export type SelectionTotals = z.infer<typeof selectionTotals>;

/** The meaning of each number: see `Histogram` of `pack/histogram`. */
export const histogram = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    /**
     * Number of keywords from `edges[i]` to `edges[i + 1]`, exclusive; the last bin includes its end. Empty if nothing
     * is known.
     */
    bins: z.array(z.number()),
    edges: z.array(z.number()),
    /** Whether the bins are equally wide on a logarithmic scale. */
    isLog: z.boolean(),
    /** The smallest and the greatest known value; absent if none is known. */
    least: z.optional(z.number()),
    most: z.optional(z.number()),
    known: z.number(),
    unknown: z.number(),
  }),
  z.object({
    kind: z.literal('values'),
    values: z.array(
      z.object({
        value: z.string(),
        count: z.number(),
        /** The sum of the requested figure, over the keywords for which it is known. */
        sum: z.optional(z.number()),
      }),
    ),
    known: z.number(),
    unknown: z.number(),
  }),
]);
export type Histogram = z.infer<typeof histogram>;

/** A node whose name matches a search. */
const hit = z.object({
  node: z.number(),
  name: z.string(),
  type: z.string(),
  keywords: z.number(),
  volume: z.optional(z.number()),
  /** The ancestors, root first, without the node itself. */
  path: z.array(z.object({ node: z.number(), name: z.string() })),
});
export type SearchHit = z.infer<typeof hit>;

export const searchAnswer = z.object({
  /** The number of all hits, which may exceed those returned. */
  total: z.number(),
  hits: z.array(hit),
  /** Hits among the keywords that no node names, regardless of the filter. They are not in `total`. */
  notInHierarchy: z.number(),
  /** Only if the request has `under`, like `places`: for the pillar topics in `hits`, the number of hits in each. */
  pillars: z.optional(z.array(z.object({ node: z.number(), hits: z.number() }))),
  /** See `HitPlaces` of `pack/hit-places`. */
  places: z.optional(
    z.object({
      nodes: z.array(z.number()),
      counts: z.array(z.number()),
      hits: z.array(z.number()),
      upTo: z.number(),
    }),
  ),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const uploadStatus = z.object({
  id,
  /** As `UploadState` of `upload.ts`; `kept` only for keyword lists. */
  state: z.enum(['receiving', 'received', 'reading', 'saving', 'active', 'failed', 'kept']),
  /** Share of the current step, 0 to 1. */
  share: z.number(),
  /** Why it failed. */
  refusal: z.optional(refusal),
  /** The new visualization, once it exists. */
  visualizationId: z.optional(z.string()),
  /** For a file with such entries: the number that repeat a keyword and were merged. */
  merged: z.optional(z.number()),
  /** A warning that accompanies success, for example a failed activation. */
  warning: z.optional(refusal),
  /** What was corrected in the reading of its members. */
  fieldMap: z.optional(fieldMap),
});
export type UploadStatus = z.infer<typeof uploadStatus>;

/** An unfinished or failed upload. `state` is never `active`. */
export const openUpload = z.extend(uploadStatus, {
  fileName: z.string(),
  /** Bytes of the whole file. */
  fileSize: z.number(),
  /** The file's modification time, as reported by the sender's browser. */
  fileModified: z.optional(time),
  description: z.string(),
  begunAt: time,
  /** ID of the administrator who sends it. */
  uploadedBy: z.string(),
  /** Whether the current administrator sends it; only they can resume it. */
  isYours: z.boolean(),
  /** Whether bytes are arriving now, from any tab or browser. */
  isSending: z.boolean(),
});
export type OpenUpload = z.infer<typeof openUpload>;

/** An upload that the current administrator can resume, and the user it is for. */
export const unfinishedUpload = z.extend(openUpload, { receiver: z.object({ id: z.string(), email: z.string() }) });
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;

/** Identifies the popup's report to the page that opened it. */
export const pageNonce = z.string().check(z.regex(/^[\w-]{8,128}$/));
/** The query of the raw route that starts a sign-in with Google. */
export const googleRequest = z.object({
  flow: z.enum(['popup', 'redirect']),
  nonce: pageNonce,
  /** "Remember me"; without it the session ends with the browser. */
  remember: z.optional(z.enum(['true', 'false'])),
  /**
   * Absent to sign in. `step-up`: a signed-in administrator confirms their identity; the session stays as it is, and
   * afterwards the page requests its step-up handle with the nonce.
   */
  purpose: z.optional(z.enum(['step-up'])),
  /**
   * The page's own origin. If it is not that of `BASE_URL`, the issuer would return the browser to another address, so
   * it is refused at once.
   */
  origin: z.optional(storableText({ max: 300 })),
});
