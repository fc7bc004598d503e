import { scatterDrawing } from '../../../draw/scatter.ts';
import { createOpportunity } from '../../../layouts/opportunity.ts';
import type { Picture } from './picture.ts';

export const opportunity: Picture = { createLayout: createOpportunity, drawing: scatterDrawing };
