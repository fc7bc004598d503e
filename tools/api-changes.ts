/** An OpenAPI document, as far as it is compared. */
export type ApiDocument = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };

type Json = Readonly<Record<string, unknown>>;

/**
 * What breaks programs that were written for the older document: calls and parameters that are gone, parameters and members
 * that are newly required, types and values that are no longer taken, and members of answers that are gone, may be missing or
 * have another type. More rights or another scope that a call needs count, too.
 *
 * A sentence each, sorted. What is added is no such change, nor is a new value in an answer: programs ignore what they do
 * not know.
 */
export function incompatibleChanges(older: ApiDocument, newer: ApiDocument): string[] {
  const found: string[] = [];
  for (const [path, methods] of Object.entries(older.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const now = newer.paths[path]?.[method] as Json | undefined;
      if (now) found.push(...changesOfCall(name, operation as Json, now));
      else found.push(`${name} is gone`);
    }
  }
  return found.sort();
}

/** Who may call, from the fewest rights to the most. */
const ranks: readonly unknown[] = ['anyone', 'signed-in', 'approved', 'admin'];

function changesOfCall(name: string, older: Json, newer: Json): string[] {
  const found: string[] = [];
  const say = (text: string): void => void found.push(`${name}: ${text}`);
  const [before, after] = [older['x-who'], newer['x-who']];
  const isStricter = ranks.includes(before) && ranks.includes(after) && ranks.indexOf(after) > ranks.indexOf(before);
  if (isStricter || (before !== after && (before === 'link' || after === 'link')))
    say(`it is for ${after}, not ${before}`);
  if (older['x-scope'] !== undefined && older['x-scope'] !== newer['x-scope']) say('its scope is another one');
  const parameters = (of: Json) =>
    new Map(((of.parameters ?? []) as Json[]).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const [had, has] = [parameters(older), parameters(newer)];
  for (const [place, parameter] of had) {
    const now = has.get(place);
    if (now) taken(`parameter ${parameter.name}`, parameter.schema, now.schema, say);
    else say(`parameter ${parameter.name} is gone`);
  }
  for (const [place, { name: parameter, required }] of has) {
    if (required && !had.get(place)?.required) say(`parameter ${parameter} is required`);
  }
  const [body, bodyNow] = [contentOf(older.requestBody), contentOf(newer.requestBody)];
  if (body && !bodyNow) say('its body is gone');
  if (body && bodyNow) taken('body', body, bodyNow, say);
  if (!body && bodyNow && (newer.requestBody as Json).required) say('a body is required');
  for (const [status, response] of Object.entries((older.responses ?? {}) as Json)) {
    if (!/^2/.test(status)) continue;
    const now = ((newer.responses ?? {}) as Json)[status];
    if (now === undefined) say(`answer ${status} is gone`);
    else given('answer', contentOf(response), contentOf(now), say);
  }
  return found;
}

const contentOf = (of: unknown): unknown =>
  ((of as { content?: Json } | undefined)?.content?.['application/json'] as Json | undefined)?.schema;

type Say = (text: string) => void;

/** What is sent to the server: everything that was taken has to be taken still. */
function taken(where: string, older: unknown, newer: unknown, say: Say): void {
  const forms = formsOf(newer);
  if (forms.length === 0) return;
  for (const was of formsOf(older)) {
    const nearest = fewest(
      forms.filter((is) => isOfType(was, is)).map((is) => heard((tell) => takenAs(where, was, is, tell))),
    );
    if (nearest) nearest.forEach(say);
    else say(`${where}: ${typeOf(was)} is no longer taken`);
  }
}

function takenAs(where: string, was: Json, is: Json, say: Say): void {
  const values = valuesOf(is);
  for (const value of values ? (valuesOf(was) ?? ['another value']) : []) {
    if (!values!.includes(value)) say(`${where}: ${JSON.stringify(value)} is no longer taken`);
  }
  const [had, has] = [membersOf(was), membersOf(is)];
  for (const member of requiredOf(is)) {
    if (!requiredOf(was).includes(member)) say(`${where}: member ${member} is required`);
  }
  for (const [member, schema] of had) {
    if (has.has(member)) taken(`${where}: member ${member}`, schema, has.get(member), say);
    else if (is.additionalProperties === false) say(`${where}: member ${member} is no longer taken`);
  }
  if (was.items && is.items) taken(`${where}: each`, was.items, is.items, say);
  for (const limit of ['maxLength', 'maximum', 'maxItems'])
    if (Number(is[limit] ?? Infinity) < Number(was[limit] ?? Infinity)) say(`${where}: ${limit} is lower`);
  for (const limit of ['minLength', 'minimum', 'minItems'])
    if (Number(is[limit] ?? -Infinity) > Number(was[limit] ?? -Infinity)) say(`${where}: ${limit} is higher`);
  if (is.pattern !== undefined && is.pattern !== was.pattern) say(`${where}: pattern is another one`);
}

/** What the server answers: everything that programs rely on has to be there. */
function given(where: string, older: unknown, newer: unknown, say: Say): void {
  const forms = formsOf(newer);
  for (const was of formsOf(older)) {
    const nearest = fewest(
      forms.filter((is) => isOfType(is, was)).map((is) => heard((tell) => givenAs(where, was, is, tell))),
    );
    if (nearest) nearest.forEach(say);
    else say(`${where}: ${typeOf(was)} is gone`);
  }
}

function givenAs(where: string, was: Json, is: Json, say: Say): void {
  const has = membersOf(is);
  for (const [member, schema] of membersOf(was)) {
    if (!has.has(member)) {
      say(`${where}: member ${member} is gone`);
      continue;
    }
    if (requiredOf(was).includes(member) && !requiredOf(is).includes(member))
      say(`${where}: member ${member} may be missing`);
    given(`${where}: member ${member}`, schema, has.get(member), say);
  }
  if (was.items) given(`${where}: each`, was.items, is.items, say);
}

function heard(work: (tell: Say) => void): string[] {
  const found: string[] = [];
  work((text) => void found.push(text));
  return found;
}

/** Of what is said about several forms, that about the one which fits best. */
const fewest = (lists: readonly string[][]): string[] | undefined =>
  lists.reduce<string[] | undefined>((best, one) => (best && best.length <= one.length ? best : one), undefined);

/** The forms that a schema allows: none if anything fits. Values of one type are one form. */
function formsOf(schema: unknown): Json[] {
  const json = (schema ?? {}) as Json;
  const all = ((json.anyOf ?? json.oneOf) as Json[] | undefined)?.flatMap(formsOf);
  if (!all) return Object.keys(json).some((key) => key !== 'description') ? [json] : [];
  const values = all.flatMap((form) => valuesOf(form) ?? []);
  const types = new Set(values.map((value) => typeof value));
  const merged = [...types].map((type) => ({ enum: values.filter((value) => typeof value === type) }));
  return [...all.filter((form) => !valuesOf(form)), ...merged];
}

const typeOf = (schema: Json): string => String(schema.type ?? typeof valuesOf(schema)?.[0]);
const isOfType = (one: Json, other: Json): boolean =>
  typeOf(one) === typeOf(other) || (typeOf(one) === 'integer' && typeOf(other) === 'number');
const valuesOf = (schema: Json): readonly unknown[] | undefined =>
  (schema.enum as unknown[] | undefined) ?? (schema.const === undefined ? undefined : [schema.const]);
const requiredOf = (schema: Json): readonly string[] => (schema.required ?? []) as string[];
const membersOf = (schema: Json): ReadonlyMap<string, unknown> =>
  new Map(Object.entries((schema.properties ?? {}) as Json));
