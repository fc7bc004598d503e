import { createCipheriv, createDecipheriv, createHash, type Hash, hkdfSync, randomBytes } from 'node:crypto';
import { effective } from '@kc/rules/account';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../database/open.ts';
import { sendRefusal } from './refusals.ts';

/** How long a response is repeated. */
export const answersKeptMs = 24 * 3_600_000;
/** Visible ASCII, as header values are. */
const validKey = /^[\x21-\x7e]{1,200}$/;
const repeatable: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);
/** Headers that belong to an answer, beside its body. */
const storedHeaders = ['content-type', 'location'] as const;

/** Headers that are part of the request: those with which tus begins an upload. */
const askingHeaders = ['upload-length', 'upload-metadata'] as const;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler reads the body as it arrives, and passes it to {@link FastifyRequest.bodyHash}. */
    readonly streamsBody?: boolean;
  }
  interface FastifyRequest {
    /** Of a request with a key whose body is read as it arrives: takes its blocks. */
    bodyHash: Hash | undefined;
  }
}

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A request with a key that is under way on this server. */
type RunningRequest = {
  readonly keyHash: Buffer;
  readonly secret: Buffer;
  readonly hashNow: () => Buffer;
  isOver: boolean;
};

type Deps = { readonly db: Db; readonly secret: string; readonly now: () => number };

export type IdempotentAnswers = {
  /** Takes part in the requests of a scope, after it is known who makes them. */
  attach(scope: FastifyInstance): void;
  /**
   * Stores the response to a call of the contract, which is not sent to a client that has disconnected.
   *
   * @param context of the request
   * @param answer undefined if the call failed
   */
  complete(context: object, answer: { readonly status: number; readonly body: unknown } | undefined): Promise<void>;
};

/**
 * Requests with the header `Idempotency-Key` are carried out once: for a day, a repetition gets the answer of the first one.
 * The same key with another request is refused, and so is a repetition while the first one is under way. Only successes are
 * remembered: what was refused has changed nothing and may be tried again.
 *
 * A key belongs to an account as it is, to the session or access token that it came with, and to method and path. So nobody gets an
 * answer that they could not have requested themselves now. An answer may hold a secret, so it is stored encrypted: with the secret
 * of the server and the key, of which only a hash is stored.
 *
 * A server that stops in between leaves it unknown what it has done. Until a day has passed, repetitions are refused and
 * say so.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header-07
 */
export function createIdempotentAnswers({ db, secret, now }: Deps): IdempotentAnswers {
  const underWay = new WeakMap<object, RunningRequest>();

  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const key = request.headers['idempotency-key'];
    const { person, builtInAdmins } = request.requestContext;
    if (key === undefined || !person || !repeatable.has(request.method)) return undefined;
    if (typeof key !== 'string' || !validKey.test(key)) return sendRefusal(reply, { code: 'request/key' });
    const [path = '', query = ''] = request.url.split('?');
    const { role, status } = effective(person.account, builtInAdmins);
    const who = [person.account.id, role, status, person.accessToken?.id ?? ''];
    const keyHash = sha256([...who, request.method, path, key].join('\n'));
    const streams = request.routeOptions.config.streamsBody ?? false;
    const headerValues = askingHeaders.map((name) => String(request.headers[name] ?? ''));
    const hash = createHash('sha256').update(`${[query, ...headerValues].join('\n')}\n`);
    if (streams) request.bodyHash = hash;
    else hash.update(bytesOf(request.body));
    let digest: Buffer | undefined;
    const hashNow = (): Buffer => {
      digest ??= hash.digest();
      return digest;
    };
    const sealing = Buffer.from(hkdfSync('sha256', `${secret}\n${key}`, keyHash, 'idempotent answer', 32));
    if (await insert(person.account.id, keyHash, streams ? null : hashNow())) {
      underWay.set(request.requestContext, { keyHash, secret: sealing, hashNow, isOver: false });
      return undefined;
    }
    const known = await db
      .selectFrom('idempotent_answers')
      .select(['request_hash', 'answer'])
      .where('key_hash', '=', keyHash)
      .executeTakeFirst();
    if (known?.answer && streams) for await (const block of request.raw) hash.update(block as Buffer);
    const isOther = known?.request_hash && (!streams || known.answer) && !known.request_hash.equals(hashNow());
    if (isOther) return sendRefusal(reply, { code: 'request/key-reused' });
    if (!known?.answer) return sendRefusal(reply.header('connection', 'close'), { code: 'request/key-under-way' });
    const { status: code, headers, body } = opened(known.answer, sealing);
    return reply
      .code(code)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(body);
  }

  /** @returns whether nobody has this key */
  async function insert(accountId: string, keyHash: Buffer, requestHash: Buffer | null): Promise<boolean> {
    const at = now();
    const row = { account_id: accountId, request_hash: requestHash, answer: null, begun_at: new Date(at) };
    const claimed = await db
      .insertInto('idempotent_answers')
      .values({ key_hash: keyHash, ...row })
      .onConflict((conflict) =>
        conflict
          .column('key_hash')
          .doUpdateSet(row)
          .where('idempotent_answers.begun_at', '<', new Date(at - answersKeptMs)),
      )
      .returning('key_hash')
      .executeTakeFirst();
    return claimed !== undefined;
  }

  async function end(context: object, answer: Answer | undefined): Promise<void> {
    const running = underWay.get(context);
    if (!running || running.isOver) return;
    running.isOver = true;
    const { keyHash, secret: sealing, hashNow } = running;
    if (!answer || answer.status >= 300) {
      await db.deleteFrom('idempotent_answers').where('key_hash', '=', keyHash).execute();
      return;
    }
    await db
      .updateTable('idempotent_answers')
      .set({ request_hash: hashNow(), answer: sealed(answer, sealing) })
      .where('key_hash', '=', keyHash)
      .execute();
  }

  return {
    attach(scope) {
      scope.decorateRequest('bodyHash');
      scope.addHook('preHandler', begin);
      scope.addHook('onSend', async (request, reply, payload) => {
        const { requestContext: context } = request;
        // The response is read only then: most are not stored, and those of slices are hundreds of kilobytes.
        if (context && underWay.has(context)) await end(context, answerOf(reply, payload));
        return payload;
      });
    },
    async complete(context, answer) {
      const headers = { 'content-type': 'application/json' };
      await end(context, answer && { status: answer.status, headers, body: JSON.stringify(answer.body) });
    },
  };
}

/** Undefined for a response that is sent as a stream, which is not stored. */
function answerOf(reply: FastifyReply, payload: unknown): Answer | undefined {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined;
  const headers = Object.fromEntries(
    storedHeaders.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
  );
  return { status: reply.statusCode, headers, body: String(payload) };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const bytesOf = (body: unknown): string | Buffer =>
  Buffer.isBuffer(body) ? body : body === undefined ? '' : JSON.stringify(body);

/** AES-256-GCM: nonce, tag, and the text. */
function sealed(answer: Answer, key: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

function opened(bytes: Buffer, key: Buffer): Answer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(String(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]))) as Answer;
}
