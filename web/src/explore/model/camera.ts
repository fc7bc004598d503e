/**
 * The part of a layout that the viewport shows: layout point `(x, y)` is at its top left corner, and one layout unit is
 * `k` CSS pixels. In a chart that zooms vertically only, one horizontal unit stays one CSS pixel. With
 * `{ x: 0, y: 0, k: 1 }` the focus of a treemap fills the viewport exactly.
 */
export type Camera = {
  readonly x: number;
  readonly y: number;
  readonly k: number;
  /** The viewport that the camera was saved for, in CSS pixels, if an address gives one. */
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
};

/** The whole chart, fitted into the view. */
export const homeCamera: Camera = { x: 0, y: 0, k: 1 };
