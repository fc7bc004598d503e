import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** From the pointer to the card beside it, in CSS pixels. */
const distance = 14;

/**
 * Rests the pointer at a point of the chart and returns the text of the card that opens there. A card that is not
 * beside the pointer is still that of the point before. At every point of a treemap a card opens.
 */
export async function cardAt(page: Page, { x, y }: { readonly x: number; readonly y: number }): Promise<string> {
  // A pointer that does not move fires no event.
  await page.mouse.move(x + 3, y);
  await page.mouse.move(x, y);
  let text: string | null = null;
  const look = async () => {
    text = await page.evaluate<string | null>(`(() => {
      const card = document.querySelector('[role=tooltip]');
      if (!card) return null;
      const { left, right } = card.getBoundingClientRect();
      const frame = card.parentElement.getBoundingClientRect();
      const isBeside = [left - ${x + distance}, right - ${x - distance}, left - frame.left - 4].some((px) => Math.abs(px) < 1);
      return isBeside ? card.innerText : null;
    })()`);
    return text;
  };
  await expect.poll(look, { message: `the card at ${x}, ${y}` }).not.toBeNull();
  return text!;
}
