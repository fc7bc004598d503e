export function AdminScreen() {
  return <h1>Admin Dashboard</h1>;
}
