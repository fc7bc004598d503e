import { Menu } from '@base-ui/react/menu';
import { apostropheNote } from '@kc/rules/spreadsheet-cell';
import {
  ClipboardList,
  FileJson,
  FileSpreadsheet,
  FileText,
  ImageDown,
  Image as ImageIcon,
  Link2,
  Presentation,
  Printer,
  Send,
  Shapes,
  Star,
  UserRoundPlus,
} from 'lucide-react';
import { type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';
import { keyName } from '../../../ui/key-names.ts';
import { useOverlayContainer } from '../../../ui/overlay-region.tsx';
import { popupClass, popupItemClass } from '../../../ui/popup-style.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { counted } from '../../format/numbers.ts';
import { listedChildren } from '../../model/table-order.ts';
import { none } from '../../tree-data/no-row.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { ExplorerPartsContext } from '../explorer-parts.ts';
import { outlineRows } from '../outline/outline-rows.ts';
import { openSaved } from '../saved-views/open-saved.ts';
import { linkToView, useCopy } from './copy.ts';
import { useShareActions } from './share-actions.ts';
import { hasPicture } from './shown-picture.ts';
import { shownRows } from './shown-rows.ts';

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  /** Undefined for the table, and for the points of a level. */
  readonly stage: Stage | undefined;
  readonly byKey: boolean;
  readonly onClose: () => void;
};

