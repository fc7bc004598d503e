import type { ExtraFields } from './extra-fields.ts';
import { type CanonicalField, type Field, fieldOf, nestedFields } from './fields.ts';
import { intentBits } from './intent-texts.ts';
import { fold } from './spelling.ts';

/** The kinds of members of nodes and keyword entries. */
export const memberKind = {
  ignored: 0,
  name: 1,
  type: 2,
  children: 3,
  nested: 4,
  extra: 5,
  volume: 6,
  difficulty: 7,
  cpc: 8,
  competition: 9,
  competitionIndex: 10,
  position: 11,
  volumeBound: 12,
  cpcBound: 13,
  intent: 14,
  informational: 15,
  navigational: 16,
  commercial: 17,
  transactional: 18,
} as const;

/** The bit of a member that represents one intent; 0 for any other member. */
export function intentOfMember(kind: number): number {
  switch (kind) {
    case memberKind.informational:
      return intentBits.informational;
    case memberKind.navigational:
      return intentBits.navigational;
    case memberKind.commercial:
      return intentBits.commercial;
    case memberKind.transactional:
      return intentBits.transactional;
    default:
      return 0;
  }
}

/**
 * A member code is one small number: the low bits are the kind. The bits above are the rank of the spelling (0 is
 * preferred), or the number of an extra field.
 */
export const rankShift = 8;
/** Bounds and indexes rank behind every spelling of the value itself. */
const derivedRank = 64;
/** The list of keywords of a node, written by some tools. Its entries are ordinary children. */
export const nodeKeywords = memberKind.children | (1 << rankShift);

/**
 * The kind of a member of a hierarchy node. A node may use any spelling for a keyword as its name, as in `children: [{
 * keyword }]`; `name` is preferred.
 */
export function nodeMember(name: string, extras: ExtraFields | undefined): number {
  if (name === 'name') return memberKind.name;
  if (name === 'type') return memberKind.type;
  if (name === 'children') return memberKind.children;
  const field = fieldOf(name);
  if (field?.name === 'keyword') {
    return fold(name) === 'keywords' ? nodeKeywords : memberKind.name | ((1 + field.rank) << rankShift);
  }
  const code = field ? codeOfField(field) : memberKind.ignored;
  return code === memberKind.ignored ? codeOfExtra(name, extras) : code;
}

/** The kind for a check, which keeps nothing: intents never cause a refusal. */
export function checkedMember(code: number): number {
  return (code & ((1 << rankShift) - 1)) < memberKind.intent ? code : memberKind.ignored;
}

/** The kind of a member of a `keywords` entry. */
export function keywordMember(name: string, extras: ExtraFields | undefined): number {
  if (nestedFields.has(name)) return memberKind.nested;
  const field = fieldOf(name);
  const code = field ? codeOfField(field) : memberKind.ignored;
  return code === memberKind.ignored ? codeOfExtra(name, extras) : code;
}

function codeOfExtra(name: string, extras: ExtraFields | undefined): number {
  const number = extras ? extras.field(name) : -1;
  return number < 0 ? memberKind.ignored : memberKind.extra | (number << rankShift);
}

function codeOfField(field: Field): number {
  const kind = kindOfField(field.name);
  if (kind === memberKind.ignored) return kind;
  const isDerived =
    kind === memberKind.competitionIndex || kind === memberKind.volumeBound || kind === memberKind.cpcBound;
  return kind | ((isDerived ? derivedRank : field.rank) << rankShift);
}

function kindOfField(name: CanonicalField): number {
  if (name === 'keyword') return memberKind.name;
  return name in memberKind ? memberKind[name as keyof typeof memberKind] : memberKind.ignored;
}
