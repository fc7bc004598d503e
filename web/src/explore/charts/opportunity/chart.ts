import type { Chart } from '../chart.ts';
import { createOpportunity } from './layout.ts';
import { opportunityPainter } from './paint.ts';

export const opportunity: Chart = { createLayout: createOpportunity, painter: opportunityPainter };
