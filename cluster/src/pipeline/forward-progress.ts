import type { ClusterProgress, ClusterTools } from './cluster.ts';

const order = ['variants', 'meaning', 'neighbours', 'clusters', 'names'] as const satisfies ClusterProgress['stage'][];

/** Tools whose progress never goes back, however many lists are clustered one after the other. */
export function forwardOnly(tools: ClusterTools): ClusterTools {
  const { onProgress } = tools;
  if (!onProgress) return tools;
  let last: ClusterProgress | undefined;
  const isBehind = ({ stage, done }: ClusterProgress): boolean => {
    if (!last) return false;
    if (stage !== last.stage) return order.indexOf(stage) < order.indexOf(last.stage);
    return done === undefined || (last.done !== undefined && done < last.done);
  };
  return {
    ...tools,
    onProgress(progress) {
      if (isBehind(progress)) return;
      last = progress;
      onProgress(progress);
    },
  };
}

/**
 * Tools for a part of a list that is prepared after others: of what they say, the meaning counts as a share of the whole.
 *
 * @param before keywords of the parts before
 * @param own keywords of this part
 * @param all keywords of all parts
 */
export function forPart(tools: ClusterTools, before: number, own: number, all: number): ClusterTools {
  const { onProgress } = tools;
  if (!onProgress) return tools;
  return {
    ...tools,
    onProgress({ stage, done, total }) {
      if (stage === 'variants') onProgress({ stage });
      if (stage !== 'meaning' || !total) return;
      onProgress({ stage, done: before + Math.round((own * (done ?? 0)) / total), total: all });
    },
  };
}
