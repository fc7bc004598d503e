import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '@kc/rules/result';
import type { ConnectionError, FastifyInstance } from 'fastify';
import { refusalBody, sendRefusal } from './refusals.ts';

type Malformed = { readonly status: number; readonly why: string };

/** Node's names for what its HTTP parser rejects. */
const kinds: Readonly<Record<string, Malformed>> = {
  HPE_HEADER_OVERFLOW: { status: 431, why: 'headers-too-large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, why: 'too-large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, why: 'timeout' },
};
const otherwise: Malformed = { status: 400, why: 'malformed' };

const bodyOf = ({ status, why }: Malformed): string => JSON.stringify(refusalBody(refusalFor(why), status));
const refusalFor = (why: string): Refusal => ({ code: 'request/invalid', params: { why } });

/**
 * Responds to requests that the HTTP parser rejects, or that Node would answer itself, with the usual security headers
 * and a code. Such requests never reach a Fastify hook.
 *
 * Source: RFC 9112 §3.2, RFC 9110 §10.1.1
 *
 * @param security headers of every such response
 */
export function malformedRequests(security: Readonly<Record<string, string>>) {
  const answers = new WeakMap<Socket, ServerResponse>();
  const headers = { ...security, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' };

  return {
    /** For the server's constructor. */
    options: {
      // Node would respond to a missing Host header without our headers.
      http: { requireHostHeader: false },
      clientErrorHandler(error: ConnectionError, socket: Socket): void {
        const answer = answers.get(socket);
        const hasBegun = answer?.headersSent && !answer.writableFinished;
        // In the middle of a response, another one would be read as its continuation.
        if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) socket.destroy();
        else socket.end(rawAnswer(kinds[error.code] ?? otherwise, headers), () => socket.destroy());
      },
    },

    attach(app: FastifyInstance): void {
      app.server.on('request', ({ socket }: IncomingMessage, response) => answers.set(socket, response));
      app.server.on('checkExpectation', (_request, response: ServerResponse) => {
        const body = bodyOf({ status: 417, why: 'expectation' });
        response.writeHead(417, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
      });
      app.addHook('onRequest', async ({ raw, headers: { host } }, reply) => {
        if (host !== undefined || raw.httpVersion !== '1.1') return;
        return sendRefusal(reply.header('Connection', 'close'), refusalFor('no-host'), 400);
      });
    },
  };
}

function rawAnswer(malformed: Malformed, headers: Readonly<Record<string, string>>): string {
  const { status } = malformed;
  const body = bodyOf(malformed);
  const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
