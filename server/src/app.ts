import { bearerOf, tokenAllows } from '@kc/rules/access-token';
import { scopeOfRaw } from '@kc/rules/raw-routes';
import { refuse } from '@kc/rules/result';
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { type AnyRouter, ORPCError } from '@orpc/server';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  LogController,
} from 'fastify';
import { accessTokenRoutes, admitToken, readTokenAgain } from './access-tokens/access-tokens.ts';
import { activityExportRoutes } from './accounts/activity-export.ts';
import { type ChangeTimes, createChangeTimes, readAt, readAtHeader } from './accounts/change-times.ts';
import { forceDeleteRoute } from './accounts/delete-account.ts';
import type { AccountDeps } from './accounts/deps.ts';
import { eventRoutes } from './accounts/events.ts';
import { googleRoutes } from './accounts/google/routes.ts';
import { auditRefusal } from './accounts/limits.ts';
import { mailSettingsRoutes } from './accounts/mail-settings.ts';
import type { Person, RequestContext } from './accounts/require.ts';
import { accountRoutes } from './accounts/routes.ts';
import { readSessionById, readSessions, rotateIfDue } from './accounts/sessions.ts';
import { settingsRoutes } from './accounts/settings.ts';
import { batchLoader, type Queryable } from './database/open.ts';
import type { SchemaWatch } from './database/watch-schema.ts';
import { type CallNames, type OnRequestCompleted, reportAnswers } from './http/answered-requests.ts';
import { arrivalOf, doctorHeader, isDoctorMark } from './http/arrival.ts';
import { compressLists } from './http/compressed-lists.ts';
import { connectionLimits } from './http/connections.ts';
import { deviceCookie, linkCookie, sessionCookie, sessionCookieName } from './http/cookies.ts';
import { isCrossSite } from './http/cross-site.ts';
import { headersByKind, linkHeaders, responseKind } from './http/headers.ts';
import { createIdempotentAnswers, type IdempotentAnswers } from './http/idempotent-answers.ts';
import { readJsonBodies, refusalOfRequest } from './http/json-bodies.ts';
import { malformedRequests } from './http/malformed-requests.ts';
import { inNetworks, networkOf } from './http/network.ts';
import { openapiRoutes } from './http/openapi.ts';
import { asError, refusalBody, refusalOfFault, sendRefusal } from './http/refusals.ts';
import { serveStatic } from './http/static-files.ts';
import { admitVisitor, linkIn, readVisitor } from './links/visitors.ts';
import { mcpRoutes } from './mcp/mcp-route.ts';
import { timed } from './request-times.ts';
import type { SpaceWatch } from './storage/space.ts';

/** What a feature adds to the server. */
type Mount = {
  /** Its part of the contract, implemented with `api` of `accounts/require`. */
  readonly routes: Readonly<Record<string, AnyRouter>>;
  /** Its raw routes, with their own body parsers. Each is guarded with `requireRaw`. Paths are complete: `/api/…`. */
  readonly raw: FastifyPluginAsync;
};

export type AppDeps = AccountDeps & {
  /** Features other than accounts: visualizations and their uploads. */
  readonly mounts: readonly Mount[];
  /** The built web bundle. */
  readonly webFolder: string;
  /** Whether everything the server needs responds, for `/readyz`. */
  isReady(): Promise<boolean>;
  /** Whether this server can work with the schema of the database. */
  readonly schema: Pick<SchemaWatch, 'fault' | 'look'>;
  /** Places with little free space, which `/readyz` names: the server can still work. */
  readonly space: Pick<SpaceWatch, 'low'>;
  /** Called for each completed request, for the metrics. */
  readonly onRequestCompleted?: OnRequestCompleted | undefined;
};

