import type { NamingWay } from '../labels/names.ts';
import { addressesOf, type DraftAddresses, type Target } from './addresses.ts';
import {
  excludedFromMap,
  locked,
  merged,
  moved,
  namedAnew,
  renamed,
  restored,
  type Selected,
  sentToStrays,
} from './changes.ts';
import { type Change, type DraftContext, type OperationRefusal, RefusedOperation } from './context.ts';
import type { DraftState } from './draft-state.ts';
import { regrouped } from './regroup.ts';
import { accepted, kept, type Reviewed, type ReviewTab } from './review.ts';
import { splitBranch, splitTopic } from './split.ts';

/** A change of a draft. Nodes are named by their addresses in the revision before it. */
export type DraftOperation =
  | { readonly kind: 'rename'; readonly node: string; readonly name: string }
  | { readonly kind: 'name'; readonly nodes: readonly string[]; readonly by: NamingWay }
  | { readonly kind: 'merge'; readonly nodes: readonly string[] }
  /** `sharedUrls`: divides by search results; keywords that share at least this many URLs stay together. */
  | { readonly kind: 'split'; readonly node: string; readonly sharedUrls?: number | undefined }
  | {
      readonly kind: 'move';
      readonly nodes: readonly string[];
      readonly to: string | { readonly newPillar: string };
    }
  | { readonly kind: 'lock' | 'unlock' | 'strays' | 'exclude'; readonly nodes: readonly string[] }
  | { readonly kind: 'restore' | 'keep'; readonly keywords: 'all' | readonly string[] }
  /** `of`: addresses, or texts of keywords for the tab `gone`. */
  | { readonly kind: 'accept'; readonly tab: ReviewTab; readonly of: 'all' | readonly string[] }
  | { readonly kind: 'granularity'; readonly stop: number }
  /** Puts the new clusters of a branch into it: the first operation of a draft that divides a branch. */
  | { readonly kind: 'divide' };

/** What an operation did: a code of the catalogue of texts with its parameters, and the node to go to. */
export type OperationEffect = {
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
  /** Its address in the new revision. */
  readonly node?: string;
};

export type Operated =
  | { readonly state: DraftState; readonly effect: OperationEffect }
  | { readonly refusal: OperationRefusal };

/**
 * Applies an operation. The given state is not changed.
 *
 * @param rootName the name of the root, from which addresses are computed
 */
export function applyOperation(
  context: DraftContext,
  state: DraftState,
  operation: DraftOperation,
  rootName: string,
): Operated {
  try {
    const addresses = addressesOf(state, context.list.texts, rootName);
    const { state: next, code, params, focus } = change(context, state, operation, addresses);
    const topic = focus === undefined ? -1 : next.topics.findIndex(({ id }) => id === focus);
    const node = topic < 0 ? undefined : addressesOf(next, context.list.texts, rootName).ofTopic(topic);
    return { state: next, effect: { code, ...(params && { params }), ...(node !== undefined && { node }) } };
  } catch (error) {
    if (error instanceof RefusedOperation) return { refusal: error.code };
    throw error;
  }
}

function change(
  context: DraftContext,
  state: DraftState,
  operation: DraftOperation,
  addresses: DraftAddresses,
): Change {
  const found = (address: string): Target => {
    const target = addresses.find(address);
    if (!target) throw new RefusedOperation('draft/unknown-node');
    return target;
  };
  const topic = (address: string): number => {
    const target = found(address);
    if (!('topic' in target)) throw new RefusedOperation('draft/not-here');
    return target.topic;
  };
  const selected = (nodes: readonly string[]): Selected => {
    const targets = [...new Set(nodes)].map(found);
    return {
      topics: targets.flatMap((target) => ('topic' in target ? [target.topic] : [])),
      keywords: targets.flatMap((target) => ('keyword' in target ? [target.keyword] : [])),
    };
  };
  const reviewed = ({ tab, of }: Extract<DraftOperation, { kind: 'accept' }>): Reviewed => {
    if (of === 'all') return of;
    if (tab === 'gone') return rowsWith(context, of);
    const targets = selected(of);
    return tab === 'clusters' ? targets.topics : targets.keywords;
  };
  switch (operation.kind) {
    case 'rename':
      return renamed(context, state, topic(operation.node), operation.name);
    case 'name':
      return namedAnew(context, state, selected(operation.nodes), operation.by);
    case 'merge':
      return merged(context, state, [...new Set(operation.nodes)].map(topic));
    case 'split':
      return splitTopic(context, state, topic(operation.node), operation.sharedUrls);
    case 'move': {
      const to = typeof operation.to === 'string' ? topic(operation.to) : operation.to;
      return moved(context, state, selected(operation.nodes), to);
    }
    case 'lock':
    case 'unlock':
      return locked(context, state, selected(operation.nodes), operation.kind === 'lock');
    case 'strays':
      return sentToStrays(context, state, selected(operation.nodes));
    case 'exclude':
      return excludedFromMap(context, state, selected(operation.nodes));
    case 'restore':
      return restored(context, state, operation.keywords);
    case 'keep':
      return kept(context, state, operation.keywords);
    case 'accept':
      return accepted(context, state, operation.tab, reviewed(operation));
    case 'granularity':
      return regrouped(context, state, operation.stop);
    case 'divide':
      return divided(context, state);
  }
}

function divided({ division, list }: DraftContext, state: DraftState): Change {
  const branch = state.topics.findIndex(({ id }) => id === division?.branch);
  if (!division || branch < 0) throw new RefusedOperation('draft/not-here');
  const next = splitBranch({ volume: list.volume, state }, branch, division.tree);
  const at = next.topics.findIndex(({ id }) => id === division.branch);
  const parts = next.topics.filter(({ parent, kind }) => parent === at && kind !== 'stray').length;
  const params = { name: state.topics[branch]!.name, parts };
  return { state: next, code: 'draft/split', params, focus: division.branch };
}

/** The keywords with these texts. */
function rowsWith({ list: { texts } }: DraftContext, wanted: readonly string[]): number[] {
  const those = new Set(wanted);
  return [...texts.keys()].filter((keyword) => those.has(texts[keyword]!));
}
