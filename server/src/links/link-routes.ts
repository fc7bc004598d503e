import { randomUUID } from 'node:crypto';
import { can } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import { linkAllows, nameWithoutEmail, type Visitor } from '@kc/rules/link';
import type { NewLink, ShareLink } from '@kc/rules/link-shapes';
import { done, type Result, refuse } from '@kc/rules/result';
import { cleanViewName } from '@kc/rules/saved-view';
import { checkEmail } from '@kc/rules/sign-in';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { api, personOf, type RequestContext, requireLink, visitorOf } from '../accounts/require.ts';
import { readSettings } from '../accounts/settings.ts';
import { hashToken, newToken } from '../accounts/tokens.ts';
import { audit } from '../database/audit.ts';
import { type Listener, type Notification, notify } from '../database/notifications.ts';
import { changesRow, inTransaction, type Queryable } from '../database/open.ts';
import { beginEvents, type EventWriter, openStreams } from '../http/event-stream.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { allowed, asError, sendRefusal } from '../http/refusals.ts';
import type { Log } from '../log.ts';
import type { ServerParts } from '../server-parts.ts';
import { changeable } from '../visualizations/access.ts';
import { findVisualization, type OwnedRecord } from '../visualizations/queries.ts';
import {
  findLink,
  findLinkByToken,
  holdLinkCount,
  insertLink,
  insertLinkSession,
  type LinkFacts,
  listLinks,
} from './link-queries.ts';
import { checkVisit, isResting } from './visitors.ts';

type LinkDeps = Pick<ServerParts, 'db' | 'builtInAdmins' | 'now'>;

const dayMs = 86_400_000;
/** Each link adds a line to a log that is never shortened. */
const makeLimit: Limit = { name: 'share', uses: 60, windowMs: 3_600_000 };
/**
 * Wrong tokens from one network address. Nobody can guess one, so that those who have a right one are never made to wait for
 * others behind their address.
 */
const wrongLimit: Limit = { name: 'wrong-share', uses: 100, windowMs: 15 * 60_000 };
/**
 * How often one link may be opened from one network address, behind which may be a whole company. Each opening adds a line to
 * the log, and a row that lasts as long as its cookie.
 */
const openLimit: Limit = { name: 'open-share', uses: 1_000, windowMs: 15 * 60_000 };

