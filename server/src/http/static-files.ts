import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from './refusals.ts';

/**
 * Serves the web bundle. Files with a hash in their names are cached forever, others are revalidated. Every page
 * address without a file gets `index.html`, whose router handles it.
 *
 * @param folder the built bundle; without it, the server has only the API
 */
export async function serveStatic(app: FastifyInstance, folder: string): Promise<void> {
  const hasBundle = existsSync(folder);
  if (hasBundle) {
    await app.register(fastifyStatic, {
      root: folder,
      index: 'index.html',
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const hashed = /[\\/]assets[\\/]/.test(path);
        response.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (hasBundle && isNavigation(request)) return sendPage(reply);
    return sendRefusal(reply, { code: 'request/not-found' });
  });
}

function isNavigation(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const path = request.url.split('?')[0]!;
  return !/^\/(api|assets)(\/|$)/.test(path) && !/\.[a-z0-9]+$/i.test(path);
}

function sendPage(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-cache').sendFile('index.html');
}
