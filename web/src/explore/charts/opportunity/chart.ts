import type { Picture } from '../charts.ts';
import { createOpportunity } from './layout.ts';
import { scatterDrawing } from './paint.ts';

export const opportunity: Picture = { createLayout: createOpportunity, drawing: scatterDrawing };
