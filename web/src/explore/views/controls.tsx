import { LazySelect } from '../../ui/lazy-select.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import type { ColourBy } from '../draw/paint.ts';
import type { SizeBy } from '../layouts/layout.ts';
import { depthOf } from '../state/explorer-state.ts';
import { type Depth, type View, views } from '../state/url-state.ts';
import { useExplorer, useLook } from './explorer-context.ts';

export const viewNames: Readonly<Record<View, string>> = {
  treemap: 'Treemap',
  bubbles: 'Bubbles',
  sunburst: 'Sunburst',
  icicle: 'Icicle',
  tree: 'Tree',
  opportunity: 'Opportunity',
  table: 'Table',
};
const viewOptions = views.map((value) => ({ value, label: viewNames[value] }));
const depthOptions: readonly { readonly value: Depth; readonly label: string }[] = [
  { value: '1', label: '1' },
  { value: '2', label: '2' },
  { value: '3', label: '3' },
  { value: 'all', label: 'All' },
];
export const colourOptions: readonly { readonly value: ColourBy; readonly label: string }[] = [
  { value: 'pillar', label: 'Pillar topic' },
  { value: 'depth', label: 'Level' },
  { value: 'type', label: 'Type' },
  { value: 'volume', label: 'Volume' },
  { value: 'difficulty', label: 'Difficulty' },
  { value: 'cpc', label: 'CPC' },
  { value: 'intent', label: 'Intent' },
];
const sizeOptions: readonly { readonly value: SizeBy; readonly label: string }[] = [
  { value: 'keywords', label: 'Keywords' },
  { value: 'volume', label: 'Volume' },
  { value: 'equal', label: 'Equal' },
];

export function ViewSwitch() {
  const explorer = useExplorer();
  const view = useLook((state) => state.view);
  return <SegmentedControl label="View" value={view} options={viewOptions} onChange={explorer.setView} />;
}

export function DepthSwitch() {
  const explorer = useExplorer();
  const depth = useLook(depthOf);
  return (
    <div className="flex items-center gap-1.5">
      <span aria-hidden="true" className="text-small text-muted">
        Depth
      </span>
      <SegmentedControl label="Depth" value={depth} options={depthOptions} onChange={explorer.setDepth} />
    </div>
  );
}

export function ColourSelect() {
  const { store } = useExplorer();
  const colour = useLook((state) => state.colour);
  return (
    <LabelledSelect
      label="Colour by"
      value={colour}
      options={colourOptions}
      onChange={(next) => store.setState({ colour: next })}
    />
  );
}

export function SizeSelect() {
  const { store } = useExplorer();
  const size = useLook((state) => state.size);
  return (
    <LabelledSelect
      label="Size by"
      value={size}
      options={sizeOptions}
      onChange={(next) => store.setState({ size: next })}
    />
  );
}

type LabelledProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
};

function LabelledSelect<T extends string>({ label, ...select }: LabelledProps<T>) {
  return (
    <div className="flex items-center gap-1.5">
      <span aria-hidden="true" className="text-small whitespace-nowrap text-muted">
        {label}
      </span>
      <div className="w-30">
        <LazySelect label={label} {...select} />
      </div>
    </div>
  );
}
