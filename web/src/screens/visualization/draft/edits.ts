import type { Draft, DraftEffect, DraftOperation } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';

/** What a person requested: an operation, or a step through the history. */
export type Edit =
  | { readonly kind: 'operate'; readonly operation: DraftOperation }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' };

/** An edit without a response from the server so far. */
export type PendingEdit = { readonly id: number; readonly edit: Edit };

/**
 * A draft as the page shows it: the newest response of the server, and the edits that wait for one.
 *
 * Edits are sent one at a time, in their order. `draft` only contains what the server sent.
 */
export type Edits = {
  readonly draft: Draft;
  /** The first one is being sent, unless `sending` is undefined. */
  readonly pending: readonly PendingEdit[];
  /** The ID of the edit whose response is awaited. */
  readonly sending: number | undefined;
  /** Whether the last request got no response. Its edit stays first, and is sent again. */
  readonly isLost: boolean;
  /** Increases with every response. A reload that was requested before a response is older than it. */
  readonly responses: number;
  readonly nextId: number;
};

export type EditEvent =
  | { readonly is: 'requested'; readonly edit: Edit }
  | { readonly is: 'sent' }
  /** `moved`: the new addresses of nodes, if more are known than the effect contains. */
  | {
      readonly is: 'applied';
      readonly draft: Draft;
      readonly effect: DraftEffect;
      readonly moved?: ReadonlyMap<string, string>;
    }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'lost' }
  /** The draft was requested when there were `responses` responses. */
  | { readonly is: 'reloaded'; readonly draft: Draft; readonly responses: number };

export const editsOf = (draft: Draft): Edits => ({
  draft,
  pending: [],
  sending: undefined,
  isLost: false,
  responses: 0,
  nextId: 1,
});

/** The next state. Events that do not fit the state change nothing. */
export function afterEvent(edits: Edits, event: EditEvent): Edits {
  const { pending, sending, responses, nextId } = edits;
  switch (event.is) {
    case 'requested': {
      const last = pending.at(-1);
      const isReplaced = last !== undefined && last.id !== sending && replaces(event.edit, last.edit);
      const before = isReplaced ? pending.slice(0, -1) : pending;
      return { ...edits, pending: [...before, { id: nextId, edit: event.edit }], nextId: nextId + 1 };
    }
    case 'sent':
      return sending === undefined && pending[0] ? { ...edits, sending: pending[0].id } : edits;
    case 'applied': {
      if (sending === undefined) return edits;
      const [first, ...rest] = pending;
      const renamed = event.moved ?? addressesAfter(first!.edit, event.effect);
      return {
        ...edits,
        draft: event.draft,
        pending: rest.map(({ id, edit }) => ({ id, edit: withAddresses(edit, renamed) })),
        sending: undefined,
        isLost: false,
        responses: responses + 1,
      };
    }
    case 'refused': {
      if (sending === undefined) return edits;
      const rest = endsAll(event.refusal) ? [] : pending.slice(1);
      return { ...edits, pending: rest, sending: undefined, isLost: false, responses: responses + 1 };
    }
    case 'lost':
      return sending === undefined ? edits : { ...edits, sending: undefined, isLost: true };
    case 'reloaded': {
      const isOlder = event.responses !== responses || event.draft.touchedAt < edits.draft.touchedAt;
      if (sending !== undefined || isOlder) return edits;
      // Waiting edits were made on another revision, or are already in this one.
      const isKept = pending.length === 0 || isSameRevision(edits.draft, event.draft);
      return { ...edits, draft: event.draft, ...(!isKept && { pending: [], isLost: false }) };
    }
  }
}

export const isSameRevision = ({ revision: one }: Draft, { revision: other }: Draft): boolean =>
  one?.viewId === other?.viewId && one?.operation === other?.operation;

/** The stop that an edit moves the slider of granularity to; undefined for other edits. */
export const stopIn = (edit: Edit): number | undefined =>
  edit.kind === 'operate' && edit.operation.kind === 'granularity' ? edit.operation.stop : undefined;

