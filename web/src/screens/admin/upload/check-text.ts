import { countText } from '../../../ui/quantity-text.ts';

/** A node type and how often it stands in the file: "pillar_topic × 17". */
export const typeText = (name: string, nodes: number): string => `${name} × ${countText(nodes)}`;
