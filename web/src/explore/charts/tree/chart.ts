import type { Picture } from '../charts.ts';
import { createTree } from './layout.ts';
import { linkDrawing } from './paint.ts';

export const tree: Picture = { createLayout: createTree, drawing: linkDrawing };
