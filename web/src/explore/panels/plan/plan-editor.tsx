import { planStatuses } from '@kc/pack/vocabulary/choices';
import { limits } from '@kc/rules/limits';
import { cleanLine, contentTypes, type PlanChangeRequest, type PlanField, type PlanFields } from '@kc/rules/plan';
import type { PlanLinks as Links, PlanEntry } from '@kc/rules/plan-shapes';
import { useQuery } from '@tanstack/react-query';
import { Trash2, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { dateText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { Select } from '../../../ui/select.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { pendingFields } from '../../model/plan-state.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { BriefMenu } from '../handover/brief-menu.tsx';
import { OwnerInput } from './owner-input.tsx';
import { openEntry, removeEntries } from './plan-actions.ts';
import {
  explainPlan,
  FieldConflict,
  fieldWords,
  problemOf,
  StatusIcon,
  sayPlan,
  statusWords,
  textLengths,
  valueText,
} from './plan-texts.tsx';
import { useDefaultKeyword, usePlan, usePlanAnswer, usePlanState, useSaveOnUnmount } from './use-plan.ts';

/** @param seen the revision that was shown when somebody began to type */
type Set = <F extends Exclude<PlanField, 'tags' | 'assignee'>>(field: F, value: PlanFields[F], seen?: number) => void;

/** The fields of an entry. Each is saved by itself when it is left. */
export function PlanEditor({ entry }: { readonly entry: PlanEntry }) {
  const explorer = useExplorer();
  const toast = useToast();
  const fields = useFieldsOf(entry);
  const { set, note } = fields;
  const defaultKeyword = useDefaultKeyword(entry);
  const title = useId();
  return (
    <section aria-labelledby={title} className="flex flex-col gap-3 rounded-card border border-line p-3">
      <div className="flex items-start gap-2">
        <h3 id={title} dir="auto" className="m-0 min-w-0 flex-1 text-body font-semibold wrap-anywhere">
          {entry.path.at(-1)}
        </h3>
        {entry.node !== undefined && <BriefMenu nodes={[entry.node]} />}
        <Button
          size="dense"
          variant="danger-ghost"
          icon={<Trash2 size={16} strokeWidth={2} />}
          onClick={() => removeEntries(explorer, [entry], toast)}
        >
          Remove
        </Button>
      </div>
      <JustChanged entry={entry} />
      <StatusField of={fields} />
      <OwnerField of={fields} />
      <TextLine of={fields} field="due" type="month" placeholder="2026-12" />
      <div>
        <Select
          label={fieldWords.contentType}
          value={entry.contentType === '' ? 'None' : entry.contentType}
          options={['None' as const, ...contentTypes].map((value) => ({ value, label: value }))}
          onChange={(value) => set('contentType', value === 'None' ? '' : value)}
        />
        {note('contentType')}
      </div>
      <TextLine of={fields} field="url" />
      <TextLine of={fields} field="primaryKeyword" placeholder={defaultKeyword}>
        {entry.primaryKeyword === '' && entry.kind === 'branch' && defaultKeyword !== undefined && (
          <p className="m-0 text-micro text-muted">The keyword with the highest volume, unless you enter another.</p>
        )}
      </TextLine>
      <PlanTags of={fields} />
      <TextLine of={fields} field="note" />
      <PlanLinks entry={entry} />
      <PlanHistory entry={entry} />
    </section>
  );
}

/** The fields of an entry that a colleague may change whose link allows it: `writerFields`. */
export function WriterFields({ entry }: { readonly entry: PlanEntry }) {
  const fields = useFieldsOf(entry);
  return (
    <>
      <StatusField of={fields} />
      <OwnerField of={fields} />
      <TextLine of={fields} field="note" />
    </>
  );
}

type FieldProps = { readonly of: ReturnType<typeof useFieldsOf> };

/** An entry, what sets a field of it, and what is said below one: that it is not saved yet, or that somebody else was faster. */
function useFieldsOf(entry: PlanEntry) {
  const plan = usePlan();
  const waiting = pendingFields(usePlanState(), entry.id);
  const set: Set = (field, value, seen) => {
    if (entry[field] !== value) plan.change([{ entry: entry.id }], { set: { [field]: value } }, seen);
  };
  const note = (field: PlanField) => (
    <>
      {waiting.has(field) && <p className="m-0 text-micro text-muted">Not saved yet</p>}
      <FieldConflict entry={entry} field={field} />
    </>
  );
  return { entry, set, note };
}

/** Who has just changed an entry, while it is news. */
export function JustChanged({ entry }: { readonly entry: PlanEntry }) {
  const { recentWriters, people } = usePlanState();
  const writer = recentWriters.get(entry.id);
  if (writer === undefined) return null;
  return (
    <p role="status" className="m-0 rounded-control bg-info-soft px-2 py-1 text-small text-info">
      {sayPlan('plan/changed-by', { name: people.get(writer) ?? 'a deleted account' })}
    </p>
  );
}

function OwnerField({ of: { entry, note } }: FieldProps) {
  const plan = usePlan();
  const { you } = usePlanState();
  const id = useId();
  const isOther = entry.assigneeId !== undefined && entry.assigneeId !== you;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-small font-medium">
        {fieldWords.assignee}
      </label>
      <OwnerInput
        id={id}
        owned={entry}
        onSave={(assignee, seen) => plan.change([{ entry: entry.id }], { set: { assignee } }, seen)}
        describedBy={isOther ? `${id}-hint` : undefined}
        className={`${inputLook} h-10 touch:h-11`}
      />
      {isOther && (
        <p id={`${id}-hint`} className="m-0 text-micro text-muted">
          Has an account here, and is told by mail.
        </p>
      )}
      {note('assignee')}
    </div>
  );
}

function StatusField({ of: { entry, set, note } }: FieldProps) {
  const { store } = useExplorer();
  const edits = useLook((look) => look.planEditRequests);
  const place = useRef<HTMLFieldSetElement>(null);
  // E may have been pressed before this was on the screen.
  useEffect(() => {
    if (edits === 0) return;
    place.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
    store.setState({ planEditRequests: 0 });
  }, [edits, store]);
  return (
    <fieldset ref={place} className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1.5 p-0 text-small font-medium">{fieldWords.status}</legend>
      <div className="grid grid-cols-2 gap-1">
        {planStatuses.map((status) => (
          <label
            key={status}
            className="inline-flex h-9 cursor-pointer items-center gap-1.5 rounded-control border border-line px-2 text-small hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-checked:font-medium has-checked:text-brand-ink has-focus-visible:outline-2 has-focus-visible:outline-brand touch:h-11"
          >
            <input
              type="radio"
              name={`status ${entry.id}`}
              checked={entry.status === status}
              onChange={() => set('status', status)}
              className="sr-only"
            />
            <StatusIcon status={status} />
            {statusWords[status]}
          </label>
        ))}
      </div>
      {note('status')}
    </fieldset>
  );
}

type TextLineProps = FieldProps & {
  readonly field: 'due' | 'url' | 'primaryKeyword' | 'note';
  readonly type?: string;
  /** Shown while it is empty. */
  readonly placeholder?: string | undefined;
  readonly children?: ReactNode;
};

const inputLook =
  'w-full rounded-control border border-line-strong bg-surface px-3 text-body text-ink aria-invalid:border-bad touch:text-touch';

/** A text that is saved when it is left or with Enter. While it is being typed, a newer value does not replace it. */
function TextLine({ of: { entry, set, note }, field, type = 'text', placeholder, children }: TextLineProps) {
  const id = useId();
  const plan = usePlan();
  const [typed, setTyped] = useState<string>();
  /** The revision of the plan when typing began: somebody else may change the field meanwhile. */
  const seen = useRef<number>(undefined);
  const text = typed ?? entry[field];
  const [error, setError] = useState<string>();
  const save = () => {
    const problem = problemOf(field, text);
    setError(problem);
    if (problem !== undefined) return;
    setTyped(undefined);
    set(field, text, seen.current);
    seen.current = undefined;
  };
  useSaveOnUnmount(typed === undefined ? undefined : save);
  const input = {
    id,
    value: text,
    maxLength: textLengths[field],
    placeholder,
    onBlur: save,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    onChange(event: { target: { value: string } }) {
      seen.current ??= plan.store.getState().revision;
      setTyped(event.target.value);
    },
    className: inputLook,
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-small font-medium">
        {fieldWords[field]}
      </label>
      {field === 'note' ? (
        <textarea {...input} rows={3} className={`${input.className} py-2`} />
      ) : (
        <input
          {...input}
          type={type}
          autoComplete="off"
          onKeyDown={(event) => event.key === 'Enter' && save()}
          className={`${input.className} h-10 touch:h-11`}
        />
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="m-0 text-small text-bad">
          {error}
        </p>
      )}
      {children}
      {note(field)}
    </div>
  );
}

/** Who changed what in an entry, newest first. Each earlier value can be restored. */
function PlanHistory({ entry }: { readonly entry: PlanEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button size="dense" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        History
      </Button>
      {isOpen && <HistoryLines entry={entry} />}
    </div>
  );
}

function HistoryLines({ entry }: { readonly entry: PlanEntry }) {
  const explorer = useExplorer();
  const plan = usePlan();
  const { data, error } = useQuery({
    queryKey: ['plan history', entry.id, entry.rev],
    queryFn: () => plan.calls.history({ entry: entry.id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <p className="m-0 text-small text-bad">{explainPlan(explorer, error)}</p>;
  if (!data) return <Skeleton className="h-16" />;
  const names = new Map(data.people.map(({ id, name }) => [id, name]));
  const restore = (field: string, value: unknown) => {
    if (field !== 'tags') {
      plan.change([{ entry: entry.id }], { set: { [field]: value } as PlanChangeRequest['set'] });
      return;
    }
    const tags = value as readonly string[];
    plan.change([{ entry: entry.id }], {
      addTags: tags.filter((tag) => !entry.tags.includes(tag)),
      removeTags: entry.tags.filter((tag) => !tags.includes(tag)),
    });
  };
  return (
    <ol aria-label="History" className="m-0 mt-2 flex list-none flex-col gap-2 p-0">
      {data.lines.map(({ revision, field, before, after, by, at }) => {
        const isValue = field !== 'path' && field !== 'isPlanned';
        return (
          <li key={`${revision} ${field}`} className="border-l-2 border-line pl-2 text-small">
            <span className="text-micro text-muted">
              {names.get(by) ?? 'A deleted account'} · {dateText(at)}
            </span>
            <span className="block whitespace-pre-wrap wrap-anywhere">
              {field === 'path' ? 'Place' : fieldWords[field as PlanField]}: {valueText(field, before, names)} →{' '}
              {valueText(field, after, names)}
            </span>
            {isValue && (
              <Button
                size="dense"
                variant="ghost"
                aria-label={`Restore this value: ${fieldWords[field as PlanField]} ${valueText(field, before, names)}`}
                onClick={() => restore(field, before)}
              >
                Restore this value
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** The tags of an entry, each with a button that removes it, and a field that adds one. */
function PlanTags({ of: { entry, note } }: FieldProps) {
  const plan = usePlan();
  const id = useId();
  const [typed, setTyped] = useState('');
  const change = (tags: { addTags?: string[]; removeTags?: string[] }) => plan.change([{ entry: entry.id }], tags);
  const add = () => {
    const tag = cleanLine(typed);
    setTyped('');
    if (tag !== '' && !entry.tags.includes(tag)) change({ addTags: [tag] });
  };
  useSaveOnUnmount(typed === '' ? undefined : add);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-small font-medium">
        {fieldWords.tags}
      </label>
      {entry.tags.length > 0 && (
        <ul aria-label={fieldWords.tags} className="m-0 flex list-none flex-wrap gap-1 p-0">
          {entry.tags.map((tag) => (
            <li key={tag} className="inline-flex items-center gap-1 rounded-full bg-sunken pl-2.5 text-small">
              <bdi>{tag}</bdi>
              <button
                type="button"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => change({ removeTags: [tag] })}
                className="inline-flex size-7 items-center justify-center rounded-full hover:bg-line touch:size-11"
              >
                <X size={14} strokeWidth={2} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        value={typed}
        maxLength={limits.maxPlanTagLength}
        placeholder="Add a tag and press Enter"
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={add}
        onKeyDown={(event) => event.key === 'Enter' && add()}
        className="h-10 w-full rounded-control border border-line-strong bg-surface px-3 text-body text-ink placeholder:text-muted touch:h-11 touch:text-touch"
      />
      {note('tags')}
    </div>
  );
}

/**
 * The links that the page of an entry should have, and those that should lead to it, each with the text to link. Nothing where
 * the file does not say what is similar.
 */
function PlanLinks({ entry }: { readonly entry: PlanEntry }) {
  const { data } = usePlanAnswer('plan links', entry.id, (calls) => calls.links({ entry: entry.id }));
  const links = data?.links;
  if (!links) return null;
  return (
    <>
      <LinkList title="Link from here to" links={links.to} />
      <LinkList title="Link to here from" links={links.from} />
    </>
  );
}

/** Each line leads to the other entry. */
function LinkList({ title, links }: { readonly title: string; readonly links: NonNullable<Links['links']>['to'] }) {
  const explorer = useExplorer();
  const { entries } = usePlanState();
  const heading = useId();
  const known = links.flatMap(({ entry, anchor }) => {
    const other = entries.get(entry);
    return other ? [{ other, anchor }] : [];
  });
  if (known.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-1">
      <h4 id={heading} className="m-0 text-small font-medium">
        {title}
      </h4>
      <ul className="m-0 -mx-2 list-none p-0">
        {known.map(({ other, anchor }) => (
          <li key={other.id}>
            <button
              type="button"
              title={other.path.join(' › ')}
              onClick={() => openEntry(explorer, other)}
              className="flex min-h-8 w-full flex-wrap items-baseline gap-x-2 rounded-chip px-2 py-1 text-left text-small hover:bg-sunken touch:min-h-11"
            >
              <bdi className="text-brand-ink wrap-anywhere">{other.path.at(-1)}</bdi>
              <span className="text-micro text-muted wrap-anywhere">
                with the text “<bdi>{anchor}</bdi>”
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
