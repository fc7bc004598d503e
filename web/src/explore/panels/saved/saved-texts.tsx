import { say } from '@kc/rules/explorer-messages';
import { limits } from '@kc/rules/limits';
import { Check, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { Button, iconButtonClass } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { SavedText } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';
import type { SavedTexts } from './use-saved-texts.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

export type SavedTextsProps = {
  readonly saved: SavedTexts;
  /** The canonical text of what is set, empty for nothing. */
  readonly current: string;
  /** A name for it. */
  readonly suggested: string;
  readonly words: {
    /** Shown while nothing is saved and nothing is set. */
    readonly empty: string;
    readonly saveAs: string;
    readonly save: string;
  };
  readonly onApply: (text: string) => void;
};

/** What the user saved under names, and a field that saves what is set. */
export function SavedTextList({ saved, current, suggested, words, onApply }: SavedTextsProps) {
  const explorer = useExplorer();
  const toast = useToast();
  const list = useRef<HTMLUListElement>(null);
  const { texts, error } = saved;

  async function remove(preset: SavedText): Promise<void> {
    const at = texts?.indexOf(preset) ?? 0;
    try {
      await saved.remove(preset.id);
    } catch (failure) {
      toast(explorer.explain(failure));
      return;
    }
    const { name } = preset;
    const restore = () => saved.save(name, preset.text);
    toast(say('explore/preset-deleted', { name }), {
      label: 'Undo',
      onAction: () =>
        void restore().then(
          () => toast(say('explore/preset-restored', { name })),
          (failure: unknown) => toast(explorer.explain(failure)),
        ),
    });
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>('[data-apply]') ?? [];
      rows[Math.min(at, rows.length - 1)]?.focus();
    });
  }

  return (
    <>
      {error && (
        <p role="alert" className="m-0 text-small text-bad">
          {explorer.explain(error)}
        </p>
      )}
      {texts?.length === 0 && current === '' && <p className="m-0 text-micro text-muted">{words.empty}</p>}
      {texts && texts.length > 0 && (
        <ul ref={list} className="-mx-2 m-0 mb-2 list-none p-0">
          {texts.map((preset) => (
            <Row
              key={preset.id}
              preset={preset}
              isCurrent={preset.text === current}
              saved={saved}
              onApply={() => onApply(preset.text)}
              onRemove={() => void remove(preset)}
            />
          ))}
        </ul>
      )}
      {texts && current !== '' && (
        <SaveForm key={current} current={current} suggested={suggested} words={words} saved={saved} texts={texts} />
      )}
    </>
  );
}

type RowProps = {
  readonly preset: SavedText;
  readonly isCurrent: boolean;
  readonly saved: SavedTexts;
  readonly onApply: () => void;
  readonly onRemove: () => void;
};

function Row({ preset, isCurrent, saved, onApply, onRemove }: RowProps) {
  const [isEdited, setEdited] = useState(false);
  const apply = useRef<HTMLButtonElement>(null);
  const { name } = preset;
  if (isEdited) {
    const close = () => {
      setEdited(false);
      requestAnimationFrame(() => apply.current?.focus());
    };
    return <RenameForm preset={preset} saved={saved} onDone={close} />;
  }
  return (
    <li className="flex items-center gap-0.5 rounded-control hover:bg-sunken">
      <button
        ref={apply}
        type="button"
        dir="auto"
        data-apply=""
        aria-pressed={isCurrent}
        onClick={onApply}
        className="line-clamp-2 min-h-9 min-w-0 flex-1 rounded-control px-2 py-1.5 text-left text-small wrap-anywhere aria-pressed:font-semibold aria-pressed:text-brand-ink touch:min-h-11"
      >
        {name}
      </button>
      <IconButton size="dense" label={`Rename: ${name}`} onClick={() => setEdited(true)}>
        <Pencil {...icon} />
      </IconButton>
      <IconButton size="dense" label={`Delete: ${name}`} onClick={onRemove}>
        <Trash2 {...icon} />
      </IconButton>
    </li>
  );
}

type RenameProps = Pick<RowProps, 'preset' | 'saved'> & { readonly onDone: () => void };

function RenameForm({ preset, saved, onDone }: RenameProps) {
  const explorer = useExplorer();
  const [typed, setTyped] = useState(preset.name);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === preset.name) return onDone();
    saved.rename(preset.id, typed).then(onDone, (failure: unknown) => setError(explorer.explain(failure)));
  };
  return (
    <li className="px-2 py-1">
      <form noValidate onSubmit={submit}>
        <Field
          label={`New name of ${preset.name}`}
          dir="auto"
          autoComplete="off"
          maxLength={limits.maxPresetNameLength}
          autoFocus
          value={typed}
          error={error}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            onDone();
          }}
          trailing={
            <button type="submit" aria-label={`Done: ${preset.name}`} className={iconButtonClass('dense')}>
              <Check {...icon} />
            </button>
          }
        />
      </form>
    </li>
  );
}

type SaveProps = Pick<SavedTextsProps, 'current' | 'suggested' | 'words' | 'saved'> & {
  readonly texts: readonly SavedText[];
};

function SaveForm({ current, suggested, words, saved, texts }: SaveProps) {
  const explorer = useExplorer();
  const toast = useToast();
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const same = texts.find(({ text }) => text === current);

  async function save(): Promise<void> {
    setSaving(true);
    try {
      const { name } = await saved.save(typed ?? suggested, current);
      setError(undefined);
      toast(say('explore/preset-saved', { name }));
    } catch (failure) {
      setError(explorer.explain(failure));
    } finally {
      setSaving(false);
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  if (same) return <p className="m-0 text-micro text-muted">{`Saved as “${same.name}”`}</p>;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <Field
        label={words.saveAs}
        dir="auto"
        autoComplete="off"
        maxLength={limits.maxPresetNameLength}
        value={typed ?? suggested}
        error={error}
        onChange={({ target }) => {
          setTyped(target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" size="dense" className="self-end">
        {isSaving ? 'Saving...' : words.save}
      </Button>
    </form>
  );
}