/** The contract's calls about links: for those who make them, and for opening one. Source: docs/decisions/064. */
function linkRoutes({ db, builtInAdmins, now }: LinkDeps) {
  return {
    links: {
      make: api.links.make.handler(async ({ input, context }) => {
        const record = await linkable(db, context, input);
        const { account } = personOf(context);
        const sharedWith = allowed(addresseeOf(input));
        const wait = await consume(db, makeLimit, account.id, now());
        if (wait > 0) throw asError({ code: 'link/too-many', params: { seconds: wait } });
        const [id, token, at] = [randomUUID(), newToken(), now()];
        const link = {
          id,
          token_hash: hashToken(token),
          visualization_id: record.id,
          maker_id: account.id,
          kind: input.kind,
          shared_with: sharedWith,
          with_plan: input.withPlan,
          may_edit_plan: input.kind === 'colleague' && input.withPlan && input.mayEditPlan === true,
          with_downloads: input.withDownloads,
          columns: input.kind === 'client' && input.columns ? JSON.stringify(input.columns) : null,
          created_at: new Date(at),
          expires_at: new Date(at + input.days * dayMs),
        };
        const made = await inTransaction(db, async (tx): Promise<Result<true>> => {
          await tx.selectFrom('accounts').select('id').where('id', '=', account.id).forShare().execute();
          // The session may have ended meanwhile, as it does when somebody proves the email, and with it earlier links.
          await linkable(tx, { ...context, person: await context.readAgain(tx) }, input);
          const links = await holdLinkCount(tx, record.id, new Date(at));
          if (links === undefined) return refuse('visualization/not-found');
          if (links >= limits.maxShareLinks) return refuse('link/full', { max: limits.maxShareLinks });
          await insertLink(tx, link);
          await audit(
            tx,
            { actor: account.id, action: 'share', target: record.user_id, details: linkDetails(link) },
            at,
          );
          return done(true);
        });
        allowed(made);
        return { ...toLinkResponse((await findLink(db, id))!), token };
      }),
      list: api.links.list.handler(async ({ input, context }) => {
        const record = await changeable(db, context, input.id);
        return (await listLinks(db, record.id, new Date(now()))).map(toLinkResponse);
      }),
      revoke: api.links.revoke.handler(async ({ input, context }) => {
        const { account } = personOf(context);
        const link = await findLink(db, input.id);
        // Whose link it is must not show, so everything that is not theirs is missing.
        if (!link || !can(account, { do: 'links/use', ownerId: link.owner_id }, builtInAdmins).ok) {
          throw asError({ code: 'link/not-found' });
        }
        await inTransaction(db, async (tx) => {
          const revoked = tx
            .updateTable('share_links')
            .set({ revoked_at: new Date(now()) })
            .where('id', '=', link.id)
            .where('revoked_at', 'is', null);
          if (!(await changesRow(revoked))) return;
          const line = { actor: account.id, action: 'end-share', target: link.owner_id } as const;
          await audit(tx, { ...line, details: linkDetails(link) }, now());
          await notify(tx, { about: 'links', linkId: link.id });
        });
        return { id: link.id };
      }),
      all: api.links.all.handler(async () =>
        (await listLinks(db, undefined, new Date(now()))).map((link) => ({
          ...toLinkResponse(link),
          visualizationId: link.visualization_id,
          visualization: link.root_name,
          owner: link.owner_email,
        })),
      ),
    },
    sharing: {
      open: api.sharing.open.handler(async ({ input, context }) => {
        const tooMany = (seconds: number) => asError({ code: 'link/too-many', params: { seconds } });
        const link = await linkToOpen(input);
        if (!link) {
          const wait = await consume(db, wrongLimit, context.address, now());
          throw wait > 0 ? tooMany(wait) : asError({ code: 'link/ended' });
        }
        const wait = await consume(db, openLimit, `${link.id} ${context.address}`, now());
        if (wait > 0) throw tooMany(wait);
        const visitor = allowed(checkVisit(link, context.person, { builtInAdmins, now }));
        const [token, at] = [newToken(), now()];
        const session = { token_hash: hashToken(token), link_id: link.id, created_at: new Date(at) };
        await inTransaction(db, async (tx) => {
          await insertLinkSession(
            tx,
            { ...session, expires_at: new Date(at + limits.linkSessionMs) },
            visitor.accountId,
          );
          const line = { actor: visitor.accountId ?? 'anyone', action: 'open-share', target: link.owner_id } as const;
          await audit(tx, { ...line, details: linkDetails(link) }, at);
        });
        context.setLink(link.id, token);
        return { id: link.id };
      }),
      page: api.sharing.page.handler(({ input, context }) => pageOf(input.id, context)),
    },
  };

  /** The visualization to which the asker may make a link of this kind. @throws the refusal as the contract's error */
  async function linkable(of: Queryable, context: RequestContext, { id, kind }: Asked): Promise<OwnedRecord> {
    const record = await changeable(of, context, id);
    const { clientLinks } = (await readSettings(of)).settings;
    const action = { do: 'links/make', ownerId: record.user_id, kind, clientLinks } as const;
    allowed(can(personOf(context).account, action, builtInAdmins));
    return record;
  }

  /** Only the link of a colleague opens by its ID: it names the account that has to be signed in. */
  async function linkToOpen(
    input: { readonly token: string } | { readonly link: string },
  ): Promise<LinkFacts | undefined> {
    if ('token' in input) return findLinkByToken(db, hashToken(input.token));
    const link = await findLink(db, input.link);
    return link?.kind === 'colleague' ? link : undefined;
  }

  async function pageOf(id: string, context: RequestContext) {
    const visitor = visitorOf(context);
    const link = visitor?.linkId === id ? await findLink(db, id) : undefined;
    const record = link && (await findVisualization(db, link.visualization_id));
    if (!record) throw asError({ code: 'link/ended' });
    return {
      id,
      kind: link.kind,
      sharedWith: link.shared_with,
      maker: nameWithoutEmail(link.maker.display_name),
      until: link.expires_at.getTime(),
      withPlan: link.with_plan,
      mayEditPlan: linkAllows(visitor!, 'edit-plan'),
      withDownloads: link.with_downloads,
      rootName: record.root_name,
      keywords: record.keywords,
      nodes: record.nodes,
      uploadDate: record.uploaded_at.getTime(),
    };
  }

  function toLinkResponse(link: LinkFacts): ShareLink {
    return {
      id: link.id,
      kind: link.kind,
      sharedWith: link.shared_with,
      maker: link.maker.display_name || link.maker.email,
      withPlan: link.with_plan,
      mayEditPlan: link.may_edit_plan,
      withDownloads: link.with_downloads,
      createdAt: link.created_at.getTime(),
      expiresAt: link.expires_at.getTime(),
      ...(link.opened_at && { openedAt: link.opened_at.getTime() }),
      opened: link.opened,
      isResting: isResting(link, builtInAdmins, now()),
    };
  }
}

