import { sayError } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { refreshIntervalMs } from '@kc/rules/settings';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Suspense } from 'react';
import { client } from '../../api/client.ts';
import { readUrlState, writeUrlState } from '../../explore/model/url-state.ts';
import { useMe, useScreenSettings } from '../../session/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-boundary.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { useSettled } from './choice.ts';
import { LastUpdated, Pills, refreshOptions, useOnline } from './freshness.tsx';
import { OpenVisualization } from './open-visualization.tsx';
import { useNamed, useNamedDraft } from './router-bar.ts';

const VisualizationList = lazyPart(async () => (await import('./visualization-list.tsx')).VisualizationList);

const EmptyScreen = lazyPart(async () => (await import('./empty-screen.tsx')).EmptyScreen);

const DraftScreen = lazyPart(async () => (await import('./draft/draft-screen.tsx')).DraftScreen);

/** The home after sign-in: the draft or the visualization that the address names, else the active one. */
export function VisualizationScreen() {
  const draft = useNamedDraft();
  if (draft === undefined) return <HomeScreen />;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <DraftScreen key={draft} id={draft} />
    </Suspense>
  );
}

/** The visualization that the address names, else the active one, else an empty sky. */
function HomeScreen() {
  const me = useMe();
  const settings = useScreenSettings();
  const refreshMs = refreshIntervalMs(settings?.dataRefreshInterval);
  const requestedId = useNamed();
  const own = useQuery({
    queryKey: ['visualizations'],
    queryFn: ({ signal }) => client.visualizations.list({}, { signal }),
    ...refreshOptions(refreshMs),
  });
  const { shown: listed, newer, goOn, isDefault, arrival } = useSettled(own.data, requestedId);
  const isOnline = useOnline();
  const { history } = useRouter();
  // Admins may open anybody's; for others the response is that it does not exist.
  const other = useQuery({
    queryKey: ['visualizations', 'by ID', requestedId],
    queryFn: ({ signal }) => client.visualizations.get({ id: requestedId ?? '' }, { signal }),
    enabled: own.data !== undefined && listed === undefined && requestedId !== undefined,
  });

  if (own.isPending || (other.isLoading && !listed)) return <LoadingScreen />;
  // Once something is shown, a failed check for more does not remove it.
  if (own.data === undefined) {
    return (
      <Titled>
        <Banner tone="error" actions={<Button onClick={() => void own.refetch()}>Try again</Button>}>
          {sayError(own.error)}
        </Banner>
      </Titled>
    );
  }
  const shown = listed ?? other.data;
  if (shown) {
    const update = () => {
      goOn();
      if (requestedId === undefined) return;
      // No place of the sample is in anybody's data.
      if (shown.isSample) return history.push(paths.visualization);
      // Focus, filters and camera go along: they are named by paths that both may have.
      const here = readUrlState(history.location.search);
      history.push(`${paths.visualization}${writeUrlState({ ...here, visualization: undefined })}`);
    };
    return (
      <OpenVisualization
        key={shown.id}
        visualization={shown}
        all={own.data}
        isDefault={isDefault}
        isArrival={arrival === shown.id}
        freshness={
          <LastUpdated at={own.dataUpdatedAt} isRefreshing={own.isFetching} onRefresh={() => void own.refetch()} />
        }
        pills={
          <Pills
            onUpdate={newer && update}
            isSample={shown.isSample}
            dataAt={isOnline && !own.isRefetchError ? undefined : own.dataUpdatedAt}
          />
        }
      />
    );
  }
  if (other.isError) {
    return (
      <Titled>
        <Banner tone="error">{sayError(other.error)}</Banner>
        <Suspense>
          <VisualizationList all={own.data} />
        </Suspense>
      </Titled>
    );
  }
  return (
    <Suspense fallback={<LoadingScreen />}>
      <EmptyScreen
        isAdmin={me?.isAdmin ?? false}
        canImport={me?.isAdmin || (settings?.userImports ?? false)}
        checkedAt={own.dataUpdatedAt}
        hasSample={own.data.some((one) => one.isSample)}
      />
    </Suspense>
  );
}

function Titled({ children }: { children: React.ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-6">
      <h1 tabIndex={-1} className="m-0 text-h1">
        My Visualizations
      </h1>
      {children}
    </div>
  );
}

function LoadingScreen() {
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex h-12 items-center gap-3 border-b border-line bg-surface px-3">
        <h1 tabIndex={-1} className="m-0 text-body font-semibold">
          My Visualizations
        </h1>
        <Skeleton className="h-5 w-40" />
      </div>
      <p role="status" className="sr-only">
        Loading your visualizations
      </p>
      <div className="flex-1 bg-canvas" />
    </div>
  );
}
