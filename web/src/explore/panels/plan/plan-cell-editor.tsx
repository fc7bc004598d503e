import type { PlanStatus } from '@kc/pack/vocabulary/choices';
import type { PlanChangeRequest } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { type PlanColumn, tagChange } from '../../model/plan-list.ts';
import { OwnerInput } from './owner-input.tsx';
import { ChoicesOf, fieldWords, problemOf, textLengths } from './plan-texts.tsx';
import { usePlan, useSaveOnUnmount } from './use-plan.ts';

export type EditedField = Exclude<PlanColumn['id'], 'name' | 'keywords' | 'volume' | 'covered'>;
export const isEdited = (id: PlanColumn['id']): id is EditedField =>
  !['name', 'keywords', 'volume', 'covered'].includes(id);

type EditorProps = {
  readonly entry: PlanEntry;
  readonly field: EditedField;
  /** @param seen the revision of the plan that was shown when the person began */
  readonly onSave: (change: Partial<PlanChangeRequest>, seen?: number) => void;
  /** The focus goes back to the grid if it is still here. */
  readonly onEnd: () => void;
};

const look =
  'absolute inset-x-0 top-0 z-20 w-full min-w-36 rounded-control border border-brand bg-surface px-2 text-small text-ink aria-invalid:border-bad touch:text-touch';

/** The editor of one cell: Enter or leaving it saves, Escape does not. */
export function PlanCellEditor(props: EditorProps) {
  if (props.field === 'status' || props.field === 'contentType') return <Choice {...props} />;
  return props.field === 'assignee' ? <OwnerCell {...props} /> : <Text {...props} />;
}

const stop = (event: SyntheticEvent): void => event.stopPropagation();

function OwnerCell({ entry, onSave, onEnd }: EditorProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and presses of the editor and its list are not those of the grid around it
    <div onKeyDown={stop} onPointerDown={stop} onMouseDown={stop} onClick={stop} className="contents">
      <OwnerInput
        label={`${fieldWords.assignee} of ${entry.path.at(-1)}`}
        owned={entry}
        onSave={(assignee, seen) => onSave({ set: { assignee } }, seen)}
        onEnd={onEnd}
        focusAtOnce
        className={`${look} h-9 touch:h-11`}
      />
    </div>
  );
}

function Choice({ entry, field, onSave, onEnd }: EditorProps) {
  const box = useRef<HTMLSelectElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <select
      ref={box}
      aria-label={`${fieldWords[field]} of ${entry.path.at(-1)}`}
      value={entry[field] as string}
      onChange={({ target: { value } }) => {
        if (value !== entry[field]) {
          const set = field === 'status' ? { status: value as PlanStatus } : { contentType: value as never };
          onSave({ set });
        }
        onEnd();
      }}
      onBlur={onEnd}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape' || event.key === 'Enter') {
          event.preventDefault();
          onEnd();
        }
      }}
      className={`${look} h-9 touch:h-11`}
    >
      <ChoicesOf field={field === 'status' ? field : 'contentType'} />
    </select>
  );
}

function Text({ entry, field: of, onSave, onEnd }: EditorProps) {
  const field = of as 'due' | 'url' | 'tags' | 'note';
  const plan = usePlan();
  /** What was there when the cell was opened: somebody else may change the field meanwhile. */
  const [opened] = useState(() => ({
    text: field === 'tags' ? entry.tags.join(', ') : entry[field],
    tags: entry.tags,
    revision: plan.store.getState().revision,
  }));
  const [text, setText] = useState(opened.text);
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isOver = useRef(false);
  const id = useId();
  useEffect(() => {
    box.current?.focus();
    box.current?.select?.();
  }, []);
  function end(isSaved: boolean): void {
    // Leaving the field after Enter or Escape is not another save.
    if (isOver.current) return;
    const value = field === 'note' ? text : text.trim();
    const wrong = isSaved ? problemOf(field, value) : undefined;
    setProblem(wrong);
    if (wrong !== undefined) return;
    isOver.current = true;
    if (isSaved && value !== opened.text)
      onSave(field === 'tags' ? tagChange(opened.tags, value) : { set: { [field]: value } }, opened.revision);
    onEnd();
  }
  useSaveOnUnmount(text === opened.text ? undefined : () => end(true));
  const input = {
    ref: box,
    id,
    value: text,
    maxLength: textLengths[field],
    'aria-label': `${fieldWords[field]} of ${entry.path.at(-1)}`,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
    onBlur: () => end(true),
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation();
      const isLine = event.key === 'Enter' && (field !== 'note' || event.metaKey || event.ctrlKey);
      if (!isLine && event.key !== 'Escape') return;
      event.preventDefault();
      end(isLine);
    },
  };
  return (
    <>
      {field === 'note' ? (
        <textarea {...input} rows={4} className={`${look} py-1.5 shadow-2`} />
      ) : (
        <input
          {...input}
          type={field === 'due' ? 'month' : 'text'}
          placeholder={field === 'tags' ? 'Tags, with commas between' : undefined}
          autoComplete="off"
          className={`${look} h-9 touch:h-11`}
        />
      )}
      {problem !== undefined && (
        <p
          id={`${id}-problem`}
          role="alert"
          className="absolute top-9 left-0 z-20 m-0 w-max max-w-72 rounded-control bg-bad-soft px-2 py-1 text-small text-bad shadow-2"
        >
          {problem}
        </p>
      )}
    </>
  );
}