/** While the slider moves, only its last stop counts. */
const replaces = (next: Edit, last: Edit): boolean => stopIn(next) !== undefined && stopIn(last) !== undefined;

const refusalsOfAll: ReadonlySet<string> = new Set([
  'draft/behind',
  'draft/editing',
  'draft/taken-over',
  'draft/not-ready',
  'draft/not-found',
]);

/** Whether the refusal applies to every waiting edit: they were made on a draft that is no longer the current one. */
export const endsAll = ({ code }: Refusal): boolean => refusalsOfAll.has(code);

/** The number that the next request sends as `after`: the last operation that the page knows. */
export const lastOperation = ({ draft }: Edits): number => draft.revision?.operation ?? 0;

export type Mark = 'pending' | 'not-saved';

/**
 * The marks of nodes in waiting edits, by address; of keywords that are gone, by text. Only the first edit can have
 * failed.
 */
export function marksOf({ pending, isLost }: Edits): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const [at, { edit }] of pending.entries()) {
    for (const address of [...addressesIn(edit), ...reviewedIn(edit)]) {
      if (!marks.has(address)) marks.set(address, isLost && at === 0 ? 'not-saved' : 'pending');
    }
  }
  return marks;
}

/** The names that waiting edits give to nodes, by address. */
export function newNames({ pending }: Edits): Map<string, string> {
  return new Map(pending.flatMap(({ edit }) => nameGiven(edit)));
}

/** The address of the node that an edit renames, and its name. */
export const nameGiven = (edit: Edit): readonly (readonly [address: string, name: string])[] =>
  edit.kind === 'operate' && edit.operation.kind === 'rename' ? [[edit.operation.node, edit.operation.name]] : [];

/** The addresses of the nodes that an edit changes. */
export function addressesIn(edit: Edit): readonly string[] {
  if (edit.kind !== 'operate') return [];
  const { operation } = edit;
  if ('nodes' in operation) return operation.nodes;
  return 'node' in operation ? [operation.node] : [];
}

/** What an edit removes from a review list: addresses, and texts of keywords that are gone. */
function reviewedIn(edit: Edit): readonly string[] {
  if (edit.kind !== 'operate') return [];
  const { operation } = edit;
  const named = operation.kind === 'accept' ? operation.of : operation.kind === 'keep' ? operation.keywords : 'all';
  return named === 'all' ? [] : named;
}

/**
 * The new addresses of the nodes of an edit that was applied. A renamed or merged node has another address afterwards;
 * edits that wait were made with the earlier one.
 */
export function addressesAfter(edit: Edit, { node }: DraftEffect): ReadonlyMap<string, string> {
  if (edit.kind !== 'operate' || node === undefined) return new Map();
  const { operation } = edit;
  if (operation.kind === 'rename') return new Map([[operation.node, node]]);
  if (operation.kind === 'name') return new Map([[operation.nodes[0]!, node]]);
  return operation.kind === 'merge' ? new Map(operation.nodes.map((merged) => [merged, node])) : new Map();
}

/** An edit with the addresses that its nodes have now. */
export function withAddresses(edit: Edit, now: ReadonlyMap<string, string>): Edit {
  if (edit.kind !== 'operate' || now.size === 0) return edit;
  const { operation } = edit;
  const of = (address: string) => now.get(address) ?? address;
  if (operation.kind === 'move') {
    const to = typeof operation.to === 'string' ? of(operation.to) : operation.to;
    return { ...edit, operation: { ...operation, nodes: unique(operation.nodes.map(of)), to } };
  }
  if ('nodes' in operation) return { ...edit, operation: { ...operation, nodes: unique(operation.nodes.map(of)) } };
  if ('node' in operation) return { ...edit, operation: { ...operation, node: of(operation.node) } };
  if (operation.kind === 'accept' && operation.of !== 'all')
    return { ...edit, operation: { ...operation, of: operation.of.map(of) } };
  return edit;
}

const unique = (addresses: readonly string[]): string[] => [...new Set(addresses)];
