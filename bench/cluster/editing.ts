import { DraftAddresses } from '../../cluster/src/draft/addresses.ts';
import type { DraftContext } from '../../cluster/src/draft/context.ts';
import { draftJson } from '../../cluster/src/draft/draft-json.ts';
import { beginDraft, type DraftState } from '../../cluster/src/draft/draft-state.ts';
import { applyOperation, type DraftOperation } from '../../cluster/src/draft/operations.ts';
import { cluster, divide, listSettingsOf, prepareList } from '../../cluster/src/pipeline/cluster.ts';
import { type BenchCase, type Contender, costOf } from '../bench-case.ts';
import { toolsOf } from './run-ours.ts';
import { syntheticKeywords } from './synthetic.ts';

const rootName = 'synthetic';
const settings = listSettingsOf({ shape: 'nested' });

/** What an editing process holds before the first operation. */
async function openDraft(keywords: number): Promise<{ context: DraftContext; state: DraftState }> {
  const { texts, volume } = syntheticKeywords(keywords);
  const list = { texts, volume };
  const prepared = await prepareList(list, settings, await toolsOf());
  const state = beginDraft(divide(list, prepared, settings), settings.stop);
  return { context: { list, settings, prepared }, state };
}

/** Dividing a list again at another stop, which a person waits for, and clustering it anew. */
export function dividingCase(keywords: number): BenchCase {
  const other = { ...listSettingsOf({ shape: 'nested', stop: 6 }) };
  return {
    name: `cluster/another stop of ${keywords} keywords`,
    rounds: keywords > 1e4 ? 1 : 3,
    contenders: [
      {
        name: 'ours, divided again',
        async measure() {
          const { context } = await openDraft(keywords);
          return costOf(async () => ({ topics: divide(context.list, context.prepared!, other).topics.length }));
        },
      },
      {
        name: 'ours, clustered anew',
        async measure() {
          const { texts, volume } = syntheticKeywords(keywords);
          const tools = await toolsOf();
          return costOf(async () => ({ topics: (await cluster({ texts, volume }, other, tools)).topics.length }));
        },
      },
    ],
  };
}

/** An operation on a draft, and the JSON of the revision that it makes. */
export function operationCase(keywords: number): BenchCase {
  const operation = (name: string, of: (nodes: readonly string[]) => DraftOperation): Contender => ({
    name,
    async measure() {
      const { context, state } = await openDraft(keywords);
      const addresses = new DraftAddresses(state, context.list.texts, rootName);
      const clusters = [...state.topics.keys()].filter((topic) => state.topics[topic]!.kind === 'cluster');
      const asked = of(clusters.map((topic) => addresses.ofTopic(topic)));
      return costOf(async () => {
        const done = applyOperation(context, state, asked, rootName);
        if ('refusal' in done) throw new Error(done.refusal);
        const { list, prepared } = context;
        const { texts, volume } = list;
        const fields = [{ name: 'search_volume', values: volume }];
        let bytes = 0;
        const map = { name: rootName, texts, volume, fields, state: done.state, clustering: {}, prepared };
        for (const block of draftJson(map)) bytes += block.length;
        return { bytes };
      });
    },
  });
  return {
    name: `cluster/operations on ${keywords} keywords`,
    rounds: keywords > 1e4 ? 1 : 3,
    contenders: [
      operation('rename', (nodes) => ({ kind: 'rename', node: nodes[0]!, name: 'Mine' })),
      operation('merge 2', (nodes) => ({ kind: 'merge', nodes: nodes.slice(0, 2) })),
      operation('split', (nodes) => ({ kind: 'split', node: nodes[0]! })),
      operation('lock all', (nodes) => ({ kind: 'lock', nodes })),
      operation('half to the strays', (nodes) => ({ kind: 'strays', nodes: nodes.filter((_, at) => at % 2 === 0) })),
      operation('granularity', () => ({ kind: 'granularity', stop: 6 })),
    ],
  };
}
