import { sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import type { SharedPage } from '@kc/rules/link-shapes';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { toRefusal } from '../../api/refusal.ts';
import { Explorer } from '../../explore/explorer.tsx';
import { createExplorer, type Explorer as ExplorerModel } from '../../explore/model/explorer.ts';
import { restoreColourAids } from '../../explore/panels/legend/colour-aids.ts';
import { captionOf } from '../share-links/link-texts.ts';
import { retryWhileRebuilt } from '../visualization/retry-while-rebuilt.ts';
import { useRouterBar } from '../visualization/router-bar.ts';
import { linkSourceOf } from './link-source.ts';

/** From this width on, both panels fit beside the chart. */
const panelsFromPx = 1200;

/** The explorer of a link, without everything that its visitors may not do. */
export function LinkExplorer({ page }: { readonly page: SharedPage }) {
  const bar = useRouterBar();
  const queries = useQueryClient();
  const [explorer, setExplorer] = useState<ExplorerModel>();
  useEffect(() => {
    const { id, rootName, nodes, kind, withPlan, mayEditPlan, withDownloads } = page;
    const made = createExplorer({
      // The name of the uploaded file is not theirs to see.
      visualization: { id, fileName: rootName, nodes },
      linkId: id,
      isDefault: () => false,
      source: linkSourceOf(id, queries),
      bar,
      room: { isSmall: innerWidth < limits.mobileBelowPx, panelsOpen: innerWidth >= panelsFromPx },
      explain: (failure) => sayRefusal(toRefusal(failure)),
      guest: {
        hasPlan: withPlan,
        mayEditPlan,
        hasWarnings: kind === 'colleague',
        mayDownload: withDownloads,
        caption: captionOf(page),
      },
    });
    restoreColourAids(made);
    setExplorer(made);
    const stopRetrying = retryWhileRebuilt(made);
    void made.start();
    return () => {
      stopRetrying();
      made.stop();
    };
  }, [page, bar, queries]);
  if (!explorer) return null;
  return (
    <Explorer
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
