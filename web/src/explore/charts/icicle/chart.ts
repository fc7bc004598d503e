import type { Chart } from '../chart.ts';
import { createIcicle } from './layout.ts';
import { iciclePainter } from './paint.ts';

export const icicle: Chart = { createLayout: createIcicle, painter: iciclePainter };
