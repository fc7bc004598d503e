import type { Chart } from '../charts.ts';
import { createIcicle } from './layout.ts';
import { iciclePainter } from './paint.ts';

export const icicle: Chart = { createLayout: createIcicle, painter: iciclePainter };
