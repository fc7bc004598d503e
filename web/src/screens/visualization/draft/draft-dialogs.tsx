import { say } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { lazy, Suspense, useRef, useState } from 'react';
import { exact } from '../../../explore/format/figure-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { OneFieldForm } from '../../../ui/field.tsx';
import { useCanEdit, useDraftEditor, useEditing, useMarks } from './draft-context.ts';
import type { Tick } from './ticks.ts';

const PlaceDialog = lazy(async () => ({ default: (await import('./place-dialog.tsx')).PlaceDialog }));

/** The dialog of the draft that is open, if any. */
export function DraftDialogs() {
  const dialog = useEditing((state) => state.dialog);
  if (!dialog) return null;
  if (dialog.kind === 'rename') return <RenameDialog key={dialog.node.address} node={dialog.node} />;
  if (dialog.kind === 'name') return <NameDialog nodes={dialog.nodes} />;
  if (dialog.kind === 'excluded') return <ExcludedDialog />;
  return (
    <Suspense>
      <PlaceDialog kind={dialog.kind} nodes={dialog.nodes} />
    </Suspense>
  );
}

function RenameDialog({ node }: { node: Tick }) {
  const editor = useDraftEditor();
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const close = () => editor.open(undefined);
  const save = (typed: string) => {
    const name = typed.trim();
    if (name === '') return setError(say('draft/name-empty'));
    if (name !== node.name) editor.operate({ kind: 'rename', node: node.address, name });
    close();
  };
  return (
    <Dialog open onOpenChange={close} title="Rename" initialFocus={field}>
      <OneFieldForm
        ref={field}
        label="Name"
        onFocus={(event) => event.target.select()}
        autoComplete="off"
        initial={node.name}
        maxLength={limits.maxDraftNameLength}
        isSaving={false}
        error={error}
        onSave={save}
        onCancel={close}
      />
    </Dialog>
  );
}

const waysToName = [
  { by: 'phrase', name: 'Phrase', does: 'What its keywords have in common, and others do not' },
  {
    by: 'seed-phrase',
    name: 'Phrase with the common words',
    does: 'The same phrase with the words that most keywords of the list have',
  },
  { by: 'keyword', name: 'Keyword', does: 'The keyword in the middle that is searched for most' },
] as const;

/** Asks how topics are named anew. */
function NameDialog({ nodes }: { nodes: readonly Tick[] }) {
  const editor = useDraftEditor();
  const close = () => editor.open(undefined);
  const what = nodes.length === 1 ? nodes[0]!.name : `${exact(nodes.length)} selected`;
  return (
    <Dialog open onOpenChange={close} title={`Name ${what} by`}>
      <ul aria-label="Ways" className="m-0 flex list-none flex-col p-0">
        {waysToName.map(({ by, name, does }) => (
          <li key={by}>
            <button
              type="button"
              onClick={() => {
                editor.operate({ kind: 'name', nodes: nodes.map(({ address }) => address), by });
                close();
              }}
              className="flex min-h-11 w-full flex-col justify-center rounded-control px-2 py-1 text-left hover:bg-sunken focus-visible:-outline-offset-2"
            >
              {name}
              <span className="text-micro text-muted">{does}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The excluded keywords, which can be brought back. */
function ExcludedDialog() {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const { excluded } = useMarks();
  const close = () => editor.open(undefined);
  const restore = (keywords: 'all' | string[]) => editor.operate({ kind: 'restore', keywords });
  return (
    <Dialog
      open
      onOpenChange={close}
      title={`Excluded (${exact(excluded.total)})`}
      description="These keywords are not in the map. Restored ones come back to where they were."
      actions={
        <Button disabled={!canEdit || excluded.total === 0} onClick={() => restore('all')}>
          Restore all
        </Button>
      }
    >
      <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
        {excluded.keywords.map((keyword) => (
          <li key={keyword} className="flex items-center gap-3 py-1">
            <span dir="auto" className="min-w-0 flex-1 text-left wrap-anywhere">
              {keyword}
            </span>
            <Button size="dense" disabled={!canEdit} onClick={() => restore([keyword])}>
              Restore
              <span className="sr-only">: {keyword}</span>
            </Button>
          </li>
        ))}
      </ul>
      {excluded.total > excluded.keywords.length && (
        <p className="mt-2 text-small text-muted">{`and ${exact(excluded.total - excluded.keywords.length)} more`}</p>
      )}
    </Dialog>
  );
}
