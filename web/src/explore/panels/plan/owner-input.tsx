import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import { limits } from '@kc/rules/limits';
import { deletedOwner, type Owner } from '@kc/rules/plan';
import { CircleUserRound, PenLine } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { popupClass, popupItemClass, useOverlayContainer } from '../../../ui/popup.tsx';
import { usePlan, usePlannedEntries, usePlanPeople, usePlanState, useSaveOnUnmount } from './use-plan.ts';

/** Whom an entry belongs to: a name, and the account of a person of this server. */
type Owned = { readonly assignee: string; readonly assigneeId?: string | undefined };
type Option = { readonly name: string; readonly owner: Owner; readonly isYou: boolean };

type Props = {
  readonly id?: string;
  /** Without a label element of its own. */
  readonly label?: string;
  readonly owned: Owned;
  /** @param seen the revision of the plan that was shown when the person began to type */
  readonly onSave: (owner: Owner, seen?: number) => void;
  /** The person is done, and leaves by key. */
  readonly onEnd?: () => void;
  readonly describedBy?: string | undefined;
  readonly focusAtOnce?: boolean;
  readonly className?: string;
};

const maxShown = 50;
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * The owner of an entry: one of the people of this server who share the map, or any text. The list has both, and what is
 * typed need not be in it. Enter and leaving the field save, Escape does not.
 */
export function OwnerInput(props: Props) {
  const { id, label, owned, onSave, onEnd, describedBy, focusAtOnce, className } = props;
  const container = useOverlayContainer();
  const options = useOptions();
  const plan = usePlan();
  const [typed, showTyped] = useState<string>();
  /** As of now: a choice takes the focus away before the next rendering. */
  const unsaved = useRef<{ readonly text: string; readonly seen: number }>(undefined);
  const setTyped = (text: string | undefined) => {
    const seen = unsaved.current?.seen ?? plan.store.getState().revision;
    unsaved.current = text === undefined ? undefined : { text, seen };
    showTyped(text);
  };
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<Option>();
  const text = typed ?? owned.assignee;
  const found = typed === undefined ? options : options.filter(({ name }) => includesText(name, typed));
  const person = typed === undefined ? owned.assigneeId !== undefined : isPerson(ownerOfText(typed, options));
  const take = ({ owner }: Option) => {
    const seen = unsaved.current?.seen;
    setTyped(undefined);
    if (!isSame(owner, owned)) onSave(owner, seen);
  };
  const save = () => {
    const typed = unsaved.current;
    if (typed === undefined) return;
    setTyped(undefined);
    // The name that was there still means the same, whoever else is called so.
    if (typed.text.trim() === owned.assignee) return;
    onSave(ownerOfText(typed.text, options), typed.seen);
  };
  useSaveOnUnmount(save);
  return (
    <Base.Root
      items={found.slice(0, maxShown)}
      mode="none"
      itemToStringValue={({ name }: Option) => name}
      value={text}
      // A chosen item and Escape are handled below.
      onValueChange={(next, { reason }) => reason === 'input-change' && setTyped(next)}
      open={isOpen && found.length > 0}
      onOpenChange={setOpen}
      onItemHighlighted={(option) => setActive(option as Option | undefined)}
      openOnInputClick
    >
      <Base.Input
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        autoFocus={focusAtOnce}
        autoComplete="off"
        maxLength={limits.maxPlanAssigneeLength}
        placeholder="Nobody"
        onFocus={(event) => focusAtOnce && event.currentTarget.select()}
        onBlur={() => {
          save();
          onEnd?.();
        }}
        onKeyDown={(event) => {
          const isListed = isOpen && found.length > 0;
          if (event.key === 'Enter' && !(isListed && active)) {
            setOpen(false);
            save();
            onEnd?.();
          } else if (event.key === 'Escape' && !isListed) {
            setTyped(undefined);
            onEnd?.();
          }
        }}
        className={className}
      />
      <Base.Portal container={container}>
        <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
            // The field keeps the focus: leaving it would save what was typed before the choice.
            onMouseDown={(event) => event.preventDefault()}
            className={classNames(
              popupClass,
              'flex max-h-[min(20rem,var(--available-height))] w-[max(17rem,var(--anchor-width))] max-w-[var(--available-width)] flex-col overflow-hidden',
            )}
          >
            <Base.List aria-label="Owners" className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5">
              {(option: Option) => (
                <Base.Item
                  key={keyOf(option.owner)}
                  value={option}
                  onClick={() => {
                    take(option);
                    onEnd?.();
                  }}
                  className={popupItemClass}
                >
                  {isPerson(option.owner) ? (
                    <CircleUserRound size={16} strokeWidth={2} className="shrink-0 text-brand" />
                  ) : (
                    <PenLine size={16} strokeWidth={2} className="shrink-0 text-muted" />
                  )}
                  <span className="min-w-0 flex-1 truncate">
                    <bdi>{option.name}</bdi>
                    <span className="text-muted">
                      {option.isYou ? ' · you' : isPerson(option.owner) ? '' : ' · no account'}
                    </span>
                  </span>
                </Base.Item>
              )}
            </Base.List>
            {typed !== undefined && typed.trim() !== '' && !person && (
              <p className="m-0 border-line border-t px-4 py-2 text-micro text-muted">
                Without a choice, “{typed.trim()}” stays a text.
              </p>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The people who can be owners, then the texts that are owners already. */
function useOptions(): readonly Option[] {
  const people = usePlanPeople();
  const entries = usePlannedEntries();
  const { you } = usePlanState();
  return useMemo(() => {
    const texts = new Set(entries.flatMap(({ assignee, assigneeId }) => (assigneeId === undefined ? [assignee] : [])));
    const ofPeople = people.map(({ id, name }) => ({ name, owner: { account: id }, isYou: id === you }));
    const ofTexts = [...texts]
      .filter((text) => text !== '')
      .sort(collator.compare)
      .map((text) => ({ name: text, owner: text, isYou: false }));
    return [...ofPeople, ...ofTexts];
  }, [people, entries, you]);
}

const isPerson = (owner: Owner): boolean => typeof owner !== 'string';
const keyOf = (owner: Owner): string => (typeof owner === 'string' ? `text ${owner}` : owner.account);
const includesText = (name: string, text: string): boolean =>
  name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());

/** What a typed text means: the only person with this name, or the text. */
function ownerOfText(text: string, options: readonly Pick<Option, 'name' | 'owner'>[]): Owner {
  const name = text.trim();
  const [only, ...more] = options.filter((one) => isPerson(one.owner) && collator.compare(one.name, name) === 0);
  return only && more.length === 0 && name !== '' && name !== deletedOwner ? only.owner : name;
}

const isSame = (owner: Owner, { assignee, assigneeId }: Owned): boolean =>
  typeof owner === 'string' ? assigneeId === undefined && owner === assignee : owner.account === assigneeId;
