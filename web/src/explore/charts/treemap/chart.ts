import type { Chart } from '../charts.ts';
import { createTreemap } from './layout.ts';
import { treemapPainter } from './paint.ts';

export const treemap: Chart = { createLayout: createTreemap, painter: treemapPainter };
