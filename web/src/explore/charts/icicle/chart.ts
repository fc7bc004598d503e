import type { Picture } from '../charts.ts';
import { createIcicle } from './layout.ts';
import { barDrawing } from './paint.ts';

export const icicle: Picture = { createLayout: createIcicle, drawing: barDrawing };
