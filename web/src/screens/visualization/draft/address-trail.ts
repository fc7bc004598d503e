import type { DraftEffect } from '@kc/rules/draft-shapes';
import { addressesAfter, addressesIn, type Edit } from './edits.ts';

type Step = { readonly forth: ReadonlyMap<string, string>; readonly back: ReadonlyMap<string, string> };

const nothing: ReadonlyMap<string, string> = new Map();

/**
 * Remembers what became of nodes, so that undoing and redoing keep the place: a renamed node has its earlier address
 * again, and what an operation led to leads back to what it was about. Only knows the operations of this page.
 */
export function createTrail() {
  /** By the number of the operation. */
  const steps = new Map<number, Step>();
  return {
    /**
     * The new addresses of nodes by their earlier ones.
     *
     * @param operation the number of the last operation after the edit
     */
    after(edit: Edit, effect: DraftEffect, operation: number): ReadonlyMap<string, string> {
      if (edit.kind === 'undo') return steps.get(operation + 1)?.back ?? nothing;
      if (edit.kind === 'redo') return steps.get(operation)?.forth ?? nothing;
      const forth = addressesAfter(edit, effect);
      const [first] = addressesIn(edit);
      const back = effect.node === undefined || first === undefined ? nothing : new Map([[effect.node, first]]);
      steps.set(operation, { forth, back });
      return forth;
    },
  };
}
