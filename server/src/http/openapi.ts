import { contract } from '@kc/rules/api';
import type { About } from '@kc/rules/contract-call';
import { paths as pages } from '@kc/rules/paths';
import { rawRoutes } from '@kc/rules/raw-routes';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { FastifyPluginAsync } from 'fastify';

type Generated = Awaited<ReturnType<OpenAPIGenerator['generate']>>;
type ApiDocument = Omit<Generated, 'paths'> & {
  /** By path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });

/**
 * The document at `/api/openapi.json`, and the redirect from `/api/docs` to the page that shows it.
 *
 * @param sessionName of this server's session cookie
 */
export function openapiRoutes(version: string, sessionName: string): FastifyPluginAsync {
  let document: Promise<ApiDocument> | undefined;
  return async (scope) => {
    scope.get('/api/openapi.json', () => {
      document ??= apiDocument(version, sessionName);
      return document;
    });
    scope.get('/api/docs', (_request, reply) => reply.redirect(pages.docs));
  };
}

/**
 * All calls of the contract and all raw routes as OpenAPI 3.1. Generated from the implementation, so that the two
 * cannot disagree. An operation's `x-who` says who may call it, its `x-scope` what an access
 * token must include, if one may.
 */
export async function apiDocument(version: string, sessionName: string): Promise<ApiDocument> {
  const document = await generator.generate(contract, {
    info: { title: 'Keyword Clustering', version },
    servers: [{ url: '/' }],
    components: {
      schemas: { Refusal: refusalSchema },
      securitySchemes: { session: cookie(sessionName), token: bearer },
    },
    customErrorResponseBodySchema: () => ({ $ref: '#/components/schemas/Refusal' }),
  });
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, who, scope, summary } of [...contractRoutes(), ...rawRoutes]) {
    const verb = method.toLowerCase() as 'get';
    const generated = document.paths?.[path.replace(/^\/api/, '')]?.[verb];
    const operation = {
      ...(generated ?? rawOperation(path)),
      ...(summary ? { summary } : {}),
      ...(who === 'anyone' ? {} : { security: [{ session: [] }, ...(scope ? [{ token: [] }] : [])] }),
      'x-who': who,
      ...(scope && { 'x-scope': scope }),
    };
    paths[path] = { ...paths[path], [verb]: operation };
  }
  return { ...document, paths };
}

const cookie = (name: string) =>
  ({ type: 'apiKey', in: 'cookie', name, description: 'Set by POST /api/session' }) as const;

const bearer = { type: 'http', scheme: 'bearer', description: 'An access token, made in the user menu' } as const;

/** The body of every unsuccessful response; `data.code` is a code of the message catalogue. */
const refusalSchema: NonNullable<NonNullable<Generated['components']>['schemas']>[string] = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    status: { type: 'integer' },
    message: { type: 'string' },
    data: {
      type: 'object',
      properties: { code: { type: 'string' }, params: { type: 'object' } },
      required: ['code'],
    },
  },
  required: ['code', 'status', 'data'],
};

type Route = Pick<About, 'who' | 'scope'> & {
  readonly method: string;
  readonly path: string;
  readonly summary?: string;
};

function contractRoutes(): Route[] {
  return Object.values(contract).flatMap((group) =>
    Object.values(group).map(({ '~orpc': { route, meta } }) => ({
      method: route.method ?? 'POST',
      path: `/api${route.path}`,
      who: meta.who,
      scope: meta.scope,
    })),
  );
}

/** A call whose body is no JSON object: only its path parameters have a schema. */
function rawOperation(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  return {
    parameters: names.map((name) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: { type: 'string' as const },
    })),
    responses: { default: { description: 'Not a JSON object' } },
  };
}
