import { expect, test } from 'vitest';
import { columnTracks, type TrackColumn } from './grid-columns.ts';

const column = (id: string, width: number, isText = false, shownWidth = width): TrackColumn => ({
  id,
  isText,
  width,
  shownWidth,
});

// Shows P14.21.
test('the name takes what the others leave, up to 480 pixels', () => {
  expect(columnTracks([column('name', 240, true), column('keywords', 100), column('volume', 108)])).toEqual([
    'clamp(min(240px, 50vw), 100cqw - 208px, 480px)',
    '100px',
    '108px',
  ]);
});

test('other texts share what is left then, and no more than double', () => {
  const shown = [
    column('name', 240, true),
    column('cluster', 140, true),
    column('volume', 108),
    column('url', 140, true),
  ];
  const text = 'clamp(140px, 140px + (100cqw - 868px) / 2, 280px)';
  expect(columnTracks(shown).slice(1)).toEqual([text, '108px', text]);
});

test('a width that somebody chose is kept', () => {
  const shown = [column('name', 240, true, 600), column('cluster', 140, true, 90), column('pillar', 140, true)];
  expect(columnTracks(shown)).toEqual([
    'min(600px, 50vw)',
    '90px',
    'clamp(140px, 140px + (100cqw - 830px) / 1, 280px)',
  ]);
});
