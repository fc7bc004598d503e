import { useMemo } from 'react';
import { type HitTicks, useLook } from '../../../explore/panels/explorer-context.ts';
import { useDraftEditor, useEditing } from './draft-context.ts';
import { ticksOf } from './select-matches.ts';
import { toggled } from './ticks.ts';

/** The hits of the search as nodes of the draft that can be ticked. */
export function useHitTicks(): HitTicks {
  const editor = useDraftEditor();
  const searchResults = useLook((state) => state.searchResults);
  const rows = useEditing(({ ticks }) => ticks.picks.rows);
  const tickOf = useMemo(() => {
    const hits = (searchResults?.hits ?? []).filter(({ path }) => path.length > 0);
    const ticks = ticksOf(hits);
    return new Map(hits.map(({ node }, at) => [node, ticks[at]!]));
  }, [searchResults]);
  return {
    isTicked(node) {
      const tick = tickOf.get(node);
      return tick && rows.has(tick.address);
    },
    toggle(node) {
      const tick = tickOf.get(node);
      if (tick) editor.setTicks((ticks) => toggled(ticks, tick));
    },
  };
}
