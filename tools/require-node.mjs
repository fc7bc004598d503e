// Loaded before every script of package.json, in JavaScript that any Node can read: older ones cannot run TypeScript.
const needed = 24;
if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `Keyword Clustering needs Node ${needed} or newer, and this is Node ${process.versions.node}.\n` +
      '"npm ci" brings one on Linux and Windows, and npm\'s scripts use it; elsewhere install Node 24.\n',
  );
  process.exit(1);
}
