import { Slider } from '@base-ui/react/slider';
import { finenessOf } from '@kc/rules/draft-messages';
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../../explore/format/figure-text.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { useIsSmall } from '../../../ui/environment.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useCanEdit, useDraft, useDraftEditor, useEditing } from './draft-context.ts';
import { stopIn } from './edits.ts';

const minStop = 1;
const maxStop = 9;
const stops = Array.from({ length: maxStop - minStop + 1 }, (_, at) => minStop + at);
/** The stops of the presets. */
const presets: ReadonlySet<number> = new Set([2, 4, 8]);
/** Up to this many keywords, the map follows while the slider moves; above, when it is released. */
const liveUpTo = 20_000;
const restMs = 250;

/** "Balanced (4 of 9): 94 clusters". Clusters are only known of the stop that is shown. */
function stopText(stop: number, clusters: number | undefined): string {
  const text = `${finenessOf(stop)} (${stop} of ${maxStop})`;
  return clusters === undefined ? text : `${text}: ${counted(clusters, 'cluster')}`;
}

/** In the bar: shows how finely the list is divided, and opens the slider. Absent where it does not apply. */
export function GranularityButton() {
  const { revision } = useDraft();
  if (revision?.stop === undefined) return null;
  return (
    <Popover
      label="Granularity"
      align="end"
      className="max-w-[calc(100vw-1rem)]"
      trigger={
        <button type="button" className={buttonClass('secondary', 'dense')}>
          Granularity
          <span className="text-muted">{revision.stop}</span>
          <ChevronDown size={14} />
        </button>
      }
    >
      {() => <Granularity />}
    </Popover>
  );
}

/** How finely the list is divided: a slider with nine stops, on a phone a stepper. Absent where it does not apply. */
export function Granularity() {
  const isSmall = useIsSmall();
  const { revision } = useDraft();
  const slider = useStop();
  if (revision?.stop === undefined || !slider) return null;
  const { counts } = revision;
  // Small groups that came with the list have no clusters below them.
  const clusters = counts.clusters > 0 ? counts.clusters : undefined;
  const parts = [
    clusters === undefined ? counted(counts.pillars, 'pillar topic') : counted(clusters, 'cluster'),
    ...(counts.subtopics > 0 ? [counted(counts.subtopics, 'subtopic')] : []),
    counted(counts.strays, 'stray'),
  ].join(' · ');
  if (isSmall) return <Stepper {...slider} clusters={clusters} />;
  const { stop, canEdit, move, release, isPending } = slider;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Slider.Root
        value={stop}
        min={minStop}
        max={maxStop}
        step={1}
        largeStep={2}
        disabled={!canEdit}
        onValueChange={(value) => move(value as number)}
        onValueCommitted={(value) => release(value as number)}
        className="flex min-w-0 items-center gap-3"
      >
        <span id="granularity" className="font-medium text-small">
          Granularity
        </span>
        <span aria-hidden="true" className="text-micro text-muted">
          Broad
        </span>
        <Slider.Control className="flex h-8 w-56 touch-none items-center touch:h-11">
          <Slider.Track className="relative h-1 w-full rounded-full bg-line-strong">
            <Stops />
            <Slider.Indicator className="rounded-full bg-brand" />
            <Slider.Thumb
              aria-labelledby="granularity"
              getAriaValueText={(_, value) => stopText(value, value === revision.stop ? clusters : undefined)}
              className="size-5 rounded-full border-2 border-brand bg-surface shadow-1 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-focus has-[:focus-visible]:outline-offset-2 touch:size-6"
            />
          </Slider.Track>
        </Slider.Control>
        <span aria-hidden="true" className="text-micro text-muted">
          Page-level
        </span>
      </Slider.Root>
      <p className="m-0 text-small text-muted tabular-nums">{isPending ? `${stopText(stop, undefined)}…` : parts}</p>
    </div>
  );
}

/** The nine stops; those of the presets are larger. */
function Stops() {
  return stops.map((stop) => (
    <span
      key={stop}
      aria-hidden="true"
      className={`absolute top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-full bg-muted ${presets.has(stop) ? 'size-2' : 'size-1'}`}
      style={{ left: `${(100 * (stop - minStop)) / (maxStop - minStop)}%` }}
    />
  ));
}

type StopControl = {
  readonly stop: number;
  readonly canEdit: boolean;
  /** Whether the shown map is that of another stop. */
  readonly isPending: boolean;
  readonly move: (stop: number) => void;
  readonly release: (stop: number) => void;
};

type StepperProps = StopControl & { readonly clusters: number | undefined };

function Stepper({ stop, canEdit, isPending, release, clusters }: StepperProps) {
  return (
    <section aria-label="Granularity" className="flex w-full items-center justify-between gap-2">
      <IconButton size="dense" label="Broader" disabled={!canEdit || stop <= minStop} onClick={() => release(stop - 1)}>
        <ChevronLeft size={18} />
      </IconButton>
      <p role="status" className="m-0 min-w-0 truncate text-small">
        {isPending ? `${stopText(stop, undefined)}…` : stopText(stop, clusters)}
      </p>
      <IconButton size="dense" label="Finer" disabled={!canEdit || stop >= maxStop} onClick={() => release(stop + 1)}>
        <ChevronRight size={18} />
      </IconButton>
    </section>
  );
}

/** The stop of the slider, ahead of that of the draft until the draft follows. */
function useStop(): StopControl | undefined {
  const editor = useDraftEditor();
  const { revision } = useDraft();
  const canEdit = useCanEdit();
  const requested = useEditing(({ edits }) => edits.pending.flatMap(({ edit }) => stopIn(edit) ?? []).at(-1));
  const [moved, setMoved] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (revision?.stop === undefined) return undefined;
  const shown = revision.stop;
  const isLive = revision.counts.keywords <= liveUpTo;
  const stop = moved ?? requested ?? shown;
  const request = (to: number) => {
    clearTimeout(timer.current);
    setMoved(undefined);
    if (to !== (requested ?? shown)) editor.operate({ kind: 'granularity', stop: to });
  };
  return {
    stop,
    canEdit,
    isPending: stop !== shown,
    move(to) {
      setMoved(to);
      clearTimeout(timer.current);
      if (isLive) timer.current = setTimeout(() => request(to), restMs);
    },
    // A key press is a release, too: several in a row are one change.
    release(to) {
      setMoved(to);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => request(to), restMs);
    },
  };
}
