import { linkDrawing } from '../../../draw/links.ts';
import { createTree } from '../../../layouts/tree.ts';
import type { Picture } from './picture.ts';

export const tree: Picture = { createLayout: createTree, drawing: linkDrawing };
