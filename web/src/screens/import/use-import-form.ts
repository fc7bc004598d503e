import type { Corrections } from '@kc/cluster/read/reading';
import { say } from '@kc/rules/all-messages';
import { useRef, useState } from 'react';
import { type Correction, corrected, isCorrected } from './corrections.ts';
import { firstChoices, type ImportChoices } from './import-choices.ts';
import { haveEqualBytes, resultsAmong, sortFiles } from './import-files.ts';
import type { ChosenList } from './use-preview.ts';

/** The lists and choices for an import, until it is sent or cancelled. */
export function useImportForm() {
  const [lists, setLists] = useState<readonly ChosenList[]>([]);
  const [choices, setChoices] = useState<ImportChoices>(firstChoices);
  const [name, setName] = useState<string>();
  const [notices, setNotices] = useState<readonly string[]>([]);
  const lastKey = useRef(0);

  /** Adds lists to the current ones. They are sorted by name. */
  const add = async (files: readonly File[]): Promise<void> => {
    const sorted = sortFiles(files, lists.length, await resultsAmong(files));
    if (sorted.as !== 'lists') return setNotices(sorted.as === 'nothing' ? sorted.notices : []);
    const { fresh, twice } = await withoutRepeats(sorted.files, lists);
    const added = fresh.map((file) => ({ key: ++lastKey.current, file, corrections: {} }));
    if (added.length > 0) changeLists((current) => [...current, ...added].toSorted(byName));
    setNotices([...sorted.notices, ...twice.map((file) => say('list/twice', { name: file.name }))]);
  };
  /** Other lists may have other markets, and none of the chosen one. */
  const changeLists = (next: (current: readonly ChosenList[]) => readonly ChosenList[]): void => {
    setLists(next);
    setChoices((current) => ({ ...current, market: undefined }));
  };
  const change = (key: number, next: (corrections: Corrections) => Corrections) =>
    changeLists((current) =>
      current.map((list) => (list.key === key ? { ...list, corrections: next(list.corrections) } : list)),
    );

  return {
    lists,
    choices,
    /** The name that was typed; absent for the one that the files suggest. */
    name,
    notices,
    add: (files: readonly File[]) => void add(files),
    remove: (key: number) => changeLists((current) => current.filter((list) => list.key !== key)),
    correct: (key: number, correction: Correction) => change(key, (current) => corrected(current, correction)),
    /** Reads a list as an earlier one was corrected, unless it has corrections of its own. */
    recall: (key: number, corrections: Corrections) =>
      change(key, (current) => (isCorrected(current) ? current : corrections)),
    uncorrect: (key: number) => change(key, () => ({})),
    choose: (next: Partial<ImportChoices>) => setChoices((current) => ({ ...current, ...next })),
    setName,
    clear(): void {
      setLists([]);
      setChoices(firstChoices);
      setName(undefined);
      setNotices([]);
    },
  };
}

export type ImportForm = ReturnType<typeof useImportForm>;

const byName = (one: ChosenList, other: ChosenList): number =>
  one.file.name < other.file.name ? -1 : Number(one.file.name > other.file.name) || one.key - other.key;

async function withoutRepeats(files: readonly File[], current: readonly ChosenList[]) {
  const fresh: File[] = [];
  const twice: File[] = [];
  for (const file of files) {
    const others = [...current.map((list) => list.file), ...fresh];
    // A file that cannot be read is reported in its preview.
    const equal = await Promise.all(others.map((other) => haveEqualBytes(file, other).catch(() => false)));
    (equal.includes(true) ? twice : fresh).push(file);
  }
  return { fresh, twice };
}
