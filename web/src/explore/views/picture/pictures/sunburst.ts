import { arcDrawing } from '../../../draw/arcs.ts';
import { createSunburst } from '../../../layouts/sunburst.ts';
import type { Picture } from './picture.ts';

export const sunburst: Picture = { createLayout: createSunburst, drawing: arcDrawing };
