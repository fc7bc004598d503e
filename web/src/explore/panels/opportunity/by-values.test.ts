import { expect, test } from 'vitest';
import { endsIn } from './values-dialog.tsx';

test('a click rate is given in percent', () => {
  expect(endsIn({ from: '2.5', to: '10 %' }, [0, 0.4], 'field:ctr')).toEqual([0.025, 0.1]);
  expect(endsIn({ from: '', to: '10' }, [0, 0.4], 'field:ctr')).toEqual([0, 0.1]);
  expect(endsIn({ from: '1,000', to: 'x' }, [0, 0.4], 'volume')).toBe('“x” is not a number.');
});
