import { confidenceOf } from '../../../explore/format/figure-text.ts';
import { useExplorer } from '../../../explore/panels/explorer-context.ts';
import { Button } from '../../../ui/button.tsx';
import { useCanEdit, useDraftEditor, useMarks, useTick } from './draft-context.ts';
import { nodeActions } from './node-actions.ts';
import { similarityAt } from './similarity.ts';

/** "Confidence 91 %, strong" for clusters, the similarity for keywords. */
export function ConfidenceLine({ row }: { row: number }) {
  const { tree } = useExplorer();
  const { address } = useTick(row);
  const marks = useMarks();
  const percent = marks.confidence[address];
  const confidence = percent === undefined ? undefined : confidenceOf(percent);
  const similarity = similarityAt(tree, row);
  const parts = [
    confidence && `Confidence ${confidence.percent} %, ${confidence.word}`,
    similarity !== undefined && `Similarity ${similarity.toFixed(2)}`,
    marks.rest?.includes(address) && 'Mixed: its keywords have nothing in common but what most of the list has',
    marks.locked.includes(address) && 'Locked',
  ].filter((text) => typeof text === 'string');
  if (parts.length === 0) return null;
  return <p className="m-0 text-small">{parts.join(' · ')}</p>;
}

/** What is done most with a node of the draft; its menu has the rest. */
export function DraftAction({ row }: { row: number }) {
  const editor = useDraftEditor();
  const tick = useTick(row);
  const { locked } = useMarks();
  const canEdit = useCanEdit();
  const [action] = nodeActions(editor, [tick], locked);
  if (!action) return null;
  const { name, Icon, run } = action;
  return (
    <Button
      size="dense"
      variant="primary"
      disabled={!canEdit}
      icon={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
      onClick={run}
    >
      {name}
    </Button>
  );
}
