import { circleDrawing } from '../../../draw/circles.ts';
import { createBubbles } from '../../../layouts/bubbles.ts';
import type { Picture } from './picture.ts';

export const bubbles: Picture = { createLayout: createBubbles, drawing: circleDrawing };
