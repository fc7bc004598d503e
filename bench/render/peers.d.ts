/**
 * The parts of the packages in bench/peers that the pages call: the packages are not installed during type checking.
 */
declare module 'flame-chart-js' {
  export type FlameNode = { name: string; start: number; duration: number; color: string; children?: FlameNode[] };
  export class FlameChart {
    constructor(options: { canvas: HTMLCanvasElement; data: FlameNode[] });
    resize(width: number, height: number): void;
    render(): void;
  }
}
