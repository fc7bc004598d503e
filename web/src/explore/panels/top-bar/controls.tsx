import { CircleQuestionMark } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SegmentedControl } from '../../../ui/radio-group.tsx';
import { Select } from '../../../ui/select.tsx';
import { axisChoices, type Choice, colourChoices, marksOf, sizeChoices } from '../../model/choices.ts';
import { depthOf } from '../../model/explorer-state.ts';
import { type Depth, views } from '../../model/url-state.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { AxisMenu } from '../opportunity/axis-menu.tsx';
import { viewNames } from '../view-names.ts';

const viewOptions = views.map((value) => ({ value, label: viewNames[value] }));
const depthOptions: readonly { readonly value: Depth; readonly label: string }[] = [
  { value: 'auto', label: 'Auto' },
  { value: '1', label: '1' },
  { value: '2', label: '2' },
  { value: '3', label: '3' },
  { value: 'all', label: 'All' },
];
export function ViewSwitch() {
  const explorer = useExplorer();
  const view = useLook((state) => state.view);
  return <SegmentedControl label="View" value={view} options={viewOptions} onChange={explorer.setView} />;
}

/** The same where there is no room for them side by side. */
export function ViewSelect() {
  const explorer = useExplorer();
  const view = useLook((state) => state.view);
  return (
    <div className="w-28 shrink-0">
      <Select
        showLabel={false}
        size="dense"
        label="View"
        value={view}
        options={viewOptions}
        onChange={explorer.setView}
      />
    </div>
  );
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
  const { store, tree, isKept } = useExplorer();
  const { vs, colour, fields, withheldFields } = useLooks('vs', 'colour', 'fields', 'withheldFields');
  useLook((state) => state.treeVersion);
  return (
    <LabelledSelect
      label="Colour by"
      value={colour}
      options={colourChoices(tree, fields, colour, withheldFields, marksOf(!isKept, vs))}
      onChange={(next) => store.setState({ colour: next, steps: undefined })}
    />
  );
}

export function SizeSelect() {
  const { store, tree } = useExplorer();
  const { size, fields } = useLooks('size', 'fields');
  useLook((state) => state.treeVersion);
  return (
    <LabelledSelect
      label="Size by"
      value={size}
      options={sizeChoices(tree, fields, size)}
      onChange={(next) => store.setState({ size: next })}
    />
  );
}

/** The axes of the Opportunity chart. */
export function AxisSelects() {
  const { store, tree } = useExplorer();
  const { x, y, fields } = useLooks('x', 'y', 'fields');
  useLook((state) => state.treeVersion);
  return (
    <>
      <LabelledSelect
        label="X axis"
        value={x}
        options={axisChoices(tree, fields, x, y)}
        onChange={(next) => store.setState({ x: next, xs: undefined, tx: undefined })}
      />
      <LabelledSelect
        label="Y axis"
        value={y}
        options={axisChoices(tree, fields, y, x)}
        onChange={(next) => store.setState({ y: next, ys: undefined, ty: undefined })}
      />
      <AxisMenu />
    </>
  );
}

type LabelledProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
};

function LabelledSelect<T extends string>({ label, ...select }: LabelledProps<T>) {
  return (
    <div className="flex items-center gap-1.5">
      <span aria-hidden="true" className="text-small whitespace-nowrap text-muted">
        {label}
      </span>
      <div className="w-30">
        <Select showLabel={false} size="dense" label={label} {...select} />
      </div>
    </div>
  );
}

const helpLabel = 'Keyboard shortcuts';
const helpIcon = <CircleQuestionMark size={18} />;

/** @param isNamed whether it is in a menu, where there is room for its name */
export function Help({ isNamed = false }: { readonly isNamed?: boolean }) {
  const { store } = useExplorer();
  const open = () => store.setState({ helpOpen: true });
  if (isNamed) {
    return (
      <Button size="dense" variant="ghost" icon={helpIcon} className="justify-start px-1" onClick={open}>
        {helpLabel}
      </Button>
    );
  }
  return (
    <IconButton size="dense" label={helpLabel} onClick={open}>
      {helpIcon}
    </IconButton>
  );
}
