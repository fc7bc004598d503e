import { EMIT_CONTAINERS, EMIT_NAME, EMIT_SCALARS } from '../json/json-memory.ts';
import type { JsonMember } from '../json/json-plan.ts';
import { fieldOf } from './fields.ts';
import { intentsOfText } from './intent-texts.ts';
import { similarMember } from './similar-nodes.ts';
import { firstTrendField } from './trend-columns.ts';
import { intentOfMember, memberKind, rankShift } from './upload-members.ts';

// What the tokenizer emits for an upload, see `JsonReader`.

// The container that a token is in.
const OUTSIDE = 0;
export const ROOT = 1;
export const KEYWORDS = 2;
export const KEYWORD = 3;
/** An object inside a keyword entry whose members count as members of the entry. */
export const NESTED = 4;
export const NODE = 5;
export const CHILDREN = 6;
export const INTENTS = 7;
/** A list in a member without a standard column. */
export const MEMBERS = 8;
/** A list that may be a trend, and an object in it. */
export const SERIES = 9;
export const MONTH = 10;
/** An object with one flag per intent: `{ "Informational": true }`. */
export const FLAGS = 11;
/** The numbers of `similar-nodes.ts`. */
export const SIMILAR = 12;

// The known top-level members, as codes and as bits.
export const IS_KEYWORDS = 1;
export const IS_HIERARCHY = 2;
export const IS_SIMILAR = 4;

/** The bits of a member code that contain its kind. */
export const KIND_MASK = (1 << rankShift) - 1;
/** A member that is not used. */
export const ignoredMember: JsonMember = { code: memberKind.ignored, action: 0 };
export const documentAction = EMIT_SCALARS | EMIT_CONTAINERS | ROOT;

export const elementActions: readonly number[] = Array.from({ length: SIMILAR + 1 }, (_, context) => {
  if (context === KEYWORDS) return EMIT_SCALARS | objectIn(KEYWORD);
  if (context === CHILDREN) return EMIT_SCALARS | objectIn(NODE);
  if (context === SERIES) return EMIT_SCALARS | objectIn(MONTH);
  return context === INTENTS || context === MEMBERS || context === SIMILAR ? EMIT_SCALARS : 0;
});

/** Handles a member of the top-level object. */
export function topMember(name: string): JsonMember {
  if (name === 'keywords') return { code: IS_KEYWORDS, action: EMIT_NAME | EMIT_SCALARS | arrayIn(KEYWORDS) };
  if (name === 'hierarchy') return { code: IS_HIERARCHY, action: EMIT_NAME | EMIT_SCALARS | objectIn(NODE) };
  if (name === similarMember) return { code: IS_SIMILAR, action: arrayIn(SIMILAR) };
  return ignoredMember;
}

/** Handles a member of a node or of a keyword. */
export function entryMember(context: number, code: number): JsonMember {
  return { code, action: actionOf(code, context) };
}

/** Handles a member of an intent object. Its code is the intent bits. */
export function flagMember(name: string): JsonMember {
  const field = fieldOf(name)?.name;
  const kind = field && field in memberKind ? memberKind[field as keyof typeof memberKind] : memberKind.ignored;
  const bits = intentOfMember(kind) || intentsOfText(name);
  return { code: bits, action: bits === 0 ? 0 : EMIT_SCALARS };
}

/** The error for a value of the wrong kind, or undefined if any kind is allowed. */
export function wrongShape(context: number, code: number): string | undefined {
  switch (context) {
    case OUTSIDE:
      return 'a file that is not a JSON object';
    case KEYWORDS:
      return 'a keyword that is neither text nor an object';
    case CHILDREN:
      return 'a child that is neither text nor an object';
    case ROOT:
      if (code === IS_SIMILAR) return undefined;
      return code === IS_KEYWORDS ? '"keywords" that is not an array' : '"hierarchy" that is not an object';
    case NODE:
      if (code === memberKind.name) return 'a name that is not text';
      return code === memberKind.children ? '"children" that is not an array' : undefined;
    default:
      return undefined;
  }
}

function objectIn(context: number): number {
  return EMIT_CONTAINERS | context;
}

function arrayIn(context: number): number {
  return EMIT_CONTAINERS | (context << 8);
}

function actionOf(code: number, context: number): number {
  const kind = code & KIND_MASK;
  switch (kind) {
    case memberKind.ignored:
      return 0;
    case memberKind.children:
      return EMIT_SCALARS | arrayIn(CHILDREN);
    case memberKind.nested:
      return objectIn(NESTED);
    case memberKind.intent:
      return EMIT_SCALARS | arrayIn(INTENTS) | objectIn(FLAGS);
    case memberKind.volume:
      // DataForSEO's `monthly_searches` is a list of months; other tools have a number.
      return EMIT_SCALARS | arrayIn(SERIES);
    case memberKind.extra:
      return EMIT_SCALARS | arrayIn(code >>> rankShift >= firstTrendField ? SERIES : MEMBERS);
    default:
      // Emits containers as well, so that an object or array in place of a node name can be refused.
      return EMIT_SCALARS | (kind === memberKind.name && context === NODE ? EMIT_CONTAINERS : 0);
  }
}
