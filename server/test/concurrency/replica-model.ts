import { defaultSettings, type Settings } from '@kc/rules/settings';
import fc from 'fast-check';
import type { Model } from './linearizable.ts';

/** Who asks: `head` is an administrator all the time, `deputy` may lose and regain the role meanwhile. */
type Actor = 'head' | 'deputy';
const statuses = ['pending', 'approved', 'denied'] as const;
type Status = (typeof statuses)[number];
/** Visualizations of one owner, by their number. */
const maps = [0, 1, 2] as const;

/** A call that an administrator makes at one of two servers. */
export type Operation =
  | { readonly do: 'set-status'; readonly by: Actor; readonly status: Status }
  | { readonly do: 'set-role'; readonly isAdmin: boolean }
  | { readonly do: 'activate' | 'remove'; readonly by: Actor; readonly map: number }
  /** `saves`: based on the version after so many saves. */
  | { readonly do: 'save-settings'; readonly by: Actor; readonly saves: number; readonly value: number }
  /** Appends one block after so many. */
  | { readonly do: 'append'; readonly after: number }
  | { readonly do: 'read-people' | 'read-maps' | 'read-settings' | 'read-blocks' };

/** `done`, with what was read; `refused`: no right to it; `conflict`: based on another state; `unknown`: anything may have happened. */
export type Answer = {
  readonly is: 'done' | 'refused' | 'missing' | 'conflict' | 'unchanged' | 'unknown';
  readonly read?: unknown;
};

/** What all servers together should be. */
export type State = {
  readonly status: Status;
  /** Whether the deputy is an administrator, and whether that was ever changed, which may end sessions. */
  readonly isAdmin: boolean;
  readonly isChanged: boolean;
  readonly maps: readonly number[];
  readonly active: number | null;
  readonly saves: number;
  readonly value: number;
  readonly blocks: number;
};

export const startState: State = {
  status: 'pending',
  isAdmin: true,
  isChanged: false,
  maps: [...maps],
  active: 0,
  saves: 0,
  value: defaultSettings.maxUserVisualizations,
  blocks: 0,
};

/** The settings of a state, of which one is changed. */
export const settingsOf = (value: number): Settings => ({ ...defaultSettings, maxUserVisualizations: value });

export const replicas: Model<State, Operation, Answer> = (state, operation, { is, read }) => {
  const by = 'by' in operation ? operation.by : 'head';
  const mayBeRefused = by === 'deputy' && (!state.isAdmin || state.isChanged);
  // To somebody without a right, what belongs to others is missing.
  if (is === 'refused' || (is === 'missing' && mayBeRefused && !state.isAdmin)) return mayBeRefused ? [state] : [];
  if (is === 'unchanged') return [state];
  const isAllowed = by === 'head' || state.isAdmin;
  if (is === 'unknown') return isAllowed ? [state, ...effect(state, operation)] : [state];
  if (!isAllowed) return [];
  if (is === 'done' && 'do' in operation && operation.do.startsWith('read-')) {
    return JSON.stringify(readOf(state, operation.do)) === JSON.stringify(read) ? [state] : [];
  }
  const after = effect(state, operation);
  if (is === 'done') {
    // What is removed twice stays removed.
    return operation.do === 'remove' && after.length === 0 ? [state] : after;
  }
  const isConflict = is === 'conflict' && (operation.do === 'save-settings' || operation.do === 'append');
  const isMissing = is === 'missing' && (operation.do === 'activate' || operation.do === 'remove');
  return after.length === 0 && (isConflict || isMissing) ? [state] : [];
};

/** The state after an operation; none where there is nothing that it could change. */
function effect(state: State, operation: Operation): readonly State[] {
  switch (operation.do) {
    case 'set-status':
      return [{ ...state, status: operation.status }];
    case 'set-role': {
      const isChanged = state.isChanged || operation.isAdmin !== state.isAdmin;
      return [{ ...state, isAdmin: operation.isAdmin, isChanged }];
    }
    case 'activate':
      return state.maps.includes(operation.map) ? [{ ...state, active: operation.map }] : [];
    case 'remove': {
      if (!state.maps.includes(operation.map)) return [];
      const left = state.maps.filter((map) => map !== operation.map);
      return [{ ...state, maps: left, active: state.active === operation.map ? null : state.active }];
    }
    case 'save-settings': {
      if (operation.saves !== state.saves) return [];
      // What changes nothing is no new version.
      return [{ ...state, saves: state.saves + Number(operation.value !== state.value), value: operation.value }];
    }
    case 'append':
      return operation.after === state.blocks ? [{ ...state, blocks: state.blocks + 1 }] : [];
    default:
      return [];
  }
}

function readOf(state: State, what: Operation['do']): unknown {
  switch (what) {
    case 'read-people':
      return [state.status, state.isAdmin];
    case 'read-maps':
      return [[...state.maps].sort(), state.active];
    case 'read-settings':
      return [state.saves, state.value];
    default:
      return state.blocks;
  }
}

const actor = fc.constantFrom<Actor>('head', 'deputy');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ do: fc.constant('set-status' as const), by: actor, status: fc.constantFrom(...statuses) }),
  fc.record({ do: fc.constant('set-role' as const), isAdmin: fc.boolean() }),
  fc.record({ do: fc.constantFrom('activate' as const, 'remove' as const), by: actor, map: fc.constantFrom(...maps) }),
  fc.record({
    do: fc.constant('save-settings' as const),
    by: actor,
    saves: fc.nat(2),
    value: fc.integer({ min: 6, max: 1000 }),
  }),
  fc.record({ do: fc.constant('append' as const), after: fc.nat(3) }),
  fc.record({ do: fc.constantFrom('read-people', 'read-maps', 'read-settings', 'read-blocks') }),
);

/** What several clients do at the same time, each one step after the other, and at which of two servers. */
export const plans = fc.array(
  fc.array(fc.record({ operation, server: fc.constantFrom<0 | 1>(0, 1) }), { minLength: 2, maxLength: 4 }),
  { minLength: 2, maxLength: 4 },
);
