export function ClaimScreen() {
  return <h1>Set your password</h1>;
}
