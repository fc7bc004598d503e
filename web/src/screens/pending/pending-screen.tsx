export function PendingScreen() {
  return <h1>Account Pending Approval</h1>;
}
