import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useTheme } from '../../ui/theme.ts';
import { legendFor } from '../draw/legend.ts';
import { compact } from '../numbers.ts';
import { none } from '../state/explorer-state.ts';
import { colourOptions } from './controls.tsx';
import { useExplorer, useLook } from './explorer-context.ts';

/** What the colours stand for. Pillar topics light up under the pointer and are selected with a click. */
export function Legend() {
  const explorer = useExplorer();
  const colour = useLook((state) => state.colour);
  useLook((state) => state.treeVersion);
  const theme = useTheme();
  // The outline names the pillar topics too; any other scale says nothing without its legend.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? colour !== 'pillar';
  const entries = legendFor(explorer.tree, colour, theme);
  const title = colourOptions.find((option) => option.value === colour)?.label ?? '';
  if (entries.length === 0) return null;
  return (
    <section
      aria-label="Legend"
      className="w-44 overflow-hidden rounded-card border border-line bg-surface text-small shadow-1"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex h-8 w-full items-center gap-2 px-3 font-semibold text-ink hover:bg-sunken focus-visible:-outline-offset-2 touch:h-11"
      >
        <span className="flex-1 truncate text-left">{title}</span>
        <ChevronDown
          size={14}
          aria-hidden="true"
          className={classNames('motion transition-transform duration-150', !isOpen && '-rotate-90')}
        />
      </button>
      {isOpen && (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
          tabIndex={0}
          aria-label={title}
          className="m-0 max-h-48 list-none overflow-y-auto p-0 px-1.5 pb-1.5 focus-visible:-outline-offset-2"
        >
          {entries.map((entry) => (
            <li key={entry.label}>
              <LegendLine
                row={entry.row}
                onHover={(on) => explorer.hover(on ? entry.row : none)}
                onSelect={() => explorer.select(entry.row)}
              >
                <Swatch colour={entry.colour} isUnknown={entry.unknown} />
                <span className="min-w-0 flex-1 truncate text-left">{entry.label}</span>
                {entry.keywords !== undefined && (
                  <span className="text-micro text-muted">{compact(entry.keywords)}</span>
                )}
              </LegendLine>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type LineProps = {
  readonly row: number;
  readonly onHover: (on: boolean) => void;
  readonly onSelect: () => void;
  readonly children: React.ReactNode;
};

function LegendLine({ row, onHover, onSelect, children }: LineProps) {
  const look = 'flex min-h-6 w-full items-center gap-2 rounded-chip px-1.5';
  if (row === none) return <span className={look}>{children}</span>;
  return (
    <button
      type="button"
      className={`${look} hover:bg-sunken focus-visible:-outline-offset-2 touch:min-h-9`}
      onClick={onSelect}
      onPointerEnter={() => onHover(true)}
      onPointerLeave={() => onHover(false)}
    >
      {children}
    </button>
  );
}

function Swatch({ colour, isUnknown }: { colour: string; isUnknown: boolean }) {
  const background = isUnknown ? `repeating-linear-gradient(45deg, ${colour} 0 2px, transparent 2px 4px)` : colour;
  return (
    <span
      aria-hidden="true"
      className="size-3 shrink-0 rounded-[3px] border border-line"
      style={{ background, forcedColorAdjust: 'none' }}
    />
  );
}
