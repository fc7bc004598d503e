import type { DraftState } from '@kc/cluster/draft/draft-state';
import { applyOperation, type DraftOperation, type OperationEffect } from '@kc/cluster/draft/operations';
import type { StoredDraft } from './stored-draft.ts';

/** A step from one revision to the next. */
export type DraftChange =
  | { readonly kind: 'apply'; readonly operation: DraftOperation }
  /** Takes back the last operation. */
  | { readonly kind: 'undo' };

/** The state after a change, or why there is none. `unknown`: this history does not end with the named revision. */
type Proposed =
  | { readonly state: DraftState; readonly effect: OperationEffect }
  | { readonly refusal: string }
  | { readonly unknown: true };

/** Bytes of earlier states that are kept, so that undoing needs no replay. */
const keptBytes = 64 * 2 ** 20;
const bytesPerKeyword = 16;

/**
 * The operations of a draft up to one revision, and the states they led to.
 *
 * Whether a proposed change was stored is not reported: the next change names the revision that it builds on, which is
 * either the proposed one or the one before.
 */
export class EditHistory {
  readonly #stored: StoredDraft;
  /** Operations up to the current state. */
  #operations: readonly DraftOperation[] = [];
  /** States by the number of operations before them. Dropped ones are computed again. */
  readonly #states = new Map<number, DraftState>();
  #viewId: string;
  #proposal: { readonly viewId: string; readonly operations: readonly DraftOperation[]; state: DraftState } | undefined;

  /**
   * @param operations of the stored draft up to the revision `viewId`
   * @throws if one of them can no longer be applied
   */
  constructor(stored: StoredDraft, operations: readonly DraftOperation[], viewId: string) {
    this.#stored = stored;
    this.#operations = operations;
    this.#viewId = viewId;
    this.#stateAt(operations.length);
  }

  /** The state of a revision; undefined if this history does not end with it. */
  state(viewId: string): DraftState | undefined {
    return this.#isAt(viewId) ? this.#stateAt(this.#operations.length) : undefined;
  }

  /**
   * @param base the revision that is changed
   * @param next the revision that the change will lead to, if it is stored
   */
  propose(base: string, next: string, change: DraftChange): Proposed {
    if (!this.#isAt(base)) return { unknown: true };
    const last = this.#operations.length;
    if (change.kind === 'undo') {
      if (last === 0) return { refusal: 'draft/nothing-to-undo' };
      const state = this.#stateAt(last - 1);
      this.#proposal = { viewId: next, operations: this.#operations.slice(0, -1), state };
      return { state, effect: { code: 'draft/undone' } };
    }
    const result = this.#apply(this.#stateAt(last), change.operation);
    if ('refusal' in result) return result;
    this.#proposal = { viewId: next, operations: [...this.#operations, change.operation], state: result.state };
    return result;
  }

  /** Settles the last proposal by what the next request knows. @returns whether the history ends with the revision */
  #isAt(viewId: string): boolean {
    const proposal = this.#proposal;
    this.#proposal = undefined;
    if (proposal?.viewId !== viewId) return this.#viewId === viewId;
    const { operations, state } = proposal;
    // An operation after an undo takes the place of the undone ones.
    for (const number of this.#states.keys()) if (number >= operations.length) this.#states.delete(number);
    this.#operations = operations;
    this.#viewId = viewId;
    this.#keep(operations.length, state);
    return true;
  }

  #stateAt(number: number): DraftState {
    let from = number;
    while (from > 0 && !this.#states.has(from)) from--;
    let state = this.#states.get(from) ?? this.#stored.state;
    for (const operation of this.#operations.slice(from, number)) {
      const result = this.#apply(state, operation);
      if ('refusal' in result) throw new Error(`An operation of a draft can no longer be applied: ${result.refusal}`);
      state = result.state;
    }
    this.#keep(number, state);
    return state;
  }

  #apply(state: DraftState, operation: DraftOperation) {
    return applyOperation(this.#stored.context, state, operation, this.#stored.name);
  }

  /** A Map keeps insertion order: the states that were used longest ago come first. */
  #keep(number: number, state: DraftState): void {
    this.#states.delete(number);
    this.#states.set(number, state);
    const most = Math.max(2, Math.floor(keptBytes / (bytesPerKeyword * (1 + state.topicOf.length))));
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= most) return;
      this.#states.delete(oldest);
    }
  }
}