type Asked = { readonly id: string; readonly kind: NewLink['kind'] };

/** Whom a link is for. The answer is the same whether the email has an account or not. */
function addresseeOf(link: NewLink): Result<string> {
  if (link.kind === 'colleague') {
    const email = checkEmail(link.email);
    return email.ok ? email : refuse('link/email');
  }
  const name = cleanViewName(link.name);
  return name === '' ? refuse('link/unnamed') : done(name);
}

/** For the audit log, which names people by the account alone: without the email of a colleague. */
const linkDetails = (
  link: Pick<LinkFacts, 'id' | 'kind' | 'visualization_id' | 'shared_with' | 'may_edit_plan' | 'expires_at'>,
) => ({
  link: link.id,
  kind: link.kind,
  visualization: link.visualization_id,
  ...(link.kind === 'client' && { for: link.shared_with }),
  ...(link.may_edit_plan && { edits: 'plan' }),
  until: link.expires_at.toISOString().slice(0, 10),
});

/** What the app registers of links to visualizations. What their visitors read is served by visualizations themselves. */
export function linkMount(deps: LinkDeps & LinkEventDeps): {
  readonly routes: ReturnType<typeof linkRoutes>;
  readonly raw: FastifyPluginAsync;
} {
  return { routes: linkRoutes(deps), raw: linkEventRoutes(deps) };
}

type LinkEventDeps = { readonly listener: Pick<Listener, 'on'>; readonly log: Log };

type ById = { Params: { id: string } };

/** Interval at which an open stream reads its link again, because nothing announces the end of its time. */
const heartbeatMs = 25_000;
/** Streams of one link on this server. */
const maxStreams = 100;

/**
 * `/api/shared/{id}/events`: server-sent events for the visitors of a link. `ended`: the link does not work any more, with the
 * code of the reason as data; the stream then closes. `plans`: the plan may have changed.
 *
 * Whatever is announced that could end the link, each stream reads it again. Source: SECURITY.md, SEC-04.
 */
export function linkEventRoutes({ listener, log }: LinkEventDeps): FastifyPluginAsync {
  return async (scope) => {
    const stop = listener.on((notification) => {
      for (const stream of streams) stream.handle(notification);
    });
    const { streams, keep } = openStreams<Stream>(scope, stop);
    const options = { preHandler: requireLink('explore'), exposeHeadRoute: false };
    scope.get<ById>('/api/shared/:id/events', options, async (request, reply) => {
      const { id } = request.params;
      if ([...streams].filter((one) => one.linkId === id).length >= maxStreams) {
        return sendRefusal(reply, { code: 'link/too-many', params: { seconds: 60 } });
      }
      await keep(reply, createStream(id, request, beginEvents(reply), log));
    });
  };
}

type Stream = { readonly linkId: string; handle(notification: Notification): void; look(): void; end(): void };

function createStream(
  linkId: string,
  { requestContext: context }: FastifyRequest,
  response: EventWriter,
  log: Log,
): Stream {
  const opened = visitorOf(context);
  let isOver = false;
  const check = async (then: string): Promise<void> => {
    const visitor = await context.readVisitorAgain();
    if (isOver) return;
    if (visitor.ok) return response.write(then);
    response.write(`event: ended\ndata: ${JSON.stringify({ code: visitor.refusal.code })}\n\n`);
    stream.end();
  };
  // A database that is briefly unavailable costs a heartbeat, not the stream.
  const guarded = (then: string, otherwise?: () => void): void =>
    void check(then).catch((error: unknown) => {
      log.warn({ err: error }, 'A stream could not read its link');
      otherwise?.();
    });
  const heart = setInterval(() => guarded(': alive\n\n'), heartbeatMs);
  const stream: Stream = {
    linkId,
    handle(notification) {
      if (isOver || !concerns(notification, opened)) return;
      const isPlan = (notification.about === 'plans' || notification.about === 'missed') && opened?.withPlan;
      // An event that could not be sent would be missed: the page opens another stream, and reads again.
      guarded(isPlan ? 'event: plans\ndata: {}\n\n' : '', stream.end);
    },
    look: () => guarded(''),
    end() {
      if (isOver) return;
      isOver = true;
      clearInterval(heart);
      response.end();
    },
  };
  return stream;
}

/** Whether an announcement may mean that the link has ended, or that what it shows has changed. */
function concerns(notification: Notification, visitor: Visitor | undefined): boolean {
  if (notification.about === 'links') return notification.linkId === visitor?.linkId;
  if (notification.about === 'accounts' || notification.about === 'drafts') return false;
  return !('accountId' in notification) || (visitor?.dependsOn.includes(notification.accountId) ?? false);
}
