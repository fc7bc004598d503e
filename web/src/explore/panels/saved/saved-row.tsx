import { limits } from '@kc/rules/limits';
import type { SavedView } from '@kc/rules/view-api';
import { ArrowDown, ArrowUp, Check, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { type DOMAttributes, type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useExplorer } from '../explorer-context.ts';

type Props = {
  readonly view: SavedView;
  /** Its index, counted from 0, and the number of rows. */
  readonly at: number;
  readonly of: number;
  readonly isDragged: boolean;
  readonly onOpen: () => void;
  readonly onRename: (name: string) => Promise<unknown>;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
  readonly onKey: (event: KeyboardEvent, onRename: () => void) => void;
  readonly grip: DOMAttributes<HTMLElement>;
};

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** One saved view. In edit mode, its name is a field and buttons move it. */
export function SavedRow({ view, at, of, isDragged, grip, onOpen, onRename, onMove, onRemove, onKey }: Props) {
  const [isEdited, setEdited] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEdited(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <li
      data-row=""
      className={classNames(
        'flex items-center gap-0.5 rounded-control',
        isDragged ? 'bg-brand-soft' : 'hover:bg-sunken',
      )}
    >
      {isEdited ? (
        <RenameForm view={view} onRename={onRename} onDone={close}>
          <IconButton size="dense" label={`Move up: ${view.name}`} disabled={at === 0} onClick={() => onMove(-1)}>
            <ArrowUp {...icon} />
          </IconButton>
          <IconButton size="dense" label={`Move down: ${view.name}`} disabled={at === of - 1} onClick={() => onMove(1)}>
            <ArrowDown {...icon} />
          </IconButton>
        </RenameForm>
      ) : (
        <>
          <span
            aria-hidden="true"
            title="Drag to another place"
            className={classNames(iconButtonClass('dense'), 'w-6 cursor-grab touch-none touch:w-7')}
            {...grip}
          >
            <GripVertical {...icon} />
          </span>
          <button
            ref={opener}
            type="button"
            data-open=""
            dir="auto"
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown F2 Delete"
            onClick={onOpen}
            onKeyDown={(event) => onKey(event, () => setEdited(true))}
            className="flex min-h-9 min-w-0 flex-1 items-baseline gap-2 rounded-control px-1 py-1.5 text-left text-body text-ink focus-visible:-outline-offset-2 touch:min-h-11 touch:items-center"
          >
            <span className="w-5 shrink-0 text-right text-micro text-muted tabular-nums">{at + 1}</span>
            <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{view.name}</span>
          </button>
          <IconButton size="dense" label={`Rename or move: ${view.name}`} onClick={() => setEdited(true)}>
            <Pencil {...icon} />
          </IconButton>
          <IconButton size="dense" label={`Delete: ${view.name}`} onClick={onRemove}>
            <Trash2 {...icon} />
          </IconButton>
        </>
      )}
    </li>
  );
}

type FormProps = Pick<Props, 'view' | 'onRename'> & {
  readonly onDone: () => void;
  readonly children: React.ReactNode;
};

function RenameForm({ view, onRename, onDone, children }: FormProps) {
  const explorer = useExplorer();
  const [typed, setTyped] = useState(view.name);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === view.name) return onDone();
    onRename(typed).then(onDone, (failure: unknown) => setError(explorer.explain(failure)));
  };
  return (
    <form noValidate onSubmit={submit} className="flex min-w-0 flex-1 flex-wrap items-center gap-0.5 py-0.5 pl-2">
      <input
        aria-label={`New name of ${view.name}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `renamed-${view.id}` : undefined}
        dir="auto"
        autoComplete="off"
        maxLength={limits.maxViewNameLength}
        // biome-ignore lint/a11y/noAutofocus: the user asked to type here
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone();
        }}
        className="h-9 min-w-0 flex-1 rounded-control border border-line-strong bg-surface px-2 text-body text-ink focus-visible:-outline-offset-2 aria-invalid:border-bad touch:h-11 touch:text-touch"
      />
      {children}
      <button type="submit" aria-label={`Done: ${view.name}`} className={iconButtonClass('dense')}>
        <Check {...icon} />
      </button>
      {error && (
        <p id={`renamed-${view.id}`} role="alert" className="m-0 basis-full text-small text-bad">
          {error}
        </p>
      )}
    </form>
  );
}
