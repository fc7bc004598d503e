import type { Chart } from '../chart.ts';
import { createTree } from './layout.ts';
import { treePainter } from './paint.ts';

export const tree: Chart = { createLayout: createTree, painter: treePainter };
