import type { Picture } from '../charts.ts';
import { createBubbles } from './layout.ts';
import { circleDrawing } from './paint.ts';

export const bubbles: Picture = { createLayout: createBubbles, drawing: circleDrawing };
