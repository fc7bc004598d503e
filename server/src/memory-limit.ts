import { totalmem } from 'node:os';

/**
 * Bytes that this process may use: the limit of its cgroup if it has one, as in a container or a systemd unit with
 * `MemoryMax`, otherwise the memory of the machine.
 */
export const memoryLimit = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
