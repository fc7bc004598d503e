import type { Chart } from '../chart.ts';
import { createSunburst } from './layout.ts';
import { sunburstPainter } from './paint.ts';

export const sunburst: Chart = { createLayout: createSunburst, painter: sunburstPainter };
