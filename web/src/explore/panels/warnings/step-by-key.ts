import type { QueryClient } from '@tanstack/react-query';
import type { Explorer } from '../../model/explorer.ts';
import { stepWarnings } from './step-warnings.ts';
import { kindNames } from './warning-names.ts';
import { reasonOf, titleOf } from './warning-texts.ts';

/** Goes to the next or previous warning, and says which it is. */
export async function stepByKey(explorer: Explorer, queries: QueryClient, by: 1 | -1): Promise<void> {
  const { store } = explorer;
  try {
    const line = await stepWarnings(explorer, queries, by);
    const spoken = line
      ? `${kindNames[line.kind]}: ${titleOf(line)}. ${reasonOf(line)}`
      : 'No warnings with these thresholds.';
    store.setState({ spoken });
  } catch (failure) {
    store.setState({ notice: explorer.explain(failure) });
  }
}
