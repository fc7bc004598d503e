import { barDrawing } from '../../../draw/bars.ts';
import { createIcicle } from '../../../layouts/icicle.ts';
import type { Picture } from './picture.ts';

export const icicle: Picture = { createLayout: createIcicle, drawing: barDrawing };
