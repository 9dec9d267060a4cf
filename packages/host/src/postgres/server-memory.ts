// Memory and connections of the embedded PostgreSQL server: what it takes by itself, and what an operator may set.

import { totalmem } from "node:os";
import { z } from "zod";

const mebibyte = 1024 * 1024;
/** What Node.js and the system keep for themselves, in MB. */
const otherMemoryMb = 512;

const limitsMb = {
  // Beyond it the system's own cache serves as well, and a repair after a crash takes longer.
  sharedBuffers: { min: 64, max: 2 * 1024 },
  effectiveCacheSize: { min: 256, max: 256 * 1024 },
  workMem: { min: 4, max: 64 },
  maintenanceWorkMem: { min: 32, max: 1024 },
};
/** Each connection is a process; a host opens 42 of them unless told otherwise. */
const connectionLimits = { min: 100, max: 400, mbEach: 64 };
/** Connections that a host leaves to realtime, tools and the operator. */
export const spareConnections = 20;

/** What the embedded server is started with; sizes in MB. The names are those of PostgreSQL. */
export interface ServerMemory {
  sharedBuffersMb: number;
  effectiveCacheSizeMb: number;
  workMemMb: number;
  maintenanceWorkMemMb: number;
  maxConnections: number;
}

/** Bytes that this process and its children may use: the memory of its container or service, or that of the machine. */
export function usableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  // Without a limit, zero or a number beyond any machine is answered.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** `value` as a whole number within the limits. */
function within({ min, max }: { min: number; max: number }, value: number): number {
  return Math.min(Math.max(Math.floor(value), min), max);
}

/**
 * The server's share of `bytes`, with room for the host beside it. A machine of 1 GB gets 128 MB of buffers, one of 16 GB two
 * gigabytes.
 */
export function memoryFor(bytes: number): ServerMemory {
  const totalMb = bytes / mebibyte;
  const freeMb = Math.max(totalMb - otherMemoryMb, 0);
  const sharedBuffersMb = within(limitsMb.sharedBuffers, freeMb / 4);
  const maxConnections = within(connectionLimits, totalMb / connectionLimits.mbEach);
  return {
    sharedBuffersMb,
    // What the planner may count on: the buffers, and files that the system keeps in memory.
    effectiveCacheSizeMb: within(limitsMb.effectiveCacheSize, totalMb / 2),
    // A statement may use it several times.
    workMemMb: within(limitsMb.workMem, (freeMb - sharedBuffersMb) / (maxConnections * 4)),
    maintenanceWorkMemMb: within(limitsMb.maintenanceWorkMem, totalMb / 32),
    maxConnections,
  };
}

const size = (minMb: number) =>
  z
    .string()
    .regex(/^\d{1,7}(MB|GB)$/, "must be a whole number of MB or GB, such as 512MB")
    .transform((text) => Number.parseInt(text, 10) * (text.endsWith("GB") ? 1024 : 1))
    .refine(
      (mb) => mb >= minMb && mb <= 1024 * 1024,
      `must be at least ${minMb}MB and at most 1024GB`,
    );

/** Environment variables of the embedded server, each a setting of PostgreSQL. */
export const memoryVariables = {
  DATABASE_SHARED_BUFFERS: size(16).optional(),
  DATABASE_EFFECTIVE_CACHE_SIZE: size(16).optional(),
  DATABASE_WORK_MEM: size(1).optional(),
  DATABASE_MAINTENANCE_WORK_MEM: size(1).optional(),
  DATABASE_MAX_CONNECTIONS: z.coerce.number().int().min(50).max(10_000).optional(),
};

type MemoryValues = z.infer<z.ZodObject<typeof memoryVariables>> & {
  DATABASE_URL?: string | undefined;
};

/**
 * The embedded server's settings from the environment, the rest from `bytes`; undefined with a server of one's own. Adds an
 * issue for each variable that such a server would not obey.
 */
export function readServerMemory(
  values: MemoryValues,
  issues: string[],
  bytes = usableMemoryBytes(),
): ServerMemory | undefined {
  if (values.DATABASE_URL !== undefined) {
    for (const name of Object.keys(memoryVariables) as (keyof typeof memoryVariables)[]) {
      if (values[name] === undefined) continue;
      issues.push(`${name}: is for the embedded database; unset it, or DATABASE_URL`);
    }
    return undefined;
  }
  const own = memoryFor(bytes);
  return {
    sharedBuffersMb: values.DATABASE_SHARED_BUFFERS ?? own.sharedBuffersMb,
    effectiveCacheSizeMb: values.DATABASE_EFFECTIVE_CACHE_SIZE ?? own.effectiveCacheSizeMb,
    workMemMb: values.DATABASE_WORK_MEM ?? own.workMemMb,
    maintenanceWorkMemMb: values.DATABASE_MAINTENANCE_WORK_MEM ?? own.maintenanceWorkMemMb,
    maxConnections: values.DATABASE_MAX_CONNECTIONS ?? own.maxConnections,
  };
}

/** The settings as PostgreSQL names them. */
export function memorySettings(memory: ServerMemory): Record<string, string> {
  return {
    max_connections: String(memory.maxConnections),
    shared_buffers: `${memory.sharedBuffersMb}MB`,
    effective_cache_size: `${memory.effectiveCacheSizeMb}MB`,
    work_mem: `${memory.workMemMb}MB`,
    maintenance_work_mem: `${memory.maintenanceWorkMemMb}MB`,
  };
}
