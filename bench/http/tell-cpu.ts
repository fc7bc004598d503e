/**
 * Loaded into a measured server before its own code (`--import`): responds to every message with the processor time of
 * the process so far, in microseconds, all threads, user and system, and its peak resident memory.
 */
export type Cost = { readonly cpuUs: number; readonly peakMiB: number };

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const cost: Cost = { cpuUs: user + system, peakMiB: process.resourceUsage().maxRSS / 1024 };
  process.send?.(cost);
});
// The channel must not keep the process alive.
process.channel?.unref();