/**
 * The server with every route, without listening: tests call it without a socket.
 *
 * It has three encapsulated scopes with different body parsers: the contract's calls (small JSON), the raw routes of
 * each feature, and the static files.
 */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, log } = deps;
  const logger: FastifyBaseLogger = log;
  const headers = headersByKind({
    https: config.baseUrl.protocol === 'https:',
    hstsSubdomains: config.hstsSubdomains,
    popups: config.google !== undefined,
  });
  const malformed = malformedRequests(headers.api);
  const isProxy = inNetworks(config.trustedProxies);
  const connections = connectionLimits({ isProxy, hasProxies: config.trustedProxies.length > 0, log });
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: isProxy,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => readablePath(url),
    forceCloseConnections: 'idle',
    requestTimeout: 300_000,
    ...connections.options,
    ...malformed.options,
    http: { ...connections.options.http, ...malformed.options.http },
  });
  const calls: CallNames = new WeakMap();
  reportAnswers(app, calls, { log, slowMs: config.slowRequestMs, onRequestCompleted: deps.onRequestCompleted });
  connections.attach(app);
  guardEveryResponse(app, deps, headers);
  malformed.attach(app);
  readJsonBodies(app);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refused = refusalOfRequest(error);
    if (refused) return sendRefusal(reply, refused.refusal, refused.status);
    return sendRefusal(reply, refusalOfFault(error, `${request.method} ${request.routeOptions.url}`, log));
  });
  healthRoutes(app, deps);
  const times = createChangeTimes(deps.listener);
  await app.register(async (scope) => {
    refuseStrangeSchema(scope, deps);
    dateAnswers(scope, times);
    askWho(scope, deps);
    const answers = createIdempotentAnswers(deps);
    answers.attach(scope);
    await scope.register(contractRoutes(deps, calls, answers));
    await scope.register(eventRoutes(deps, times));
    await scope.register(activityExportRoutes(deps));
    await scope.register(openapiRoutes(deps.version, sessionCookieName(config.secureCookies)));
    await scope.register(forceDeleteRoute(deps));
    await scope.register(googleRoutes(deps));
    await scope.register(mcpRoutes({ version: deps.version, origin: config.baseUrl.origin }));
    for (const mount of deps.mounts) await scope.register(mount.raw);
  });
  await serveStatic(app, deps.webFolder);
  return app;
}

/** A server that only runs jobs: it answers whether it lives and can work, and nothing else. */
export function createHealthApp(
  deps: Pick<AppDeps, 'config' | 'log' | 'secret' | 'isReady' | 'schema' | 'space' | 'onRequestCompleted'>,
): FastifyInstance {
  const { log, config } = deps;
  const isProxy = inNetworks(config.trustedProxies);
  const connections = connectionLimits({ isProxy, hasProxies: config.trustedProxies.length > 0, log });
  const logger: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    ...connections.options,
  });
  reportAnswers(app, new WeakMap(), { log, slowMs: config.slowRequestMs, onRequestCompleted: deps.onRequestCompleted });
  connections.attach(app);
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, { code: 'request/not-found' }));
  healthRoutes(app, deps);
  return app;
}

/** Whether this process lives, and whether it can work. Nobody has to sign in. */
function healthRoutes(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'config' | 'isReady' | 'schema' | 'space' | 'secret'>,
): void {
  const isProxy = inNetworks(deps.config.trustedProxies);
  app.get('/healthz', async (request) => {
    if (!isDoctorMark(deps.secret, request.headers[doctorHeader])) return { ok: true };
    return { ok: true, arrival: arrivalOf(request, isProxy) };
  });
  app.get('/readyz', async (_request, reply) => {
    if (!(await deps.isReady())) return sendRefusal(reply, { code: 'fault/unavailable' });
    const reason = await deps.schema.look();
    if (reason) return reply.code(503).send({ ...refusalBody({ code: 'fault/unavailable' }), reason });
    const low = deps.space.low();
    return low.length > 0 ? { ok: true, low } : { ok: true };
  });
}

