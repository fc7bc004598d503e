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
import { createWriteQueue, type Sent } from './write-queue.ts';

/** The names of the writes of one change that a person plans. */
export type Step = readonly string[];

/** The plan of one explorer, and the operations on it. */
export type Plan = ReturnType<typeof createPlan>;

/** What happened to a write that the person should know about. */
export type PlanNews = (news: { readonly refused: unknown } | { readonly tagsFull: true }) => void;

/** The part of an explorer that its plan needs. */
type Planned = { readonly source: Pick<ExplorerSource, 'plan'> };

const plans = new WeakMap<Planned, Plan>();
let lastNumber = 0;

/** Shared by all parts of the screen. */
export function planOf(explorer: Planned): Plan {
  const found = plans.get(explorer) ?? createPlan(explorer, randomName);
  plans.set(explorer, found);
  return found;
}

/** @param newBatch a new name for each write */
export function createPlan({ source }: Planned, newBatch: () => string) {
  const store: StoreApi<PlanState> = createStore(() => noPlan);
  let notify: PlanNews = () => undefined;
  const calls = source.plan;
  const answerTo = (write: PlanWrite): Promise<PlanAnswer> => {
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
    let fresh: PlanState | undefined;
    for (;;) {
      const known = fresh ?? store.getState();
      const page = await calls.read({ since: known.revision });
      if (needsAll(known, page)) {
        fresh = noPlan;
        continue;
      }
      if (fresh) fresh = withPage(fresh, page);
      else store.setState((state) => withPage(state, page));
      if (page.more) continue;
      const all = fresh;
      if (all) store.setState((state) => withAll(state, all));
      return;
    }
  }

  /** Sends the waiting writes. Stops at one that gets no answer; {@link retry} goes on from there. */
  const send = createWriteQueue(() => store.getState().waiting[0], sendOne);

  async function sendOne(write: PlanWrite): Promise<Sent> {
    if (write.kind === 'undo' && refused.has(write.undone)) {
      store.setState(withoutWrite);
      refused.add(write.batch);
      return 'answered';
    }
    try {
      const answer = await answerTo(write);
      store.setState((state) => withAnswer(state, answer));
      if (answer.isFull) notify({ tagsFull: true });
      return 'answered';
    } catch (failure) {
      if (lostCodes.has(toRefusal(failure).code)) {
        store.setState({ isLost: true });
        return 'lost';
      }
      store.setState(withoutWrite);
      refused.add(write.batch);
      notify({ refused: failure });
      return 'answered';
    }
  }

  function enqueue(write: PlanWrite): string {
    store.setState((state) => withWrite(state, write));
    void send();
    return write.batch;
  }

  /** Own steps that can be taken back, and those that were, the newest last. A step is one write, or several by their names. */
  let undoable: Step[] = [];
  let redoable: Step[] = [];
  const undoneSteps = new WeakSet<Step>();
  /** The names of writes that were refused: there is nothing to take back. */
  const refused = new Set<string>();
  const wasWritten = (step: Step): boolean => step.some((batch) => !refused.has(batch));
  /** A step of the person, as opposed to taking one back. */
  function begin(...writes: readonly PlanWrite[]): Step {
    const step = writes.map(enqueue);
    undoable.push(step);
    redoable = [];
    return step;
  }
  /** The writes of a step the other way round, and in that order. */
  const inverse = (step: Step): Step =>
    step
      .filter((batch) => !refused.has(batch))
      .toReversed()
      .map((undone) => enqueue({ kind: 'undo', batch: newBatch(), undone }));
  function undo(undone: Step): boolean {
    if (undoneSteps.has(undone) || !wasWritten(undone)) return false;
    undoneSteps.add(undone);
    undoable = undoable.filter((step) => step !== undone);
    redoable.push(inverse(undone));
    return true;
  }

  /** A change of more targets than one write may name is several writes. */
  function writesOf(targets: readonly PlanTarget[], change: Partial<PlanChangeRequest>, seen?: number): PlanWrite[] {
    const { set = {}, addTags = [], removeTags = [] } = change;
    const base = seen ?? store.getState().revision;
    const parts = Array.from({ length: Math.ceil(targets.length / limits.maxPlanTargets) }, (_, part) =>
      targets.slice(part * limits.maxPlanTargets, (part + 1) * limits.maxPlanTargets),
    );
    return parts.map((some) => ({ kind: 'change', batch: newBatch(), base, targets: some, set, addTags, removeTags }));
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
        () => retry(),
        (failure: unknown) => {
          store.setState({ failure });
          throw failure;
        },
      );
    },
    retry,
    /** Sets who hears about refused writes. */
    onNews(listener: PlanNews): void {
      notify = listener;
    },
    /**
     * Changes fields.
     *
     * @param seen the revision that the person saw when they began, if that was a while ago: what others have changed since is not
     *   overwritten, but shown
     * @returns the step, for {@link undo}
     */
    change: (targets: readonly PlanTarget[], change: Partial<PlanChangeRequest>, seen?: number): Step =>
      begin(...writesOf(targets, change, seen)),
    /** Changes fields of several groups, each in its own way, in one step. */
    changeEach: (groups: readonly { targets: readonly PlanTarget[]; change: Partial<PlanChangeRequest> }[]): Step =>
      begin(...groups.flatMap(({ targets, change }) => writesOf(targets, change))),
    /** Takes a step back. @returns false if it was taken back already, or refused */
    undo,
    /** Takes back the newest own change that was not taken back. @returns whether there is one */
    undoLast(): boolean {
      const last = undoable.findLast(wasWritten);
      return last !== undefined && undo(last);
    },
    /** Makes the change again that was taken back last, until the next own change. @returns whether there is one */
    redoLast(): boolean {
      redoable = redoable.filter(wasWritten);
      const last = redoable.pop();
      if (last === undefined) return false;
      undoable.push(inverse(last));
      return true;
    },
    move: (moves: readonly { entry: string; node: string }[]): Step =>
      begin({ kind: 'move', batch: newBatch(), moves }),
    /** Confirms that entries belong where they are, whatever their branches hold now. This cannot be undone. */
    confirm(entries: readonly { entry: string; node: string }[]): void {
      enqueue({ kind: 'move', batch: newBatch(), moves: entries });
    },
    /** Ends a conflict: `keep` the value of the other person, or `use` the own one. */
    settle(entry: string, field: PlanField, how: 'keep' | 'use'): void {
      const state = store.getState();
      const found = state.conflicts.get(entry)?.find((conflict) => conflict.field === field);
      store.setState(withoutConflict(state, entry, field));
      const mark = state.entries.get(entry)?.marks[field];
      if (how === 'keep' || !found || !mark) return;
      // The person has seen the value that is shown beside their own.
      const base = Math.max(state.revision, mark.rev);
      const set = { [field]: found.own } as PlanChangeRequest['set'];
      begin({ kind: 'change', batch: newBatch(), base, targets: [{ entry }], set, addTags: [], removeTags: [] });
    },
    /** Names of people who may not be named by an entry yet. */
    know(people: readonly PlanPerson[]): void {
      store.setState((state) => ({ people: withPeople(state.people, people) }));
    },
    unmark(): void {
      store.setState({ marked: new Map() });
    },
    calls,
  };

  function retry(): void {
    if (store.getState().waiting.length > 0) void send();
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
