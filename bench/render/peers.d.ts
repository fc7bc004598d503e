/**
 * The parts of the packages in bench/peers that the pages call: the packages are not installed during type checking.
 */
declare module 'echarts/core' {
  type Chart = { on(event: 'finished', listen: () => void): void; setOption(option: object): void };
  export function init(element: HTMLElement, theme: null, options: { renderer: 'canvas' }): Chart;
  export function use(parts: readonly unknown[]): void;
}
declare module 'echarts/charts' {
  export const TreemapChart: unknown;
}
declare module 'echarts/renderers' {
  export const CanvasRenderer: unknown;
}
declare module 'flame-chart-js' {
  export type FlameNode = { name: string; start: number; duration: number; color: string; children?: FlameNode[] };
  export class FlameChart {
    constructor(options: { canvas: HTMLCanvasElement; data: FlameNode[] });
    resize(width: number, height: number): void;
    render(): void;
  }
}
declare module 'markmap-view' {
  type Item = { content: string; children: Item[] };
  export class Markmap {
    static create(svg: SVGSVGElement, options: { duration: number; initialExpandLevel: number }): Markmap;
    setData(root: Item): Promise<void>;
    fit(): Promise<void>;
  }
}