/**
 * A server whose database was migrated beyond what it knows answers 503, so that the same request may succeed at another one. The
 * first ones to notice may be requests that failed.
 */
function refuseStrangeSchema(scope: FastifyInstance, { schema }: AppDeps): void {
  scope.addHook('onRequest', async (_request, reply) => {
    if (schema.fault) return sendRefusal(reply, { code: 'fault/unavailable' });
  });
  scope.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode !== 500) return payload;
    // If the database does not answer, that was logged with the failure itself.
    const fault = await schema.look().catch(() => undefined);
    if (!fault) return payload;
    const body = refusalBody({ code: 'fault/unavailable' });
    reply.code(body.status).type('application/json; charset=utf-8').removeHeader('content-length');
    return JSON.stringify(body);
  });
}

/**
 * Treats the percent signs of a path with invalid escapes as plain characters. It matches nothing, and gets the usual
 * headers and the usual refusal.
 */
function readablePath(url: string): string {
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Sets security headers on every response, and refuses state changes from other sites' pages. */
function guardEveryResponse(
  app: FastifyInstance,
  { config }: AppDeps,
  headers: ReturnType<typeof headersByKind>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0]!;
    reply.headers({ ...headers[responseKind(path)], ...linkHeaders(path) });
    // No page of another site can send this header, and no cookie is looked at when it is sent. The protocol of agents wants
    // other origins refused all the same.
    if (bearerOf(request.headers.authorization) !== undefined && path !== '/mcp') return;
    if (isCrossSite(request, config.ownOrigins)) return sendRefusal(reply, { code: 'request/cross-site' });
  });
  app.addHook('onSend', async (request, reply) => {
    // T52: a route that sends a file cannot forget this.
    if (reply.hasHeader('Content-Disposition')) reply.headers(headers.file);
    const unlisted = linkHeaders(request.url.split('?')[0]!);
    if (unlisted) reply.headers(unlisted);
  });
}

/** Notes in each response when its handling began, before anything is read for it. */
function dateAnswers(scope: FastifyInstance, times: ChangeTimes): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header(readAtHeader, readAt(times));
  });
}

/** The one route behind which the contract's calls are. */
const contractPath = '/api/*';

/**
 * Reads the requester from the database for every request, and issues a new token of a session after a change of role. A
 * request that shows an access token has nothing but that: no cookie is looked at.
 */
