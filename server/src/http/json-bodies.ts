import type { JsonHandler, JsonRefusal } from '@kc/pack/json-handler';
import { JsonTokens } from '@kc/pack/json-tokens';
import type { Refusal } from '@kc/rules/result';
import type { FastifyError, FastifyInstance } from 'fastify';

/** Deeper than any call's body. */
const maxDepth = 32;

/**
 * Reads JSON bodies as Fastify does, and refuses with 400 those in which an object has two members of one name: of two
 * programs that read such a body each may take another one for the meant one. `JSON.parse` cannot tell, so the tokenizer
 * of uploads looks first; it holds bodies to UTF-8 and RFC 8259, too. For this server and the scopes inside it.
 *
 * Source: security T1; RFC 8259 §4
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const maxBytes = app.initialConfig.bodyLimit!;
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const why = whyNot(body, maxBytes);
    if (why) return done(new UnreadableBody(why), undefined);
    // The default parser takes a buffer as well as a text; its type names the text only.
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

/** What to say of a request that was refused before any handler saw it; `undefined` for a fault of this server. */
export function refusalOfRequest(error: FastifyError): { refusal: Refusal; status: number } | undefined {
  const { statusCode: status } = error;
  if (!status || status >= 500) return undefined;
  const params = error instanceof UnreadableBody ? { params: { why: error.why } } : {};
  return { refusal: { code: 'request/invalid', ...params }, status };
}

function whyNot(body: Buffer, maxBytes: number): Why | undefined {
  const names = new MemberNames();
  const tokens = new JsonTokens(names, { maxBytes, maxDepth, maxText: maxBytes });
  const problem = tokens.push(body) ?? tokens.finish();
  return problem && (names.refusal ? 'doubled-member' : 'no-json');
}

/** With a mark at its beginning a name is another name. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const unheard = (): void => undefined;

/** Hears the names of members, object by object, and stops at the first that was there before. */
class MemberNames implements JsonHandler {
  refusal: JsonRefusal | undefined;
  readonly #open: Set<string>[] = [];

  key(bytes: Uint8Array, start: number, end: number, at: number): void {
    const names = this.#open.at(-1)!;
    const name = utf8.decode(bytes.subarray(start, end));
    if (names.has(name)) this.refusal = { what: 'a member that is there already', at };
    names.add(name);
  }
  openObject(): boolean {
    this.#open.push(new Set());
    return true;
  }
  closeObject(): void {
    this.#open.pop();
  }
  openArray(): boolean {
    return true;
  }
  readonly beginBlock = unheard;
  readonly closeArray = unheard;
  readonly string = unheard;
  readonly number = unheard;
  readonly literal = unheard;
}
