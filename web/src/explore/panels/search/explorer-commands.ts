import type { QueryClient } from '@tanstack/react-query';
import type { Command, Offer } from '../../../ui/commands.ts';
import type { ToastAction } from '../../../ui/toast.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { exact, isKnown } from '../../format/figure-text.ts';
import { colourChoices, marksOf, sizeChoices } from '../../model/choices.ts';
import type { Explorer } from '../../model/explorer.ts';
import { removeScore } from '../../model/score.ts';
import { depths, views } from '../../model/url-state.ts';
import { none } from '../../tree-data/columns.ts';
import { chosenRows, planByKey } from '../plan/plan-actions.ts';
import { openSaved } from '../saved/save-view-button.tsx';
import { savedQuery } from '../saved/saved.ts';
import { scoreButtonId } from '../score/score-button.tsx';
import { viewNames } from '../view-names.ts';

const maxFound = 20;

/** The commands of the explorer, and its keywords as destinations. @param stage of the chart, if there is one */
export async function offerOf(
  explorer: Explorer,
  stage: Stage | undefined,
  toast: (text: string, action?: ToastAction) => void,
  queries: QueryClient,
): Promise<Offer> {
  const { store, tree } = explorer;
  const { score, view, colour, size, fields, searchResults, selected, compared, focus } = store.getState();
  const command = (group: string, title: string, run: () => void): Command => ({
    id: `${group} ${title}`,
    title,
    group,
    run,
  });
  const isDrawn = view !== 'table';
  // The other commands work without the saved views.
  const savedViews = !explorer.isKept
    ? []
    : await queries.ensureQueryData(savedQuery(explorer, 'views')).catch(() => []);
  return {
    commands: [
      ...(stage
        ? [
            command('Picture', 'Fit to screen', () => stage.fit()),
            command('Picture', 'Zoom to 100 %', () => stage.zoomTo(1)),
            ...(selected === none ? [] : [command('Picture', 'Fit the selection', () => stage.fitRow(selected))]),
          ]
        : []),
      ...(focus === 0
        ? []
        : [
            command('Picture', 'Up one level', explorer.climb),
            command('Picture', 'Show everything', () => explorer.focusOn(0)),
          ]),
      ...(searchResults && searchResults.total > 0
        ? [
            command('Search', 'Next match', () => void explorer.stepHits(1)),
            command('Search', 'Previous match', () => void explorer.stepHits(-1)),
            command('Search', 'Filter to all matches', explorer.keepHits),
            command('Search', 'End the search', explorer.clearSearch),
          ]
        : []),
      ...savedViews.map((one) => ({
        ...command('Saved views', one.name, () => void explorer.address.open(one.text, 'push')),
        id: `saved ${one.id}`,
      })),
      ...(explorer.hasWarnings
        ? [
            command('Warnings', 'Open the warnings (cannibalisation, mixed intent)', () =>
              store.setState({ panel: 'warnings', detailOpen: true }),
            ),
          ]
        : []),
      ...(!explorer.isKept
        ? []
        : [
            command('Saved views', 'Save this view', openSaved),
            command('Saved views', 'Present the saved views', () => store.setState({ isPresenting: true })),
          ]),
      ...(explorer.mayDownload
        ? [command('For other people', 'Print report (PDF)', () => store.setState({ reportOpen: true }))]
        : []),
      ...(explorer.mayDownload && !explorer.isDraft
        ? [
            command('For other people', 'Hand over as Excel, CSV or Markdown (export)', () =>
              store.setState({ handoverOpen: true }),
            ),
          ]
        : []),
      ...(!explorer.isKept
        ? []
        : [
            command('Plan', 'Open the plan (shortlist)', () => planByKey(explorer, 'open', toast)),
            ...(chosenRows(explorer).length === 0
              ? []
              : [
                  command('Plan', 'Add to or remove from the plan', () => planByKey(explorer, 'toggle', toast)),
                  command('Plan', 'Edit in the plan: status, owner, due', () => planByKey(explorer, 'edit', toast)),
                ]),
          ]),
      ...views.filter((one) => one !== view).map((one) => command('View', viewNames[one], () => explorer.setView(one))),
      ...(isDrawn && view !== 'opportunity'
        ? depths.map((depth) =>
            command('Depth', depth === 'all' ? 'Depth: all levels' : `Depth: ${depth}`, () => explorer.setDepth(depth)),
          )
        : []),
      ...(isDrawn
        ? [
            ...colourChoices(tree, fields, colour, [], marksOf(!explorer.isKept, store.getState().vs))
              .filter(({ value, disabled }) => value !== colour && !disabled)
              .map(({ value, label }) =>
                command('Colour by', `Colour by ${label}`, () => store.setState({ colour: value, steps: undefined })),
              ),
            ...sizeChoices(tree, fields, size)
              .filter(({ value, disabled }) => value !== size && !disabled)
              .map(({ value, label }) => command('Size by', `Size by ${label}`, () => store.setState({ size: value }))),
          ]
        : []),
      command('Score', score === undefined ? 'Score by a formula (opportunity score)' : 'Edit the score', () =>
        document.getElementById(scoreButtonId)?.click(),
      ),
      ...(score === undefined ? [] : [command('Score', 'Remove the score', () => removeScore(explorer))]),
      ...(compared.length > 0 ? [command('Panels', 'Stop comparing', () => store.setState({ compared: [] }))] : []),
      ...(explorer.canCompareUploads
        ? [command('Uploads', 'Compare with another upload: what changed', explorer.chooseUpload)]
        : []),
      ...(store.getState().vs === undefined
        ? []
        : [
            command('Uploads', 'Swap the compared uploads', explorer.swapUploads),
            command('Uploads', 'Stop comparing with another upload', explorer.stopComparingUploads),
          ]),
      command('Panels', 'Show or hide the outline', () =>
        store.setState(({ outlineOpen }) => ({ outlineOpen: !outlineOpen })),
      ),
      command('Panels', 'Show or hide the details', () =>
        store.setState(({ detailOpen }) => ({ detailOpen: !detailOpen })),
      ),
      command('Panels', 'Keyboard shortcuts', () => store.setState({ helpOpen: true })),
    ],

    async find(text, signal) {
      const { filter } = store.getState();
      const { total, hits } = await explorer.source.search(
        { mode: 'all', text, limit: maxFound, skip: 0 },
        filter,
        signal,
      );
      const places = hits.map(
        (hit): Command => ({
          id: `node ${hit.node}`,
          title: hit.name,
          group: 'Keywords',
          detail: [hit.path.at(-1)?.name, isKnown(hit.volume) ? exact(hit.volume) : undefined]
            .filter(Boolean)
            .join(' · '),
          run: () => void explorer.goTo([...hit.path.map(({ node }) => node), hit.node]),
        }),
      );
      if (total === 0) return [];
      const all = command('Keywords', `Show all ${exact(total)} on canvas`, () =>
        store.setState({ query: text, match: 'all' }),
      );
      return [...places, all];
    },
  };
}
