import { exact } from '../../format/figure-text.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { warningText } from '../warnings/warning-texts.ts';

/** How many warnings a row has, while the map marks them: its own, and those inside a closed branch. */
export function OutlineWarnings({ row, isOpen }: { readonly row: number; readonly isOpen: boolean }) {
  const { tree } = useExplorer();
  const mark = useLook((state) => state.warningMarks?.get(tree.node[row]!));
  const count = mark && (isOpen ? mark.own : mark.within);
  if (!mark || count === 0) return null;
  return (
    <span title={warningText(mark)} className="shrink-0 text-micro text-warn tabular-nums">
      <span aria-hidden="true">⚠ {exact(count)}</span>
      <span className="sr-only">, {warningText(mark)}</span>
    </span>
  );
}
