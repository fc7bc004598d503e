import type { OpenUpload, Visualization } from '@kc/rules/shapes';

/** One of somebody's uploads: on its way, stopped or failed, or what became a visualization. */
type Listed<Open, Made> = { readonly id: string; readonly open?: Open; readonly made?: Made };

/** What moves or can be gone on with, then everything that ended; the newest first. */
export function inOrder<
  Open extends Pick<OpenUpload, 'id' | 'state' | 'begunAt'>,
  Made extends Pick<Visualization, 'id' | 'uploadDate'>,
>(open: readonly Open[], made: readonly Made[]): Listed<Open, Made>[] {
  const begun = [...open].sort((one, other) => other.begunAt - one.begunAt);
  const ended = [
    ...begun.filter(({ state }) => state === 'failed').map((one) => ({ at: one.begunAt, id: one.id, open: one })),
    ...made.map((one) => ({ at: one.uploadDate, id: one.id, made: one })),
  ].sort((one, other) => other.at - one.at);
  return [...begun.filter(({ state }) => state !== 'failed').map((one) => ({ id: one.id, open: one })), ...ended];
}
