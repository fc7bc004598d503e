import { expect, test } from 'vitest';
import { marketsText } from './market-select.tsx';

test('several markets are named, with what happens to their volumes', () => {
  expect(marketsText(['us', 'uk', 'de'], undefined)).toBe('3 markets: us, uk, de. Volumes are added up.');
  expect(marketsText(['us', 'uk', 'de'], 'uk')).toBe('3 markets: us, uk, de. Only rows of uk are used.');
});
