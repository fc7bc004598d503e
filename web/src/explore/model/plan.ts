import { limits } from '@kc/rules/limits';
import type { PlanChangeRequest, PlanField } from '@kc/rules/plan';
import type { PlanAnswer, PlanPerson } from '@kc/rules/plan-shapes';
import { toRefusal } from '@kc/rules/result';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  needsAll,
  noPlan,
  type PlanState,
  type PlanTarget,
  type PlanWrite,
  withAll,
  withAnswer,
  withoutConflict,
  withoutWrite,
  withPage,
  withPeople,
  withWrite,
} from './plan-state.ts';
import type { ExplorerSource } from './source.ts';
import { createWriteQueue, type SendResult } from './write-queue.ts';

/** The batches of the writes of one change that a user made. */
export type Step = readonly string[];

/** The plan of one explorer, and the operations on it. */
export type Plan = ReturnType<typeof createPlan>;

/** Called with a result of a write that the user should know about. */
export type OnPlanNews = (news: { readonly refused: unknown } | { readonly tagsFull: true }) => void;

/** The part of an explorer that its plan needs. */
type PlanParts = { readonly source: Pick<ExplorerSource, 'plan'> };

const plans = new WeakMap<PlanParts, Plan>();
let lastNumber = 0;

/** Shared by all parts of the screen. */
export function planOf(explorer: PlanParts): Plan {
  const plan = plans.get(explorer) ?? createPlan(explorer, randomName);
  plans.set(explorer, plan);
  return plan;
}

