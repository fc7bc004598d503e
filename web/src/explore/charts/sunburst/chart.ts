import type { Picture } from '../charts.ts';
import { createSunburst } from './layout.ts';
import { arcDrawing } from './paint.ts';

export const sunburst: Picture = { createLayout: createSunburst, drawing: arcDrawing };
