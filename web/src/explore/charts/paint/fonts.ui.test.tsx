import otherFont from '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2?url';
import { expect, onTestFinished, test } from 'vitest';
import { atRest } from '../../../../test/page/at-rest.ts';
import { garden } from '../../../../test/page/garden.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

// Each group of scripts has a font file of its own, which loads when its first letter is shown.
test('a chart is drawn again when a font has loaded', async () => {
  await openExplorer(garden);
  const drawing = () => document.querySelector('canvas')!.toDataURL();
  await document.fonts.ready;
  await atRest();
  const before = drawing();
  const face = new FontFace('Geist Variable', `url(${otherFont})`, { weight: '100 900' });
  document.fonts.add(face);
  onTestFinished(() => void document.fonts.delete(face));
  await face.load();
  await expect.poll(drawing).not.toBe(before);
});
