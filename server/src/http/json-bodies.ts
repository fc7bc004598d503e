import {
  CLOSE,
  EMIT_CONTAINERS,
  EMIT_NAME,
  type JsonMemory,
  NAME,
  noLoop,
  OPEN,
  TAPE,
} from '@kc/pack/json/json-memory';
import type { JsonMember, JsonReader, JsonRefusal } from '@kc/pack/json/json-plan';
import { JsonTokens } from '@kc/pack/json/json-tokens';
import type { Refusal } from '@kc/rules/result';
import type { FastifyError, FastifyInstance } from 'fastify';

/** Deeper than the body of any call. */
const maxDepth = 32;

/**
 * Parses JSON bodies like Fastify, but refuses objects with duplicate member names with 400: two programs that read
 * such a body may each use a different one. `JSON.parse` does not detect them, so the upload tokenizer checks first; it
 * also enforces UTF-8 and RFC 8259. Applies to this server and the scopes inside it.
 *
 * Source: SECURITY.md, T1; RFC 8259 §4
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const maxBytes = app.initialConfig.bodyLimit!;
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const why = whyNot(body, maxBytes);
    if (why) return done(new UnreadableBody(why), undefined);
    // The default parser accepts a buffer as well as a text; its type mentions the text only.
    return parse(request, body as unknown as string, done);
  });
}

type Why = 'doubled-member' | 'no-json';

class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
  readonly statusCode = 400;
  readonly why: Why;
  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

/** The refusal of a request that failed before any handler saw it; `undefined` for a fault of this server. */
export function refusalOfRequest(error: FastifyError): { refusal: Refusal; status: number } | undefined {
  const { statusCode: status } = error;
  if (!status || status >= 500) return undefined;
  const params = error instanceof UnreadableBody ? { params: { why: error.why } } : {};
  return { refusal: { code: 'request/invalid', ...params }, status };
}

/** Reused for all bodies: each is read in one go. */
const loop = noLoop();

function whyNot(body: Buffer, maxBytes: number): Why | undefined {
  const names = new MemberNames();
  const tokens = new JsonTokens(names, { maxBytes, maxDepth, maxText: maxBytes }, loop);
  const problem = tokens.push(body) ?? tokens.finish();
  return problem && (names.refusal ? 'doubled-member' : 'no-json');
}

const inObject = 1;
const inArray = 2;
const containers = EMIT_CONTAINERS | inObject | (inArray << 8);

/** Reads member names, object by object, and stops at the first duplicate. */
class MemberNames implements JsonReader {
  readonly document = containers;
  readonly elements = [0, 0, containers];
  refusal: JsonRefusal | undefined;
  /** By error code. */
  readonly #names: string[] = [];
  readonly #open: Set<string>[] = [];

  member(_context: number, name: string): JsonMember {
    return { code: this.#names.push(name) - 1, action: containers | EMIT_NAME };
  }

  read({ registers, tape }: JsonMemory): void {
    for (let i = 0; i < registers[TAPE]! && !this.refusal; i += 4) {
      const tag = tape[i]!;
      if (tag === (CLOSE | (inObject << 4))) this.#open.pop();
      else if ((tag & 15) === OPEN && tape[i + 3] === inObject) this.#open.push(new Set());
      else if ((tag & 15) === NAME) this.#checkMember(this.#names[tape[i + 1]!]!, tape[i + 2]!, tape[i + 3]!);
    }
  }

  #checkMember(name: string, at: number, end: number): void {
    const names = this.#open.at(-1)!;
    if (names.has(name)) this.refusal = { what: 'a member that is there already', at, end };
    names.add(name);
  }
}
