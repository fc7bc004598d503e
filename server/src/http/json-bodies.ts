import { scriptLoop } from '@kc/pack/json/json-loop';
import { CLOSE, type JsonMemory, NAME, OPEN, TAPE, TELL_CONTAINERS, TELL_NAME } from '@kc/pack/json/json-memory';
import type { JsonMember, JsonReader, JsonRefusal } from '@kc/pack/json/json-plan';
import { JsonTokens } from '@kc/pack/json/json-tokens';
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

/** For all bodies: each is read in one go. */
const loop = scriptLoop();

function whyNot(body: Buffer, maxBytes: number): Why | undefined {
  const names = new MemberNames();
  const tokens = new JsonTokens(names, { maxBytes, maxDepth, maxText: maxBytes }, loop);
  const problem = tokens.push(body) ?? tokens.finish();
  return problem && (names.refusal ? 'doubled-member' : 'no-json');
}

const inObject = 1;
const inArray = 2;
const containers = TELL_CONTAINERS | inObject | (inArray << 8);

/** Reads the names of members, object by object, and stops at the first that was there before. */
class MemberNames implements JsonReader {
  readonly document = containers;
  readonly elements = [0, 0, containers];
  refusal: JsonRefusal | undefined;
  /** By their codes. */
  readonly #names: string[] = [];
  readonly #open: Set<string>[] = [];

  member(_context: number, name: string): JsonMember {
    return { code: this.#names.push(name) - 1, action: containers | TELL_NAME };
  }

  read({ registers, tape }: JsonMemory): void {
    for (let i = 0; i < registers[TAPE]! && !this.refusal; i += 4) {
      const tag = tape[i]!;
      if (tag === (CLOSE | (inObject << 4))) this.#open.pop();
      else if ((tag & 15) === OPEN && tape[i + 3] === inObject) this.#open.push(new Set());
      else if ((tag & 15) === NAME) this.#hear(this.#names[tape[i + 1]!]!, tape[i + 2]!, tape[i + 3]!);
    }
  }

  #hear(name: string, at: number, end: number): void {
    const names = this.#open.at(-1)!;
    if (names.has(name)) this.refusal = { what: 'a member that is there already', at, end };
    names.add(name);
  }
}
