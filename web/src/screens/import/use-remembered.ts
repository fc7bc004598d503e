import type { Corrections } from '@kc/cluster/read/reading';
import { useEffect, useReducer, useRef } from 'react';
import { client } from '../../api/client.ts';
import type { Preview } from './preview-state.ts';
import { knownCorrections, type Memories, type Memory, unknownHeaders } from './remembered.ts';
import type { ChosenList } from './use-preview.ts';

type Form = {
  readonly lists: readonly ChosenList[];
  recall(key: number, corrections: Corrections): void;
  uncorrect(key: number): void;
};

/**
 * Reads lists as the person corrected an earlier one with the same header, unless they have begun to correct this one. If
 * the server cannot be asked, nothing is recalled, and what it remembers stays.
 */
export function useRemembered({ lists, recall, uncorrect }: Form, { keys, files }: Preview) {
  const [memories, add] = useReducer(withMemory, new Map<number, Memory>());
  const asked = useRef(new Set<number>());
  useEffect(() => {
    for (const { key, header } of unknownHeaders(lists, { keys, files }, asked.current)) {
      asked.current.add(key);
      client.listReadings.find({ header: [...header] }).then(
        ({ found }) => {
          const corrections = found && knownCorrections(found.corrections);
          add([key, { header, correctedAt: found?.correctedAt, corrections }]);
          if (corrections) recall(key, corrections);
        },
        () => undefined, // the list is read as it is
      );
    }
  });
  /** Also reads the list again without corrections. @throws if the server could not be asked */
  const forget = async (key: number): Promise<void> => {
    const memory = memories.get(key);
    if (!memory) return;
    await client.listReadings.forget({ header: [...memory.header] });
    add([key, { header: memory.header }]);
    uncorrect(key);
  };
  return { memories, forget };
}

const withMemory = (memories: Memories, [key, memory]: readonly [number, Memory]): Memories =>
  new Map(memories).set(key, memory);
