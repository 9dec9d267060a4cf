/** A rate with a burst: `burst` requests at once, then `perSecond`. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Requests that run at the same time; the next ones wait, in order, as far as there is room. */
export interface Concurrency {
  running: number;
  waiting: number;
}

/** What one service grants. A member is an account; a stranger is a client address without one. */
export interface ServiceLimits {
  member: Rate & Concurrency;
  stranger: Rate & Concurrency;
  /** All strangers of this process together. */
  strangers: Concurrency;
}

export type LimitedService = "auth" | "rest" | "storage" | "functions";

/** Budgets of requests; counted in this process. */
export interface RequestLimits {
  services: Readonly<Record<LimitedService, ServiceLimits>>;
  /** Everything that comes from one client address, over all services; members behind one office share it. */
  address: Rate;
  /** Sessions renewed from one client address; below `address`, so that strangers cannot spend all of that. */
  renewals: Rate;
  /** New realtime sockets from one client address. */
  sockets: Rate;
  /** A request waits this long for its turn before it is refused. */
  longestWaitMs: number;
  /** Callers and addresses remembered, of each kind; the least recently seen is forgotten first. */
  remembered: number;
}

/** Connections to Postgres and how they are shared; see `Database` for who uses which. */
export interface DatabaseLimits {
  connections: {
    /** The accounts service. */
    auth: number;
    /** Start-up, and what the wiring asks as the owner. */
    admin: number;
    /** Realtime and work nobody waits for. */
    background: number;
    /** The schema cache, buckets and public files: short questions the host asks for a request. */
    lookups: number;
    /** Scheduled functions; each holds one while it runs. */
    jobs: number;
    /** What clients of realtime make it ask when they join. */
    joins: number;
    /** What realtime asks as its subscribers. */
    authenticator: number;
    /** Requests without an account. */
    strangers: number;
    /** Requests with an account. */
    members: number;
    /** Requests with the service key, such as those of functions. */
    service: number;
  };
  /** Connections one member may hold. */
  perMember: number;
  /** A member whose statements took longer than this lately is heavy. */
  heavyAfterMs: number;
  /** What a member used counts half after this time. */
  heavyHalfLifeMs: number;
  /** Connections that all heavy members may hold together; the others stay free for everybody else. */
  forHeavyMembers: number;
  /** Requests that may wait for a connection of one pool. */
  waiting: number;
  /** Requests of one member that may wait for a connection, beside those that hold one. */
  waitingPerMember: number;
  /** A request waits this long for a connection. */
  longestWaitMs: number;
}

/** Every figure of the host's budgets. */
export interface HostLimits {
  requests: RequestLimits;
  database: DatabaseLimits;
}

/**
 * The defaults. An app page asks for some 20 things at once; ten tabs restored together, or a hundred members
 * of one office opening the app in the same minute, stay well below.
 */
export const defaultLimits: HostLimits = {
  requests: {
    services: {
      rest: {
        member: { perSecond: 20, burst: 400, running: 8, waiting: 400 },
        stranger: { perSecond: 10, burst: 120, running: 4, waiting: 120 },
        strangers: { running: 32, waiting: 480 },
      },
      // A picture of a public bucket is fetched without an account: a feed has dozens, an office a hundred readers.
      storage: {
        member: { perSecond: 20, burst: 400, running: 8, waiting: 200 },
        stranger: { perSecond: 100, burst: 3000, running: 16, waiting: 1000 },
        strangers: { running: 64, waiting: 2000 },
      },
      // Webhooks of a provider arrive here as strangers, many at once.
      functions: {
        member: { perSecond: 5, burst: 60, running: 6, waiting: 60 },
        stranger: { perSecond: 10, burst: 200, running: 16, waiting: 100 },
        strangers: { running: 64, waiting: 400 },
      },
      // Signing in is counted by the accounts service itself; this bounds everything else it does.
      auth: {
        member: { perSecond: 10, burst: 200, running: 6, waiting: 200 },
        stranger: { perSecond: 20, burst: 600, running: 16, waiting: 600 },
        strangers: { running: 64, waiting: 1000 },
      },
    },
    address: { perSecond: 400, burst: 8000 },
    renewals: { perSecond: 100, burst: 2000 },
    sockets: { perSecond: 20, burst: 1200 },
    longestWaitMs: 10_000,
    remembered: 50_000,
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
      strangers: 4,
      members: 10,
      service: 5,
    },
    perMember: 4,
    heavyAfterMs: 4000,
    heavyHalfLifeMs: 15_000,
    forHeavyMembers: 4,
    waiting: 500,
    waitingPerMember: 16,
    longestWaitMs: 10_000,
  },
};

type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };

/** Figures to use in place of the defaults; what is left out stays. */
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

/** `limits` with some figures replaced. */
export function withOverrides(limits: HostLimits, overrides: LimitOverrides = {}): HostLimits {
  return merge(limits, overrides) as HostLimits;
}
