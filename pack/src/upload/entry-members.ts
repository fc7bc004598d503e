import type { JsonMember } from '../json/json-plan.ts';
import type { Extras } from './extra-fields.ts';
import { checkedMember, keywordMember, nodeMember } from './upload-members.ts';
import { entryMember, FLAGS, flagMember, ignoredMember, MONTH, NODE } from './upload-plan.ts';
import { memberOfMonth } from './upload-trend.ts';

/** In UTF-16 code units. Longer than any known spelling; members with longer names are ignored. */
export const maxMemberLength = 128;

/**
 * How the reader handles a member of a keyword, of a node, or of an object inside one.
 *
 * @param context KEYWORD, NESTED, NODE, MONTH or FLAGS
 * @param keepsColumns false for a check, which ignores what cannot cause a refusal
 */
export function memberOf(context: number, name: string, extras: Extras, keepsColumns: boolean): JsonMember {
  if (context === MONTH) return memberOfMonth(name);
  if (context === FLAGS) return flagMember(name);
  if (name.length > maxMemberLength) return ignoredMember;
  const code = context === NODE ? nodeMember(name, extras.nodes) : keywordMember(name, extras.keywords);
  return entryMember(context, keepsColumns ? code : checkedMember(code));
}
