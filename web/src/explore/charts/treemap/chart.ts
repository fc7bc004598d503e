import type { Picture } from '../charts.ts';
import { createTreemap } from './layout.ts';
import { boxDrawing } from './paint.ts';

export const treemap: Picture = { createLayout: createTreemap, drawing: boxDrawing };
