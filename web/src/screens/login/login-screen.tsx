export function LoginScreen() {
  return <h1>Keyword Clustering</h1>;
}
