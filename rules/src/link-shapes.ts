import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { linkDays, linkKinds } from './link.ts';
import { id } from './shapes.ts';
import { storableText } from './text-shapes.ts';

/** Milliseconds since 1970, UTC. */
const time = z.number();
const days = (most: number) => z.number().check(z.int(), z.gte(1), z.lte(most));
const included = { withPlan: z.boolean(), withDownloads: z.boolean() };

/** A request for a new link. `name`: whom a client link is for, in the words of its creator. */
export const newLink = z.discriminatedUnion('kind', [
  z.strictObject({
    id,
    kind: z.literal('colleague'),
    email: storableText({ max: limits.maxEmailLength }),
    days: days(linkDays.colleague.most),
    ...included,
    /** Whether they may edit status, owner and note of the entries; counts only with the plan. */
    mayEditPlan: z.optional(z.boolean()),
  }),
  z.strictObject({
    id,
    kind: z.literal('client'),
    name: storableText({ max: limits.maxLinkNameLength }),
    /** The file's own columns that it shows, by name; without it, those that do not look personal. */
    columns: z.optional(z.array(storableText({ max: limits.maxColumnName })).check(z.maxLength(limits.maxLinkColumns))),
    days: days(linkDays.client.most),
    ...included,
  }),
]);
export type NewLink = z.infer<typeof newLink>;

/** A link that works or rests, as those who may revoke it see it. */
export const shareLink = z.object({
  id,
  kind: z.enum(linkKinds),
  /** The email of a colleague, or the name of a client. */
  sharedWith: z.string(),
  /** Who made it: a name, or an email. */
  maker: z.string(),
  ...included,
  mayEditPlan: z.boolean(),
  createdAt: time,
  expiresAt: time,
  openedAt: z.optional(time),
  opened: z.number(),
  isResting: z.boolean(),
});
export type ShareLink = z.infer<typeof shareLink>;

/** A link in the list of administrators, of any visualization. */
export const anyShareLink = z.extend(shareLink, {
  visualizationId: id,
  visualization: z.string(),
  owner: z.string(),
});

/** The token of a new link: nothing else ever contains it. */
export const madeLink = z.extend(shareLink, { token: z.string() });

export const linkToken = z.string().check(z.regex(/^[\w-]{43}$/));

/** What the page of a link shows around the visualization. */
export const sharedPage = z.object({
  id,
  kind: z.enum(linkKinds),
  sharedWith: z.string(),
  maker: z.string(),
  until: time,
  ...included,
  mayEditPlan: z.boolean(),
  rootName: z.string(),
  keywords: z.number(),
  nodes: z.number(),
  uploadDate: time,
});
export type SharedPage = z.infer<typeof sharedPage>;