function askWho(scope: FastifyInstance, deps: AppDeps): void {
  const { config, db, now } = deps;
  const cookie = sessionCookie(config.secureCookies);
  const device = deviceCookie(config.secureCookies);
  const read = batchLoader((tokens: readonly string[]) => readSessions(db, tokens, now()));
  scope.decorateRequest('requestContext');
  scope.addHook('onRequest', async (request, reply) => {
    const setSession: RequestContext['setSession'] = (fresh, remembered) =>
      reply.header('Set-Cookie', cookie.write(fresh, remembered));
    // Read early: if the client disconnects during the next query, its address is lost.
    const address = networkOf(request.ip);
    const bearer = bearerOf(request.headers.authorization);
    const admitted = bearer === undefined ? undefined : await admitToken(db, bearer, address, now());
    if (admitted && !admitted.ok) return sendRefusal(reply, admitted.refusal);
    const cookies = admitted ? undefined : request.headers.cookie;
    const sent = cookie.read(cookies);
    const session = sent ? await timed('session', () => read(sent)) : undefined;
    const person = admitted?.value ?? session;
    const rotated = sent && session ? await rotateIfDue(db, session, sent, now()) : undefined;
    if (rotated) setSession(rotated.token, rotated.remembered);
    const linkId = linkIn(request.url);
    const linked = linkId === undefined ? undefined : linkCookie(config.secureCookies, linkId);
    const shown = linkId && { linkId, token: linked?.read(cookies) };
    const visits = { db, builtInAdmins: config.builtInAdmins, now };
    const visitor = shown ? await admitVisitor(visits, shown, person) : undefined;
    const again = async (through: Queryable): Promise<Person | undefined> => {
      if (!person) return undefined;
      const read = person.accessToken ? readTokenAgain : readSessionById;
      return read(through, person.sessionId, now());
    };
    const context: RequestContext = {
      // Handlers that need a person must not serve the calls of a link, not even those of a signed-in user.
      person: shown ? undefined : person,
      visitor,
      builtInAdmins: config.builtInAdmins,
      address,
      token: rotated?.token ?? sent,
      device: device.read(cookies),
      readAgain: async (through = db) => (shown ? undefined : again(through)),
      async readVisitorAgain(through = db) {
        if (!shown) return refuse('session/required');
        return readVisitor({ ...visits, db: through }, shown, await again(through), through !== db);
      },
      async reportRefused(code) {
        if (!person) return;
        const where = `${request.method} ${request.url.split('?')[0]}`;
        const { id } = person.account;
        deps.log.warn({ event: 'refused', account: id, where, code }, 'Requested something without permission');
        await auditRefusal(deps, { actor: id, action: 'refused', target: where, details: { code } }, context.address);
      },
      setSession,
      setLink: (id, opened) => reply.header('Set-Cookie', linkCookie(config.secureCookies, id).write(opened)),
      setDevice: (mark) => reply.header('Set-Cookie', device.write(mark)),
      // T56: nothing shown or stored stays in a browser that another person may use next.
      clearSession: () => reply.header('Set-Cookie', cookie.clear()).header('Clear-Site-Data', '"cache", "storage"'),
    };
    request.requestContext = context;
    const url = request.routeOptions.url;
    const token = context.person?.accessToken;
    if (!token || url === contractPath) return;
    const path = url?.replace(/:(\w+)/g, '{$1}') ?? '';
    const may = tokenAllows(token, {
      scope: scopeOfRaw(request.method, path),
      path: path.replace('/api', ''),
    });
    if (!may.ok) return sendRefusal(reply, may.refusal);
  });
}

function contractRoutes(deps: AppDeps, calls: CallNames, answers: IdempotentAnswers): FastifyPluginAsync {
  const mounted = Object.assign({}, ...deps.mounts.map((mount) => mount.routes));
  const tokens = accessTokenRoutes({ db: deps.db, builtInAdmins: deps.config.builtInAdmins, now: deps.now });
  const handler = new OpenAPIHandler<RequestContext>(
    { ...accountRoutes(deps), ...settingsRoutes(deps), ...mailSettingsRoutes(deps.db), ...tokens, ...mounted },
    {
      clientInterceptors: [
        async ({ next, path, context }) => {
          calls.set(context, path.join('.'));
          return next();
        },
      ],
      interceptors: [
        async ({ next, request, context }) => {
          try {
            const answered = await next();
            await answers.complete(context, answered.response);
            return answered;
          } catch (error) {
            await answers.complete(context, undefined);
            throw toContractError(error, `${request.method} ${request.url.pathname}`, deps);
          }
        },
      ],
    },
  );
  return async (scope) => {
    // Only JSON: a form or text body from another site is never parsed.
    scope.removeContentTypeParser('text/plain');
    compressLists(scope);
    scope.all(contractPath, async (request, reply) => {
      const { matched } = await handler.handle(request, reply, { prefix: '/api', context: request.requestContext });
      if (!matched) return sendRefusal(reply, { code: 'request/not-found' });
    });
  };
}

/** Every unsuccessful response has a code of the catalogue and reveals nothing internal. */
function toContractError(error: unknown, where: string, { log }: AppDeps): unknown {
  if (!(error instanceof ORPCError)) return asError(refusalOfFault(error, where, log));
  if (error.code === 'BAD_REQUEST') return asError({ code: 'request/invalid' });
  if (error.data !== undefined || error.status < 500) return error;
  return asError(refusalOfFault(error.cause ?? error, where, log));
}
