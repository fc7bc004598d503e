/** The tests of a file by their titles, and whether each asserts something. */
import { existsSync } from 'node:fs';
import { parseSync } from 'vite';
import { readText, root } from './source-files.ts';

/** A test, by its file and its title or a distinctive part of it. */
export type Evidence = { readonly file: string; readonly title: string };

/** The tests that a text cites, each as `` `file` "title" ``, or without the backquotes. */
export const evidenceIn = (text: string): Evidence[] =>
  [...text.matchAll(/([\w./-]+\.(?:test|spec|stories)\.tsx?)`? "([^"]+)"/g)].map(([, file, title]) => ({
    file: file!,
    title: title!,
  }));

/** What is wrong with a test that is cited: it does not exist under that title, or one of that title asserts nothing. */
export function faultOf({ file, title }: Evidence, tests: readonly NamedTest[]): string | undefined {
  const cited = tests.filter((one) => one.title.includes(title));
  if (cited.length === 0) return `${file} has no test "${title}"`;
  return cited.every((one) => one.asserts) ? undefined : `${file} "${title}" asserts nothing`;
}

/** What is wrong with some tests that are cited. */
export function faultsOf(evidence: readonly Evidence[]): string[] {
  return [...Map.groupBy(evidence, ({ file }) => file)].flatMap(([file, cited]) => {
    const isCited = (title: string) => cited.some((one) => title.includes(one.title));
    const tests = existsSync(root + file) ? testsIn(file, readText(file), isCited) : [];
    return cited.flatMap((one) => faultOf(one, tests) ?? []);
  });
}

export type NamedTest = {
  /** As in the source, with escaped quotes resolved. */
  readonly title: string;
  /**
   * Whether the body calls `assert` or a matcher of `expect`, itself or in a function of the same file that it calls. A story may
   * also wait for what it expects: `waitFor…`, or `see…` in a step. What support from other files asserts or waits for is
   * the way to the subject. A group asserts if each of its tests does. What is left out, or in a group that is, asserts nothing.
   */
  readonly asserts: boolean;
  /** Where it begins in the text, and the line above it, which may say what it shows. */
  readonly start: number;
  readonly lineAbove: string;
};

/** A node of the syntax tree (ESTree). */
type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown };
type Source = {
  readonly calls: readonly Node[];
  /** Declarations, constants and methods, by the names under which they are called. */
  readonly functions: ReadonlyMap<string, readonly Node[]>;
};

const namesTests = /^(test|it|describe|story)/;
const namesGroups = /^(describe|story)/;

/** The tests and groups of a file whose titles are wanted: calls of `test`, `describe`, `story` and their variants. */
export function testsIn(file: string, text: string, isWanted = (_title: string) => true): NamedTest[] {
  const source = parsed(file, text);
  const waits = /\.(?:spec|stories)\.ts$/.test(file) ? /^(waitFor|see)/ : undefined;
  const named = source.calls.flatMap((call) => {
    const [first, ...rest] = call.arguments as Node[];
    const title = first && namesTests.test(chainOf(call)[0] ?? '') ? textOf(first, text) : undefined;
    // The function itself, or its name.
    const bodies = rest.flatMap((one) => (isFunction(one) ? [one] : (source.functions.get(String(one.name)) ?? [])));
    return title === undefined || bodies.length === 0 ? [] : [{ title, call, bodies }];
  });
  return named
    .filter(({ title }) => isWanted(title))
    .map(({ title, call, bodies }) => {
      const chain = chainOf(call);
      const inner = namesGroups.test(chain[0]!)
        ? named.filter((other) => other.call !== call && isIn(other.call, call))
        : [];
      const parts = (inner.length > 0 ? inner : [{ bodies }]).map((one) => one.bodies);
      const around = named.filter((other) => isIn(call, other.call));
      const isLeftOut = around.some((other) => chainOf(other.call).some((name) => name === 'skip' || name === 'todo'));
      const asserting = parts.every((some) => some.some((body) => asserts(body, source, waits)));
      const end = text.lastIndexOf('\n', call.start);
      const lineAbove = text.slice(text.lastIndexOf('\n', end - 1) + 1, Math.max(0, end));
      return { title, asserts: asserting && !isLeftOut, start: call.start, lineAbove };
    });
}

/** Whether a function asserts. `seen` are the functions on the way, which may call each other in a circle. */
function asserts(body: Node, source: Source, waits: RegExp | undefined, seen = new Set<Node>()): boolean {
  if (seen.has(body)) return false;
  seen.add(body);
  return source.calls.some((call) => {
    if (!isIn(call, body)) return false;
    const names = chainOf(call);
    const last = names.at(-1) ?? '';
    const isMatched = (names[0] === 'expect' || names[0] === 'expectTypeOf') && /^to[A-Z]/.test(last);
    if (isMatched || names.includes('assert') || waits?.test(last)) return true;
    return source.functions.get(last)?.some((own) => asserts(own, source, waits, seen)) === true;
  });
}

function parsed(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const all = [program as unknown as Node];
  // Grows while it is walked.
  for (const node of all)
    for (const name in node) {
      const value = node[name];
      if (Array.isArray(value)) all.push(...value.filter(isNode));
      else if (isNode(value)) all.push(value);
    }
  return {
    calls: all.filter(({ type }) => type === 'CallExpression'),
    functions: functionsAmong(all),
  };
}

function functionsAmong(nodes: readonly Node[]): Map<string, Node[]> {
  const named = nodes.flatMap((node): [string, Node][] => {
    const name = ((node.id ?? node.key) as Node | undefined)?.name;
    const body = isFunction(node) ? node : (node.init ?? node.value);
    return typeof name === 'string' && isNode(body) && isFunction(body) ? [[name, body]] : [];
  });
  return new Map([...Map.groupBy(named, ([name]) => name)].map(([name, some]) => [name, some.map(([, body]) => body)]));
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const isFunction = (node: Node): boolean => /^(Arrow)?Function/.test(node.type);
const isIn = (node: Node, around: Node): boolean => node.start >= around.start && node.end <= around.end;

/** The names of a chain such as `expect.poll(…).toBe`, the first one first. */
function chainOf(node: Node): string[] {
  if (node.type === 'Identifier') return [String(node.name)];
  if (node.type === 'CallExpression') return chainOf(node.callee as Node);
  if (node.type === 'TaggedTemplateExpression') return chainOf(node.tag as Node);
  if (node.type !== 'MemberExpression') return [];
  return [...chainOf(node.object as Node), String((node.property as Node).name)];
}

function textOf(node: Node, source: string): string | undefined {
  if (node.type === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1);
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
