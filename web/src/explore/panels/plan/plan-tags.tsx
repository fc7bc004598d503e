import { limits } from '@kc/rules/limits';
import { cleanLine } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { fieldWords } from './plan-words.tsx';
import { usePlan } from './use-plan.ts';

/** The tags of an entry, each with a button that removes it, and a field that adds one. */
export function PlanTags({ entry, children }: { readonly entry: PlanEntry; readonly children: ReactNode }) {
  const plan = usePlan();
  const id = useId();
  const [typed, setTyped] = useState('');
  const change = (wanted: { addTags?: string[]; removeTags?: string[] }) => plan.change([{ entry: entry.id }], wanted);
  const add = () => {
    const tag = cleanLine(typed);
    setTyped('');
    if (tag !== '' && !entry.tags.includes(tag)) change({ addTags: [tag] });
  };
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
                <X size={14} aria-hidden="true" />
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
      {children}
    </div>
  );
}
