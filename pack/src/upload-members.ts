import { ByteMap } from './byte-map.ts';
import { type CanonicalField, type Field, fieldOf, nestedFields } from './fields.ts';
import { intentBits } from './metric-values.ts';

/** What a member of a node or of a keyword entry is to the reader. */
export const memberKind = {
  ignored: 0,
  name: 1,
  type: 2,
  children: 3,
  nested: 4,
  volume: 5,
  difficulty: 6,
  cpc: 7,
  competition: 8,
  competitionIndex: 9,
  position: 10,
  volumeBound: 11,
  cpcBound: 12,
  intent: 13,
  informational: 14,
  navigational: 15,
  commercial: 16,
  transactional: 17,
} as const;

/** The bit of a member that stands for one intent by itself, 0 for any other. */
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

/** A member as one small number: its kind, and in the bits above how little its spelling is preferred. */
export const rankShift = 8;
/** Bounds and indexes give way to every spelling of the value itself. */
const derivedRank = 64;
const rememberedMembers = 1024;
/** No spelling we know is nearly as long. */
const maxMemberBytes = 128;

export class MemberNames {
  readonly #codes: ByteMap;

  constructor(codeOf: (name: string) => number) {
    this.#codes = new ByteMap(codeOf, rememberedMembers);
  }

  code(bytes: Uint8Array, start: number, end: number): number {
    return end - start > maxMemberBytes ? memberKind.ignored : this.#codes.get(bytes, start, end);
  }
}

/** What a member of a hierarchy node is. Only `metrics` asks for more than its place in the tree. */
export function nodeMember(name: string, metrics: boolean): number {
  if (name === 'name') return memberKind.name;
  if (name === 'type') return memberKind.type;
  if (name === 'children') return memberKind.children;
  const field = metrics ? fieldOf(name) : undefined;
  return field && field.name !== 'keyword' ? codeOfField(field) : memberKind.ignored;
}

/** What a member of an entry of `keywords` is. Only `metrics` asks for more than its name. */
export function keywordMember(name: string, metrics: boolean): number {
  if (nestedFields.has(name)) return memberKind.nested;
  const field = fieldOf(name);
  return field && (metrics || field.name === 'keyword') ? codeOfField(field) : memberKind.ignored;
}

function codeOfField(field: Field): number {
  const kind = kindOfField(field.name);
  const isDerived =
    kind === memberKind.competitionIndex || kind === memberKind.volumeBound || kind === memberKind.cpcBound;
  return kind | ((isDerived ? derivedRank : field.rank) << rankShift);
}

function kindOfField(name: CanonicalField): number {
  if (name === 'keyword') return memberKind.name;
  return name in memberKind ? memberKind[name as keyof typeof memberKind] : memberKind.ignored;
}
