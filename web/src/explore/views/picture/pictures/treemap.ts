import { boxDrawing } from '../../../draw/boxes.ts';
import { createTreemap } from '../../../layouts/treemap.ts';
import type { Picture } from './picture.ts';

export const treemap: Picture = { createLayout: createTreemap, drawing: boxDrawing };
