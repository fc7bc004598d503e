import { handoverName } from '@kc/rules/download-name';
import { apostropheNote } from '@kc/rules/spreadsheet-cell';
import { ClipboardCopy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RadioCards } from '../../../ui/radio-group.tsx';
import { Select } from '../../../ui/select.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted } from '../../format/figure-text.ts';
import type { Explorer } from '../../model/explorer.ts';
import { pageLevelOf } from '../../model/levels.ts';
import type { HandoverFile, HandoverQuery } from '../../model/source.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { usePlannedEntries } from '../plan/use-plan.ts';
import { copyMarkdown } from './brief-menu.tsx';

const formats = [
  { value: 'xlsx', label: 'Excel workbook', help: 'A sheet with all entries, and one of keywords for each pillar.' },
  { value: 'csv', label: 'CSV', help: `One table with a line for each entry. ${apostropheNote}` },
  { value: 'md', label: 'Markdown', help: 'An outline with the keywords of each entry.' },
  { value: 'briefs.html', label: 'Briefs to print', help: 'A page for each entry, in one HTML file.' },
  { value: 'briefs.md', label: 'Briefs in Markdown', help: 'The same as text.' },
] as const;
const partWords: Readonly<Record<HandoverPart, string>> = {
  all: 'Everything',
  filter: 'What the filter keeps',
  selection: 'The selection',
};

const fileOf = (format: HandoverFormat): HandoverFile =>
  format === 'md' ? 'outline.md' : format === 'xlsx' || format === 'csv' ? `plan.${format}` : format;

