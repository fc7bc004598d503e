import { limits } from '@kc/rules/limits';
import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { exact } from '../../../explore/format/figure-text.ts';
import { useExplorer, useLook } from '../../../explore/panels/explorer-context.ts';
import { Button } from '../../../ui/button.tsx';
import { useIsSmall } from '../../../ui/environment.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useCanEdit, useDraftEditor, useEditing, useMarks } from './draft-context.ts';
import { nodeActions } from './node-actions.ts';
import { matchesOf } from './select-matches.ts';
import { noTicks, tickedAll } from './ticks.ts';

/** Below the outline: what is ticked and what can be done with it, matches of the search, and what is excluded. */
export function SelectionBar() {
  const isSmall = useIsSmall();
  return (
    <div className="flex shrink-0 flex-col border-t border-line bg-surface text-small empty:hidden">
      <MatchesButton />
      <ExcludedButton />
      {/* On a small screen they are below everything. */}
      {!isSmall && <TickedActions />}
    </div>
  );
}

/** What can be done with the ticked nodes. */
export function TickedActions() {
  const isSmall = useIsSmall();
  const editor = useDraftEditor();
  const ticks = useEditing((state) => state.ticks);
  const { locked } = useMarks();
  const canEdit = useCanEdit();
  const nodes = [...ticks.picks.rows.values()];
  if (nodes.length === 0) return null;
  const actions = nodeActions(editor, nodes, locked);
  return (
    <section
      aria-label="Selection"
      className="flex shrink-0 flex-wrap items-center gap-1.5 border-t border-line bg-brand-soft px-3 py-2"
    >
      <p role="status" className="m-0 mr-auto font-medium text-brand-ink">
        {exact(nodes.length)} selected
      </p>
      <IconButton size="dense" label="Clear the selection" onClick={() => editor.setTicks(() => noTicks)}>
        <X size={16} />
      </IconButton>
      <div
        className={
          isSmall
            ? 'cut-softly -mx-3 -mb-1 flex basis-[calc(100%+1.5rem)] gap-1.5 overflow-x-auto px-3 pb-1 [scrollbar-width:none]'
            : 'flex basis-full flex-wrap gap-1.5'
        }
      >
        {actions.length === 0 && 'No action fits what is selected.'}
        {actions.map(({ name, run }) => (
          <Button key={name} size="dense" disabled={!canEdit} onClick={run}>
            {name}
          </Button>
        ))}
      </div>
    </section>
  );
}

/** Ticks everything that the search finds, as far as one operation can name it. */
function MatchesButton() {
  const explorer = useExplorer();
  const editor = useDraftEditor();
  const found = useLook((state) => state.searchResults);
  const finding = useMutation({
    mutationFn: (count: number) => matchesOf(explorer, count),
    networkMode: 'always',
    onSuccess: (all) => editor.setTicks((ticks) => tickedAll(ticks, all)),
  });
  if (!found || found.total === 0) return null;
  const count = Math.min(found.total, limits.maxDraftSelection);
  return (
    <div className="px-3 py-1.5">
      <Button size="dense" variant="ghost" disabled={finding.isPending} onClick={() => finding.mutate(count)}>
        {finding.isPending
          ? 'Selecting…'
          : count < found.total
            ? `Select ${exact(count)} of ${exact(found.total)} matches`
            : `Select all ${exact(count)} ${count === 1 ? 'match' : 'matches'}`}
      </Button>
      {finding.error && (
        <p role="alert" className="m-0 text-bad">
          {explorer.explain(finding.error)}
        </p>
      )}
    </div>
  );
}

/** Opens the list of excluded keywords. */
function ExcludedButton() {
  const editor = useDraftEditor();
  const { excluded } = useMarks();
  if (excluded.total === 0) return null;
  return (
    <div className="px-3 py-1.5">
      <Button size="dense" variant="ghost" onClick={() => editor.open({ kind: 'excluded' })}>
        {`Excluded (${exact(excluded.total)})`}
      </Button>
    </div>
  );
}
