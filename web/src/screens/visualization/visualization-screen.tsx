export function VisualizationScreen() {
  return <h1>My Visualizations</h1>;
}
