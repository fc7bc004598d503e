import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requireRaw } from '../accounts/require.ts';
import { signalOf } from '../http/connections.ts';
import { type CallApi, MapApi } from './map-api.ts';
import { mapTools } from './tools.ts';

type McpDeps = {
  readonly version: string;
  /** Where people open the product. */
  readonly origin: string;
};

/**
 * `/mcp`: the tools of an agent over streamable HTTP. There are no sessions: each request is complete. The
 * tools call the HTTP API of this server with the token of the request: whatever it may not do, they cannot.
 *
 * Source: Model Context Protocol, revisions 2025-06-18 to 2026-07-28.
 */
export function mcpRoutes({ version, origin }: McpDeps): FastifyPluginAsync {
  return async (scope) => {
    const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const handler = createMcpHandler(
        () => mapTools({ api: new MapApi(asRequester(scope, request)), origin, version }),
        { maxSubscriptions: 0 },
      );
      const { method, headers, body } = request;
      const webRequest = new Request(new URL('/mcp', origin), {
        method,
        headers: Object.entries(headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((one) => [name, one]),
        ) as never,
        ...(method === 'POST' && { body: JSON.stringify(body) }),
        signal: signalOf(reply),
      });
      const response = await handler.fetch(webRequest, { parsedBody: body });
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(Buffer.from(await response.arrayBuffer()));
    };
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      scope.route({ method, url: '/mcp', exposeHeadRoute: false, preHandler: requireRaw('approved'), handler: serve });
    }
  };
}

/** Who a request comes from: nothing else of it is passed on. */
const ofRequester = ['authorization', 'cookie', 'origin', 'sec-fetch-site', 'user-agent'] as const;

/** The HTTP API as the sender of a request uses it. */
function asRequester(app: FastifyInstance, { headers, ip }: FastifyRequest): CallApi {
  const own = Object.fromEntries(ofRequester.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
  return async ({ method, path, query = {}, body }) => {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) params.append(name, String(value));
    const response = await app.inject({
      method,
      url: `/api${path}?${params}`,
      remoteAddress: ip,
      headers: {
        ...own,
        'accept-encoding': 'identity',
        ...(typeof body === 'string' && { 'content-type': 'application/octet-stream' }),
      },
      ...(body && { payload: body }),
    });
    return { status: response.statusCode, body: response.rawPayload };
  };
}
