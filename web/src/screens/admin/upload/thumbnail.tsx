import type { UploadOutline } from '@kc/pack/upload/upload-outline';
import { countText } from '../../../ui/quantity-text.ts';
import { pillarColours, type ThumbnailTree } from '../../thumbnail/boxes.ts';
import { ThumbnailPicture } from '../../thumbnail/picture.tsx';

/** The top of a file's hierarchy as a small treemap, from what was read of it. */
export function Thumbnail({ outline }: { readonly outline: UploadOutline }) {
  return (
    <ThumbnailPicture
      tree={treeOf(outline)}
      width={160}
      height={100}
      className="h-25 w-40"
      label={`Preview with ${countText(outline.pillars)} pillar topics`}
    />
  );
}

/**
 * By leaves. The explorer gives its colours by volume, and the check of a file does not add up a pillar's volume: with
 * volumes in the file all pillars have the look of those that are not told apart, rather than colours that they lose.
 */
export function treeOf({ top, restLeaves, volume }: UploadOutline): ThumbnailTree {
  const pillars = top.map(({ leaves, parts }, at) => ({
    weight: leaves,
    parts,
    colour: volume.known === 0 ? (at % pillarColours) + 1 : 0,
  }));
  return { pillars, rest: restLeaves };
}
