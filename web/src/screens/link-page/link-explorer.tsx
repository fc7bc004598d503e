import { sayError } from '@kc/rules/all-messages';
import type { SharedPage } from '@kc/rules/link-shapes';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callsAbout } from '../../api/calls-about.ts';
import { ExplorerScreen } from '../../explore/explorer.tsx';
import { createExplorer, type Explorer } from '../../explore/model/explorer.ts';
import type { ExplorerSource } from '../../explore/model/source.ts';
import { restoreColourAids } from '../../explore/panels/legend/colour-aids.ts';
import { roomNow } from '../../explore/panels/remember-panels.ts';
import { captionOf } from '../share-links/link-line.tsx';
import { sourceOf } from '../visualization/explorer-source.ts';
import { retryWhileRebuilt } from '../visualization/retry-while-rebuilt.ts';
import { useRouterBar } from '../visualization/router-bar.ts';
import { linkClient } from './use-link.ts';

/** The explorer of a link, without everything that its visitors may not do. */
export function LinkExplorer({ page }: { readonly page: SharedPage }) {
  const addressBar = useRouterBar();
  const queries = useQueryClient();
  const [explorer, setExplorer] = useState<Explorer>();
  useEffect(() => {
    const { id, rootName, nodes, kind, withPlan, mayEditPlan, withDownloads } = page;
    const created = createExplorer({
      // The name of the uploaded file is not theirs to see.
      visualization: { id, fileName: rootName, nodes },
      linkId: id,
      isDefault: () => false,
      source: linkSourceOf(id, queries),
      addressBar,
      room: roomNow(),
      explain: sayError,
      guest: {
        hasPlan: withPlan,
        mayEditPlan,
        hasWarnings: kind === 'colleague',
        mayDownload: withDownloads,
        caption: captionOf(page),
      },
    });
    restoreColourAids(created);
    setExplorer(created);
    created.onStop(retryWhileRebuilt(created));
    void created.start();
    return () => created.stop();
  }, [page, addressBar, queries]);
  if (!explorer) return null;
  return (
    <ExplorerScreen
      explorer={explorer}
      picker={
        <h1 className="m-0 min-w-0 truncate text-body font-semibold">
          <bdi>{page.rootName}</bdi>
        </h1>
      }
      pills={null}
      freshness={null}
    />
  );
}

const none = () => Promise.reject(new Error('A link has no such call'));

const noSaved = { list: async () => [], save: none, rename: none, remove: none };

/** The explorer's data source for the visitors of a link, who only read; some may edit entries of the plan. */
function linkSourceOf(id: string, queries: QueryClient): ExplorerSource {
  const plan = callsAbout(linkClient.plans, id);
  return {
    ...sourceOf(id, queries, undefined, linkClient),
    views: noSaved,
    filterPresets: noSaved,
    savedScores: noSaved,
    plan: {
      ...plan,
      // As links take it: of entries that exist, and no tags.
      change: ({ addTags: _, removeTags: __, ...change }) => plan.change(change),
      undo: none,
      move: none,
      history: none,
      figures: none,
      suggestions: none,
      links: none,
      lead: none,
      offer: none,
      choose: none,
    },
    warnings: {
      ...callsAbout(linkClient.warnings, id),
      dismissed: async () => [],
      setThresholds: none,
      dismiss: none,
      restore: none,
    },
  };
}