/** @param newBatch a new name for each write */
export function createPlan({ source }: PlanParts, newBatch: () => string) {
  const store: StoreApi<PlanState> = createStore(() => noPlan);
  let notify: OnPlanNews = () => undefined;
  const calls = source.plan;
  const request = (write: PlanWrite): Promise<PlanAnswer> => {
    const { batch } = write;
    if (write.kind === 'undo') return calls.undo({ batch, undone: write.undone });
    if (write.kind === 'move') return calls.move({ batch, moves: write.moves });
    const { base, targets, set, addTags, removeTags } = write;
    return calls.change({ batch, base, targets, set, addTags, removeTags });
  };

  /** The load in progress. The next one begins after it, so that the newest answer is the last. */
  let loading: Promise<void> = Promise.resolve();

  async function readChanges(): Promise<void> {
    /** Set while everything is read again. Until that is complete, what is known stays on the screen. */
    let reloaded: PlanState | undefined;
    for (;;) {
      const known = reloaded ?? store.getState();
      const page = await calls.read({ since: known.revision });
      if (needsAll(known, page)) {
        reloaded = noPlan;
        continue;
      }
      if (reloaded) reloaded = withPage(reloaded, page);
      else store.setState((state) => withPage(state, page));
      if (page.more) continue;
      const all = reloaded;
      if (all) store.setState((state) => withAll(state, all));
      return;
    }
  }

  /** Sends the waiting writes. Stops at one that gets no answer; {@link resend} goes on from there. */
  const send = createWriteQueue(() => store.getState().pendingWrites[0], sendOne);

  async function sendOne(write: PlanWrite): Promise<SendResult> {
    if (write.kind === 'undo' && refusedBatches.has(write.undone)) {
      store.setState(withoutWrite);
      refusedBatches.add(write.batch);
      return 'answered';
    }
    try {
      const answer = await request(write);
      store.setState((state) => withAnswer(state, answer));
      if (answer.isFull) notify({ tagsFull: true });
      return 'answered';
    } catch (failure) {
      if (lostCodes.has(toRefusal(failure).code)) {
        store.setState({ isLost: true });
        return 'lost';
      }
      store.setState(withoutWrite);
      refusedBatches.add(write.batch);
      notify({ refused: failure });
      return 'answered';
    }
  }

  function enqueue(write: PlanWrite): string {
    store.setState((state) => withWrite(state, write));
    void send();
    return write.batch;
  }

  /** Own steps that can be undone, and those that were, the newest last. */
  let undoSteps: Step[] = [];
  let redoSteps: Step[] = [];
  const undoneSteps = new WeakSet<Step>();
  /** The batches of writes that were refused: there is nothing to undo. */
  const refusedBatches = new Set<string>();
  const isApplied = (step: Step): boolean => step.some((batch) => !refusedBatches.has(batch));
  /** Adds a step of the user, as opposed to an undo. */
  function addStep(...writes: readonly PlanWrite[]): Step {
    const step = writes.map(enqueue);
    undoSteps.push(step);
    redoSteps = [];
    return step;
  }
  /** The writes of a step the other way round, and in that order. */
  const invert = (step: Step): Step =>
    step
      .filter((batch) => !refusedBatches.has(batch))
      .toReversed()
      .map((undone) => enqueue({ kind: 'undo', batch: newBatch(), undone }));
  function undo(undone: Step): boolean {
    if (undoneSteps.has(undone) || !isApplied(undone)) return false;
    undoneSteps.add(undone);
    undoSteps = undoSteps.filter((step) => step !== undone);
    redoSteps.push(invert(undone));
    return true;
  }

  /** A change of more targets than one write may name is several writes. */
  function writesOf(
    targets: readonly PlanTarget[],
    change: Partial<PlanChangeRequest>,
    seenRevision?: number,
  ): PlanWrite[] {
    const { set = {}, addTags = [], removeTags = [] } = change;
    const base = seenRevision ?? store.getState().revision;
    const parts = Array.from({ length: Math.ceil(targets.length / limits.maxPlanTargets) }, (_, part) =>
      targets.slice(part * limits.maxPlanTargets, (part + 1) * limits.maxPlanTargets),
    );
    return parts.map((part) => ({ kind: 'change', batch: newBatch(), base, targets: part, set, addTags, removeTags }));
  }

  lastNumber += 1;
  return {
    store,
    /** Different for each plan of this page, which begins empty: what is cached for one is nothing to another. */
    number: lastNumber,
    /** Reads what has changed since the last time. Rejects if it fails; what is here stays. */
    load(): Promise<void> {
      loading = loading.catch(() => undefined).then(readChanges);
      return loading.then(
        () => resend(),
        (failure: unknown) => {
          store.setState({ failure });
          throw failure;
        },
      );
    },
    resend,
    /** Sets the callback for refused writes. */
    onNews(callback: OnPlanNews): void {
      notify = callback;
    },
    /**
     * Changes fields.
     *
     * @param seen the revision that the person saw when they began, if that was a while ago: what others have changed since is not
     *   overwritten, but shown
     * @returns the step, for {@link undo}
     */
    change: (targets: readonly PlanTarget[], fields: Partial<PlanChangeRequest>, seenRevision?: number): Step =>
      addStep(...writesOf(targets, fields, seenRevision)),
    /** Changes fields of several groups, each in its own way, in one step. */
    changeEach: (groups: readonly { targets: readonly PlanTarget[]; change: Partial<PlanChangeRequest> }[]): Step =>
      addStep(...groups.flatMap(({ targets, change }) => writesOf(targets, change))),
    /** Undoes a step. @returns false if it was undone already, or refused */
    undo,
    /** Undoes the newest own change that was not undone. @returns whether there is one */
    undoLast(): boolean {
      const last = undoSteps.findLast(isApplied);
      return last !== undefined && undo(last);
    },
    /** Redoes the change that was undone last, until the next own change. @returns whether there is one */
    redoLast(): boolean {
      redoSteps = redoSteps.filter(isApplied);
      const last = redoSteps.pop();
      if (last === undefined) return false;
      undoSteps.push(invert(last));
      return true;
    },
    move: (moves: readonly { entry: string; node: string }[]): Step =>
      addStep({ kind: 'move', batch: newBatch(), moves }),
    /** Confirms that entries belong where they are, whatever their branches hold now. This cannot be undone. */
    confirm(entries: readonly { entry: string; node: string }[]): void {
      enqueue({ kind: 'move', batch: newBatch(), moves: entries });
    },
    /** Ends a conflict: `keep` the value of the other person, or `use` the wanted one. */
    resolveConflict(entry: string, field: PlanField, resolution: 'keep' | 'use'): void {
      const state = store.getState();
      const conflict = state.conflicts.get(entry)?.find((candidate) => candidate.field === field);
      store.setState(withoutConflict(state, entry, field));
      const mark = state.entries.get(entry)?.marks[field];
      if (resolution === 'keep' || !conflict || !mark) return;
      // The person has seen the value that is shown beside their own.
      const base = Math.max(state.revision, mark.rev);
      const set = { [field]: conflict.ownValue } as PlanChangeRequest['set'];
      addStep({ kind: 'change', batch: newBatch(), base, targets: [{ entry }], set, addTags: [], removeTags: [] });
    },
    /** Adds the names of people whom no entry may name yet. */
    addPeople(people: readonly PlanPerson[]): void {
      store.setState((state) => ({ people: withPeople(state.people, people) }));
    },
    forgetWriters(): void {
      store.setState({ recentWriters: new Map() });
    },
    calls,
  };

  function resend(): void {
    if (store.getState().pendingWrites.length > 0) void send();
  }
}

/** The server could not be reached or was busy: the same request can succeed later. */
const lostCodes: ReadonlySet<string> = new Set([
  'fault/offline',
  'fault/unavailable',
  'link/too-many',
  'plan/too-many-writes',
  'visualization/being-rebuilt',
]);

/** Available over plain HTTP, unlike `randomUUID`. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
