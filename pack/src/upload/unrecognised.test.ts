import { expect, test } from 'vitest';
import { UnrecognisedNames } from './unrecognised.ts';

test('members that the clustering of lists writes are known, and misspelled metrics are not', () => {
  const names = new UnrecognisedNames();
  for (const name of ['similarity', 'confidence', 'list_status', 'search_volume', 'similarty', 'serch volume'])
    names.add(name);
  expect(names.names).toEqual(['similarty', 'serch volume']);
});
