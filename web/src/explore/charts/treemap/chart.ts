import type { Chart } from '../chart.ts';
import { createTreemap } from './layout.ts';
import { treemapPainter } from './paint.ts';

export const treemap: Chart = { createLayout: createTreemap, painter: treemapPainter };