/** Chooses what is handed over, and in which form. */
export function HandoverDialog() {
  const explorer = useExplorer();
  const { store, tree } = explorer;
  const toast = useToast();
  const scene = useScene(explorer);
  const pages = useLook(pageLevelOf);
  const here = usePlannedEntries().length;
  const [chosen, setScope] = useState<HandoverScope>();
  const [part, setPart] = useState<HandoverPart>('all');
  const [format, setFormat] = useState<HandoverFormat>('xlsx');
  // Visitors of a link do not have the entries here; the link says whether it includes them.
  const isGuest = explorer.guest !== undefined;
  const hasPlan = isGuest ? explorer.hasPlan : here > 0;
  const what = chosen ?? (hasPlan ? 'plan' : 'view');
  const [top, setTop] = useState<Top>();
  const isList = format === 'md';
  const tops = isList ? (['all', ...topChoices] as const) : format === 'xlsx' || format === 'csv' ? [] : topChoices;
  const chosenTop = tops.find((one) => one === top) ?? (isList ? 'all' : '20');
  const options = {
    ...optionsOf(what, part, scene),
    top: tops.length === 0 || chosenTop === 'all' ? undefined : Number(chosenTop),
  };
  const parts = partsOf(what, scene);
  const focusName = useLook((state) => tree.name(state.focus));
  const branchName = scene.branch === 0 ? undefined : scene.branchName;
  const close = () => store.setState({ handoverOpen: false });
  const isBriefs = format.startsWith('briefs.');
  const name = handoverName({
    root: tree.name(0),
    what: isBriefs ? 'briefs' : nameOf(what, scene.focus === 0 ? undefined : focusName, branchName),
    now: Date.now(),
    extension: isBriefs ? format.slice('briefs.'.length) : format,
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="Hand over"
      className="sm:w-[min(46rem,calc(100vw-2rem))]"
      description="A file for people who do not use the explorer. Unknown figures are empty cells, in briefs a dash."
      actions={
        <>
          {(format === 'md' || format === 'briefs.md') && (
            <Button onClick={() => copyMarkdown(explorer, format === 'md' ? 'outline.md' : format, options, toast)}>
              <ClipboardCopy size={16} strokeWidth={2} />
              Copy as Markdown
            </Button>
          )}
          <a
            href={explorer.source.handover.url(fileOf(format), options)}
            download=""
            onClick={close}
            className={buttonClass('primary')}
          >
            <Download size={16} strokeWidth={2} />
            Download
          </a>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <RadioCards
          className="sm:grid-cols-3"
          label="What"
          value={what}
          onChange={setScope}
          options={[
            {
              value: 'plan',
              label: 'Plan',
              help: isGuest
                ? hasPlan
                  ? 'Everything that is planned.'
                  : 'Not part of this link.'
                : hasPlan
                  ? counted(here, 'entry', 'entries')
                  : 'Nothing planned yet.',
              disabled: !hasPlan,
            },
            {
              value: 'view',
              label: 'Current view',
              help: `The ${pages} of “${focusName}”${scene.filter === '' ? '' : ' that the filter keeps'}${isGuest && !hasPlan ? '' : ', with what is planned'}.`,
            },
            ...(branchName !== undefined && scene.branch !== scene.focus
              ? [
                  {
                    value: 'branch',
                    label: 'Branch',
                    help: `The ${pages} of “${branchName}”${isGuest && !hasPlan ? '' : ', with what is planned'}.`,
                  } as const,
                ]
              : []),
          ]}
        />
        {parts.length > 1 && (
          <RadioCards
            className="sm:grid-cols-3"
            label="Which"
            value={parts.includes(part) ? part : 'all'}
            onChange={setPart}
            options={parts.map((one) => ({
              value: one,
              label: partWords[one],
              help:
                one === 'filter'
                  ? 'Figures are those under the filter.'
                  : one === 'selection'
                    ? `Entries at or below ${counted(scene.selection.length, 'selected node')}.`
                    : '',
            }))}
          />
        )}
        <RadioCards className="sm:grid-cols-3" label="Format" value={format} onChange={setFormat} options={formats} />
        {tops.length > 0 && (
          <Select
            label="Keywords of each entry"
            value={chosenTop}
            onChange={setTop}
            options={tops.map((one) => ({ value: one, label: one === 'all' ? 'All' : `The heaviest ${one}` }))}
          />
        )}
        <p className="m-0 text-small text-muted wrap-anywhere">
          File: <bdi className="text-ink">{name}</bdi>
        </p>
      </div>
    </Dialog>
  );
}

const nameOf = (what: HandoverScope, focus: string | undefined, branch: string | undefined): string => {
  if (what === 'plan') return 'plan';
  const place = what === 'view' ? focus : branch;
  return place === undefined ? 'clusters' : `${place}-clusters`;
};

/** What the choices are about, from the screen. */
function useScene({ tree }: Explorer): HandoverScene & { readonly branchName: string } {
  const { focus, selected, compared, filter, score, picked } = useLooks(
    'focus',
    'selected',
    'compared',
    'filter',
    'score',
    'picked',
  );
  const isBranch = selected !== none && !tree.isLeftOut(selected) && tree.childCount[selected]! > 0;
  const branch = isBranch ? selected : focus;
  const marked = [selected, ...compared].filter(
    // Compared nodes that are not loaded have no row.
    (row): row is number => typeof row === 'number' && row !== none && row > 0 && !tree.isLeftOut(row),
  );
  const rows = picked.rows.size > 0 && !picked.all ? [...picked.rows.keys()] : marked.map((row) => tree.node[row]!);
  return {
    focus: tree.node[focus]!,
    branch: tree.node[branch]!,
    branchName: tree.name(branch),
    selection: rows.length > maxSelected ? [] : rows,
    filter,
    score,
  };
}

type HandoverScope = 'plan' | 'view' | 'branch';
type HandoverPart = 'all' | 'filter' | 'selection';
type HandoverFormat = 'xlsx' | 'csv' | 'md' | 'briefs.html' | 'briefs.md';
/** How many keywords of each entry are listed. The others are counted. */
const topChoices = ['10', '20', '50', '100', '500'] as const;
type Top = 'all' | (typeof topChoices)[number];

/** What is on the screen; nodes are pack rows. */
export type HandoverScene = {
  readonly focus: number;
  /** The selected branch, or the focus; 0 for the root. */
  readonly branch: number;
  /** The selected nodes; empty if there are none, or more than an address can name. */
  readonly selection: readonly number[];
  readonly filter: string;
  readonly score: string | undefined;
};

/** Nodes that an address can name. */
const maxSelected = 500;

/** The parts that can be chosen of this. The current view is what it is. */
export function partsOf(what: HandoverScope, scene: HandoverScene): HandoverPart[] {
  if (what === 'view') return [];
  const parts: HandoverPart[] = ['all'];
  if (scene.filter !== '') parts.push('filter');
  if (what === 'plan' && scene.selection.length > 0) parts.push('selection');
  return parts;
}

/** What the server is asked for. */
export function optionsOf(what: HandoverScope, part: HandoverPart, scene: HandoverScene): HandoverQuery {
  const { focus, branch, selection, filter, score } = scene;
  const chosen = partsOf(what, scene).includes(part) ? part : 'all';
  return {
    of: what === 'plan' ? 'plan' : 'clusters',
    node: what === 'plan' ? 0 : what === 'view' ? focus : branch,
    rows: chosen === 'selection' ? selection : undefined,
    filter: what === 'view' || chosen === 'filter' ? filter : '',
    score,
  };
}
