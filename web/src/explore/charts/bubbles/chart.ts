import type { Chart } from '../chart.ts';
import { createBubbles } from './layout.ts';
import { bubblesPainter } from './paint.ts';

export const bubbles: Chart = { createLayout: createBubbles, painter: bubblesPainter };
