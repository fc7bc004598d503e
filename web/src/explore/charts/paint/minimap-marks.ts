import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { markKind } from '../layout/layout.ts';
import { type Colouring, colourScale } from './colour-scale.ts';
import type { Pose } from './mark-outline.ts';
import { tonesOf } from './tones.ts';

/** The fill of a mark of a pose, without text and texture; none if a filter has removed its row. */
export function plainFills(pose: Pose, tree: LoadedTree, colouring: Colouring): (mark: number) => string {
  const scale = colourScale(tree, colouring);
  const tones = tonesOf(scale, colouring.theme);
  const isNested = pose.form === 'boxes' || pose.form === 'circles';
  return (i) => {
    const isFrame = pose.form === 'links' || (isNested && pose.kind[i] === markKind.group);
    const isFaint = isFrame || tree.isLeftOut(pose.row[i]!);
    const level = pose.form === 'links' ? 3 : pose.level[i]!;
    return (isFaint ? tones.frame : tones.cell)(scale.indexOf[pose.row[i]!]!, level);
  };
}
