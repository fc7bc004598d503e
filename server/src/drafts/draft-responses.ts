import { shownName } from '@kc/rules/account';
import { type ClusteringPlace, clusteredShare, clusteringSecondsLeft } from '@kc/rules/clustering-time';
import { type DraftState, draftPercent } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { type DraftRecord, publishesItself } from './draft-queries.ts';

/** A draft as the server sends it: without storage keys. @param requesterId the account that sent the request */
export function toDraftResponse(draft: DraftRecord, requesterId: string, now: number): Draft {
  const { stage, base_id, baseName, refusal, method } = draft;
  return {
    id: draft.id,
    ownerId: draft.owner_id,
    ownerEmail: draft.ownerEmail,
    begunBy: draft.begun_by,
    name: draft.name,
    description: draft.description,
    state: draft.state,
    ...progressOf(draft, now),
    ...(stage !== null && draft.state === 'working' && { stage }),
    ...(refusal && { refusal }),
    warnings: draft.warnings,
    origin: draft.origin,
    ...(base_id !== null && baseName !== null && { base: { id: base_id, name: baseName.replace(/\.json$/i, '') } }),
    files: draft.lists.map(({ id, file_name, size, received }) => ({ id, name: file_name, size, received })),
    settings: draft.settings,
    ...(method !== null && { method }),
    ...revisionOf(draft),
    ...(draft.hands_off && draft.state !== 'published' && { handsOff: handsOffOf(draft) }),
    ...editorOf(draft, requesterId, now),
    createdAt: draft.created_at.getTime(),
    touchedAt: draft.touched_at.getTime(),
    expiresAt: draft.touched_at.getTime() + limits.draftKeptMs,
    ...(draft.visualizationId !== undefined && { visualizationId: draft.visualizationId }),
  };
}

function handsOffOf(draft: DraftRecord): NonNullable<Draft['handsOff']> {
  const { publishes } = draft.hands_off!;
  const open = draft.open_questions ?? [];
  const waits =
    draft.state === 'ready' ? !publishesItself(draft) : draft.state === 'failed' || draft.state === 'stopped';
  return { publishes, waits, open };
}

function progressOf(draft: DraftRecord, now: number) {
  const { state, done, total, lists, waiting, published, rates } = draft;
  const size = lists.reduce((sum, list) => sum + list.size, 0);
  const received = lists.reduce((sum, list) => sum + list.received, 0);
  const isWorking = state === 'working';
  const place = isWorking ? placeOf(draft, now) : undefined;
  const secondsLeft = place && clusteringSecondsLeft(rates, place);
  return {
    percent: draftPercent(state, {
      received: size > 0 ? received / size : 0,
      share: state === 'publishing' ? published : place ? clusteredShare(rates, place) : 0,
    }),
    ...(isWorking && done !== null && { done }),
    ...(isWorking && total !== null && { total }),
    ...(secondsLeft !== undefined && { secondsLeft }),
    ...(state === 'queued' && { waiting }),
  };
}

function placeOf(
  { stage, stage_at, share, total, counted, touched_at }: DraftRecord,
  now: number,
): ClusteringPlace | undefined {
  if (stage === null || stage_at === null) return undefined;
  return {
    stage,
    share: total === null ? undefined : share,
    // An attempt touches the draft when it begins, and then only when it ends.
    elapsedMs: now - touched_at.getTime(),
    stageMs: Math.max(0, now - stage_at.getTime()),
    keywords: counted ?? undefined,
  };
}

function revisionOf(draft: DraftRecord): Pick<Draft, 'revision'> {
  const { view_id, counts, stop, operation } = draft;
  const isEditable = draft.state === 'ready';
  if (view_id === null || !counts || !isShown[draft.state]) return {};
  return {
    revision: {
      viewId: view_id,
      operation,
      counts,
      ...(stop !== null && { stop }),
      canUndo: isEditable && canUndo(draft),
      canRedo: isEditable && operation < draft.lastOperation,
    },
  };
}

/** Whether a draft in this state shows its revision. */
const isShown: Readonly<Record<DraftState, boolean>> = {
  receiving: false,
  queued: false,
  working: false,
  ready: true,
  stopped: false,
  failed: false,
  publishing: true,
  published: true,
};

/** Only so many operations before the last one can be undone. */
export const canUndo = ({ operation, lastOperation }: Pick<DraftRecord, 'operation' | 'lastOperation'>): boolean =>
  operation > Math.max(0, lastOperation - limits.maxDraftOperations);

function editorOf(
  { lease_by, lease_until, editor }: DraftRecord,
  requesterId: string,
  now: number,
): Pick<Draft, 'editor'> {
  if (!editor || lease_by === null || lease_until === null || lease_until.getTime() <= now) return {};
  return { editor: { id: lease_by, name: shownName(editor), isYou: lease_by === requesterId } };
}
