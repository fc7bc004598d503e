import type { Chart } from '../charts.ts';
import { createBubbles } from './layout.ts';
import { bubblesPainter } from './paint.ts';

export const bubbles: Chart = { createLayout: createBubbles, painter: bubblesPainter };
