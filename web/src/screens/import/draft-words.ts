import type { DraftStage, DraftState } from '@kc/rules/draft';
import { draftStages } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import { bytesText, countText } from '../../ui/number-text.ts';

/** The names of the stages, as a person reads them. */
const stageNames: Readonly<Record<DraftStage, string>> = {
  read: 'Rows read',
  variants: 'Repeats and variants merged',
  meaning: 'Meaning',
  neighbours: 'Neighbours',
  clusters: 'Clusters and pillar topics',
  names: 'Names',
  write: 'Draft written',
};

export type StageRow = {
  readonly name: string;
  readonly is: 'done' | 'current' | 'coming';
  /** How far it is, if that is known. */
  readonly detail: string;
};

/** The steps from the first byte to the draft. @param sentBytes by this browser; those on the server if absent */
export function stageRows(draft: Draft, sentBytes?: number): StageRow[] {
  const total = draft.files.reduce((sum, { size }) => sum + size, 0);
  const received = sentBytes ?? draft.files.reduce((sum, file) => sum + file.received, 0);
  const isReceiving = draft.state === 'receiving';
  const current = draft.state === 'working' ? (draft.stage ?? 'read') : undefined;
  const at = current ? draftStages.indexOf(current) : -1;
  return [
    {
      name: 'Files received',
      is: isReceiving ? 'current' : 'done',
      detail: isReceiving ? `${bytesText(received)} of ${bytesText(total)}` : bytesText(total),
    },
    ...draftStages.map((stage, place) => ({
      name: stageNames[stage],
      is: place < at ? ('done' as const) : place === at ? ('current' as const) : ('coming' as const),
      detail: place === at ? countsOf(draft) : '',
    })),
  ];
}

function countsOf({ done, total }: Draft): string {
  if (done === undefined) return '';
  return total === undefined ? countText(done) : `${countText(done)} of ${countText(total)}`;
}

/** What a draft that is clustered waits for: "Waiting: 2 lists before yours", "about 10 s left". */
export function waitText({ state, waiting = 0, secondsLeft }: Draft): string {
  if (state === 'queued' && waiting > 0) return `Waiting: ${waiting} ${waiting === 1 ? 'list' : 'lists'} before yours`;
  if (state === 'queued') return 'Waiting to be clustered';
  return secondsLeft === undefined ? '' : `about ${estimateText(secondsLeft)} left`;
}

/** "15 s", "2 min": estimates come in steps of 5 seconds, and of a minute from there on. */
export const estimateText = (seconds: number): string => (seconds < 60 ? `${seconds} s` : `${seconds / 60} min`);

/** The state of a draft in one word. */
export const stateNames: Readonly<Record<DraftState, string>> = {
  receiving: 'Not sent completely',
  queued: 'Waiting',
  working: 'Processing',
  ready: 'Ready',
  stopped: 'Stopped',
  failed: 'Failed',
  publishing: 'Publishing',
  published: 'Published',
};

/** "1 keyword", "27,640 keywords" */
export const counted = (count: number, one: string): string => `${countText(count)} ${one}${count === 1 ? '' : 's'}`;

/** "12 pillar topics · 612 clusters · 310 strays" */
export function countsText({ revision }: Draft): string {
  if (!revision) return '';
  const { keywords, clusters, strays } = revision.counts;
  const parts = [counted(keywords, 'keyword'), counted(clusters, 'cluster')];
  return [...parts, ...(strays > 0 ? [counted(strays, 'stray')] : [])].join(' · ');
}