const scales = [1, 2, 4] as const;
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Exports the view: as a link, as an image, as data. */
export function ShareMenu({ button, stage, byKey, onClose }: Props) {
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const container = useOverlayContainer();
  const popup = useRef<HTMLDivElement>(null);
  const copy = useCopy();
  const actions = useShareActions();
  const { onShareWithPerson } = useContext(ExplorerPartsContext);
  const selected = useLook((state) => state.selected);
  const focus = useLook((state) => state.focus);
  const isFiltered = useLook((state) => state.filter !== '');
  const whole = isFiltered ? 'all matches' : 'everything';
  const branch = selected !== none && tree.childCount[selected]! > 0 && !tree.isLeftOut(selected) ? selected : focus;
  useEffect(() => {
    if (!byKey) return;
    const frame = requestAnimationFrame(() => popup.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [byKey]);
  const sight = stage?.sight();
  const rows = (): readonly number[] => {
    const { expanded, tableSort, ranked } = store.getState();
    const lines = () =>
      outlineRows(tree, focus, new Set([...expanded, focus]), listedChildren(tree, tableSort, ranked));
    const shown =
      stage && sight ? shownRows(sight.marks) : lines().flatMap((line) => (line.kind === 'node' ? [line.row] : []));
    return shown.filter((row) => !tree.isLeftOut(row));
  };
  return (
    <Menu.Root
      open
      onOpenChange={(open, { event }) => {
        // The button itself closes the menu that it opened.
        if (!open && !(event.target instanceof Node && button.current?.contains(event.target))) onClose();
      }}
    >
      <Menu.Portal container={container}>
        <Menu.Positioner
          anchor={button}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          // Rotating a phone may move the button out of view, but must not take the menu with it.
          collisionAvoidance={{ side: 'flip', align: 'shift' }}
          sticky
          className="z-50 outline-none"
        >
          <Menu.Popup
            ref={popup}
            aria-label="Share"
            finalFocus={button}
            className={`${popupClass} max-h-[var(--available-height)] w-80 max-w-[calc(100vw-1rem)] overflow-y-auto p-1.5`}
          >
            {explorer.isKept && (
              <>
                <Group title="Link">
                  <Item
                    icon={<Link2 {...icon} />}
                    keys={keyName('⌘⇧L')}
                    onSelect={() => copy(linkToView(explorer), 'explore/link-copied')}
                  >
                    Copy link
                  </Item>
                  <p className="m-0 px-3 pb-1.5 text-micro text-muted">
                    It opens exactly this view, for whoever signs in and has access to this visualization.
                  </p>
                  {onShareWithPerson && (
                    <Item icon={<UserRoundPlus {...icon} />} onSelect={onShareWithPerson}>
                      Share with a person…
                    </Item>
                  )}
                </Group>
                <Group title="Saved views">
                  <Item icon={<Star {...icon} />} keys="⇧S" onSelect={openSaved}>
                    Save this view
                  </Item>
                  <Item
                    icon={<Presentation {...icon} />}
                    keys="P"
                    onSelect={() => explorer.store.setState({ presenting: true })}
                  >
                    Present the saved views
                  </Item>
                </Group>
              </>
            )}
            <Group title="For other people">
              {!explorer.isDraft && (
                <Item icon={<Send {...icon} />} onSelect={() => store.setState({ handingOver: true })}>
                  Hand over…
                </Item>
              )}
              <Item icon={<FileText {...icon} />} onSelect={() => store.setState({ reporting: true })}>
                Print report…
              </Item>
            </Group>
            <Group title="Picture">
              {hasPicture(explorer, stage) ? (
                <>
                  <Item icon={<ImageIcon {...icon} />} onSelect={() => actions.copyImage(stage)}>
                    Copy image
                  </Item>
                  {scales.map((scale) => (
                    <Item key={scale} icon={<ImageDown {...icon} />} onSelect={() => actions.png(stage, scale)}>
                      {`Download PNG ${scale}×`}
                    </Item>
                  ))}
                  <Item icon={<Shapes {...icon} />} onSelect={() => actions.svg(stage)}>
                    Download SVG
                  </Item>
                  <Item icon={<Printer {...icon} />} onSelect={() => actions.print(stage)}>
                    Print
                  </Item>
                </>
              ) : (
                <p className="m-0 px-3 pb-1.5 text-micro text-muted">
                  The table cannot be saved as an image. Choose another view.
                </p>
              )}
            </Group>
            <Group title="Data">
              <Item icon={<FileSpreadsheet {...icon} />} onSelect={() => actions.table(rows(), 'shown')}>
                CSV of what is shown
              </Item>
              {branch !== 0 && (
                <Item icon={<FileSpreadsheet {...icon} />} onSelect={() => actions.branch('csv', branch)}>
                  CSV of “<bdi>{tree.name(branch)}</bdi>”
                </Item>
              )}
              <Item
                icon={<FileSpreadsheet {...icon} />}
                detail={isFiltered ? counted(tree.keywords[0]!, 'keyword') : counted(explorer.nodes, 'row')}
                onSelect={() => actions.branch('csv', 0)}
              >
                CSV of {whole}
              </Item>
              {(['keywords', 'clusters'] as const).map((kind) => (
                <Item
                  key={kind}
                  icon={<FileSpreadsheet {...icon} />}
                  onSelect={() => actions.branch('csv', branch, kind)}
                >
                  {branch === 0 ? (
                    `CSV of ${isFiltered ? 'matching' : 'all'} ${kind}`
                  ) : (
                    <>
                      CSV of {kind} in “<bdi>{tree.name(branch)}</bdi>”
                    </>
                  )}
                </Item>
              ))}
              {explorer.guest === undefined && (
                <Item icon={<FileJson {...icon} />} onSelect={() => actions.branch('json', branch)}>
                  {branch === 0 ? (
                    `JSON of ${whole}`
                  ) : (
                    <>
                      JSON of “<bdi>{tree.name(branch)}</bdi>”
                    </>
                  )}
                </Item>
              )}
              <Item icon={<ClipboardList {...icon} />} keys={keyName('⌘C')} onSelect={() => actions.copyList(branch)}>
                Copy as a list
              </Item>
              <p className="m-0 px-3 pb-1.5 text-micro text-muted">
                Figures are those of the file. Averages are rounded to six digits. {apostropheNote}
              </p>
            </Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Menu.Group className="border-line not-first:mt-1 not-first:border-t not-first:pt-1">
      <Menu.GroupLabel className="px-3 pt-1 pb-0.5 text-micro font-medium text-muted">{title}</Menu.GroupLabel>
      {children}
    </Menu.Group>
  );
}

type ItemProps = {
  readonly icon: ReactNode;
  readonly keys?: string;
  readonly detail?: string;
  readonly onSelect: () => void;
  readonly children: ReactNode;
};

function Item({ icon: sign, keys, detail, onSelect, children }: ItemProps) {
  return (
    <Menu.Item className={popupItemClass} onClick={onSelect}>
      {sign}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {detail && <span className="text-micro text-muted">{detail}</span>}
      {keys && (
        <span aria-hidden="true" className="text-micro text-muted touch:hidden">
          {keys}
        </span>
      )}
    </Menu.Item>
  );
}
