// Types and defaults of the request and database limits.

/** A rate with a burst: `burst` requests at once, then `perSecond`. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** How many requests run at the same time, and how many more may wait in order. */
export interface Concurrency {
  maxConcurrent: number;
  maxQueued: number;
}

/** Limits of one service. */
export interface ServiceLimits {
  /** For each account. */
  member: Rate & Concurrency;
  /** For each client address without an account. */
  anonymous: Rate & Concurrency;
  /** For all anonymous clients of this process together. */
  allAnonymous: Concurrency;
}

export type LimitedService = "auth" | "rest" | "storage" | "functions";

/** Request limits; counted in this process. */
export interface RequestLimits {
  services: Readonly<Record<LimitedService, ServiceLimits>>;
  /** All requests from one client address to all services; members in one office share it. */
  address: Rate;
  /** Token refreshes from one client address; below `address`, so that anonymous clients cannot use up all of that. */
  tokenRefreshes: Rate;
  /** New realtime sockets from one client address. */
  sockets: Rate;
  /** How long a request waits for a free slot before it is rejected. */
  maxWaitMs: number;
  /** The body of an anonymous request must arrive within this time; a member's within the request timeout. */
  anonymousBodyTimeoutMs: number;
  /** Entries kept for callers and for addresses, of each kind; the least recently used is dropped first. */
  maxTrackedCallers: number;
}

/** Connection pools to Postgres and how members share them; see `Database` for what uses which pool. */
export interface DatabaseLimits {
  connections: {
    /** The auth service. */
    auth: number;
    /** Start-up, and queries of the embedding program as the owner. */
    admin: number;
    /** Realtime, and background work. */
    background: number;
    /** The schema cache, buckets and public files: short queries of the host itself. */
    lookups: number;
    /** Scheduled functions; each holds one connection while it runs. */
    jobs: number;
    /** Queries of realtime when clients join a channel. */
    joins: number;
    /** Queries of realtime as its subscribers. */
    authenticator: number;
    /** Requests without an account. */
    anonymous: number;
    /** Requests with an account. */
    members: number;
    /** Requests with the service key, such as those of functions. */
    service: number;
  };
  /** Connections to the read replica, where there is one; beside those above, which go to the primary. */
  replicaConnections: number;
  /** Connections one member may hold. */
  perMember: number;
  /** A member is heavy when their recent statements took longer than this in total. */
  heavyAfterMs: number;
  /** Half-life of a member's recorded use. */
  heavyHalfLifeMs: number;
  /** Connections that all heavy members may hold together; the rest stays available to other members. */
  forHeavyMembers: number;
  /** Requests that may wait for a connection of one pool. */
  maxQueued: number;
  /** Requests of one member that may wait for a connection, beside those that hold one. */
  maxQueuedPerMember: number;
  /** How long a request waits for a connection. */
  maxWaitMs: number;
}

/** All limits of the host. */
export interface HostLimits {
  requests: RequestLimits;
  database: DatabaseLimits;
}

/**
 * The defaults. One page of an app sends about 20 requests at once; ten tabs restored together, or a hundred members
 * in one office opening the app in the same minute, stay well below these limits.
 */
export const defaultLimits: HostLimits = {
  requests: {
    services: {
      rest: {
        member: { perSecond: 20, burst: 400, maxConcurrent: 8, maxQueued: 400 },
        anonymous: { perSecond: 10, burst: 120, maxConcurrent: 4, maxQueued: 120 },
        allAnonymous: { maxConcurrent: 32, maxQueued: 480 },
      },
      // Images in public buckets are fetched without an account: a page has dozens, and an office a hundred readers.
      storage: {
        member: { perSecond: 20, burst: 400, maxConcurrent: 8, maxQueued: 200 },
        anonymous: { perSecond: 100, burst: 3000, maxConcurrent: 16, maxQueued: 1000 },
        allAnonymous: { maxConcurrent: 64, maxQueued: 2000 },
      },
      // Webhooks arrive here as anonymous requests, many at once.
      functions: {
        member: { perSecond: 5, burst: 60, maxConcurrent: 6, maxQueued: 60 },
        anonymous: { perSecond: 10, burst: 200, maxConcurrent: 16, maxQueued: 100 },
        allAnonymous: { maxConcurrent: 64, maxQueued: 400 },
      },
      // The auth service limits sign-in itself; this bounds all its other requests.
      auth: {
        member: { perSecond: 10, burst: 200, maxConcurrent: 6, maxQueued: 200 },
        anonymous: { perSecond: 20, burst: 600, maxConcurrent: 16, maxQueued: 600 },
        allAnonymous: { maxConcurrent: 64, maxQueued: 1000 },
      },
    },
    address: { perSecond: 400, burst: 8000 },
    tokenRefreshes: { perSecond: 100, burst: 2000 },
    sockets: { perSecond: 20, burst: 1200 },
    maxWaitMs: 10_000,
    anonymousBodyTimeoutMs: 10_000,
    maxTrackedCallers: 50_000,
  },
  database: {
    connections: {
      auth: 5,
      admin: 2,
      background: 4,
      lookups: 3,
      jobs: 2,
      joins: 3,
      authenticator: 4,
      anonymous: 4,
      members: 10,
      service: 5,
    },
    replicaConnections: 10,
    perMember: 4,
    heavyAfterMs: 4000,
    heavyHalfLifeMs: 15_000,
    forHeavyMembers: 4,
    maxQueued: 500,
    maxQueuedPerMember: 16,
    maxWaitMs: 10_000,
  },
};

type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };

/** Limits that replace the defaults; omitted ones keep their value. */
export type LimitOverrides = DeepPartial<HostLimits>;

function merge(base: object, over: object): object {
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [name, value] of Object.entries(over) as [string, unknown][]) {
    if (value === undefined) continue;
    const known = merged.get(name);
    const isNested = typeof value === "object" && value !== null && typeof known === "object";
    merged.set(name, isNested ? merge(known ?? {}, value) : value);
  }
  return Object.fromEntries(merged);
}

/** `limits` with the given values replaced. */
export function withOverrides(limits: HostLimits, overrides: LimitOverrides = {}): HostLimits {
  return merge(limits, overrides) as HostLimits;
}
