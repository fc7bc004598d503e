import type { Handlers } from './fake-api.ts';
import { isOpen } from './in-explorer.ts';
import { mapsApi, type Upload } from './maps-api.ts';
import { openApp } from './open-app.tsx';

/**
 * Opens the explorer of an uploaded file for Ann, drawn. `search` is the part of the address after the path; `earlier` are
 * Ann's other uploads, with IDs `map-1`, `map-2`, newest first.
 */
export async function openExplorer(
  upload: Upload,
  options: { readonly search?: string; readonly api?: Handlers; readonly earlier?: readonly Upload[] } = {},
): Promise<void> {
  const { search = '', api = {}, earlier = [] } = options;
  const maps = await mapsApi({ upload }, ...earlier.map((one) => ({ upload: one })));
  await openApp(`/visualization${search}`, { as: 'approved', api: { ...maps, ...api } });
  await isOpen();
}
