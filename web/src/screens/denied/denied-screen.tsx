export function DeniedScreen() {
  return <h1>Access Denied</h1>;
}
