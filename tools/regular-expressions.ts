import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { analyse } from 'scslre';
import { parseSync } from 'vite';

/** A regular expression of a source file. `source` is undefined if it is put together from what only a running program knows. */
export type Expression = { readonly line: number; readonly source: string | undefined; readonly flags: string };

/** A node of a syntax tree in the form of ESTree. */
type Node = { readonly type: string; readonly start: number; readonly [member: string]: unknown };

/** The regular expressions of a file: literals, and those that `RegExp` makes. */
export function expressionsIn(file: string, text: string): Expression[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const found: Expression[] = [];
  const constants = new Map<string, Node>();
  const lineOf = ({ start }: Node): number => text.slice(0, start).split('\n').length;
  const visits: Readonly<Record<string, (node: Node) => void>> = {
    VariableDeclarator: ({ id, init }) => {
      if (isNode(id) && isNode(init)) constants.set(String(id.name), init);
    },
    Literal: (node) => {
      const { regex } = node as { regex?: { pattern: string; flags: string } };
      if (regex) found.push({ line: lineOf(node), source: regex.pattern, flags: regex.flags });
    },
    NewExpression: (node) => made(node),
    CallExpression: (node) => made(node),
  };
  function made(node: Node): void {
    const { callee, arguments: given } = node as unknown as { callee: Node; arguments: readonly Node[] };
    if (callee.name !== 'RegExp') return;
    const [source, flags] = [textOf(given[0], constants), given[1] ? textOf(given[1], constants) : ''];
    found.push({ line: lineOf(node), source: flags === undefined ? undefined : source, flags: flags ?? '' });
  }
  walk(program, (node) => visits[node.type]?.(node));
  return found;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  else if (isNode(value)) {
    visit(value);
    for (const member of Object.values(value)) walk(member, visit);
  }
}

/** The text that an expression stands for if it consists of texts and constants of its file, otherwise undefined. */
function textOf(node: Node | undefined, constants: ReadonlyMap<string, Node>): string | undefined {
  if (!node) return undefined;
  if (node.type === 'Literal') return ['string', 'number'].includes(typeof node.value) ? String(node.value) : undefined;
  if (node.type === 'Identifier') return textOf(constants.get(String(node.name)), constants);
  if (node.type === 'TaggedTemplateExpression') return templateOf(node.quasi as Node, 'raw', constants);
  return node.type === 'TemplateLiteral' ? templateOf(node, 'cooked', constants) : undefined;
}

function templateOf(node: Node, form: 'raw' | 'cooked', constants: ReadonlyMap<string, Node>): string | undefined {
  const { quasis, expressions } = node as unknown as {
    quasis: readonly { value: { raw: string; cooked: string } }[];
    expressions: readonly Node[];
  };
  const inserted = expressions.map((one) => textOf(one, constants));
  if (inserted.includes(undefined)) return undefined;
  return quasis.map(({ value }, at) => value[form] + (inserted[at] ?? '')).join('');
}

/**
 * Why a regular expression can take more than linear time, with a character that makes it slow when it is repeated;
 * undefined if it cannot.
 *
 * Source: https://github.com/RunDevelopment/scslre
 */
export function whySlow(source: string, flags: string): string | undefined {
  const { parsed, reports } = analyse({ source, flags });
  const [first] = reports;
  if (first) return `${first.type} ${JSON.stringify(first.character.pick)}`;
  return blindSpotIn(parsed.pattern);
}

/** What the analysis does not see: a lookbehind reads backwards from every place, and a back-reference compares a text. */
function blindSpotIn(pattern: AST.Pattern): string | undefined {
  let found: string | undefined;
  visitRegExpAST(pattern, {
    onQuantifierEnter({ max, parent, element }) {
      if (max !== Number.POSITIVE_INFINITY) return;
      if (element.type === 'Backreference') found = 'repeated back-reference';
      for (let above: AST.Node | null = parent; above; above = above.parent) {
        if (above.type === 'Assertion' && above.kind === 'lookbehind') found = 'endless lookbehind';
      }
    },
  });
  return found;
}
