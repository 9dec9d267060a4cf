// Derives the request and database limits from the few environment variables that an operator may set.

import { z } from "zod";
import type { DatabaseLimits, HostLimits, Rate, ServiceLimits } from "./limits.ts";
import { defaultLimits } from "./limits.ts";

const rate = z.coerce.number().min(1).max(1_000_000);
const { connections } = defaultLimits.database;
/** Pools that are never scaled: realtime holds some of their connections permanently. */
const { admin, background, lookups, jobs, joins, authenticator } = connections;
/** Connections for the host's own work, which go to the server itself also where requests go through a pool. */
export const directPools = ["admin", "background", "jobs", "joins", "authenticator"] as const;
const reservedConnections = admin + background + lookups + jobs + joins + authenticator;
const minConnections = reservedConnections + 11;
/** Connections that a host opens unless told otherwise. */
export const defaultConnections = Object.values(connections).reduce((sum, count) => sum + count, 0);

/** Environment variables that set limits. */
export const limitVariables = {
  MEMBER_REQUESTS_PER_SECOND: rate.optional(),
  ANONYMOUS_REQUESTS_PER_SECOND: rate.optional(),
  ADDRESS_REQUESTS_PER_SECOND: rate.optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(minConnections).max(1000).optional(),
  DATABASE_REPLICA_CONNECTIONS: z.coerce.number().int().min(2).max(1000).optional(),
} as const;

export type LimitSettings = { [Name in keyof typeof limitVariables]?: number | undefined };

/** A rate and its burst, both multiplied by `factor`. */
function scaled<T extends Rate>(rate: T, factor: number): T {
  return { ...rate, perSecond: rate.perSecond * factor, burst: Math.ceil(rate.burst * factor) };
}

/** Distributes the connections of `total` that are not reserved in the proportions of the defaults; the remainder goes to `members`. */
function distributeConnections(total: number): DatabaseLimits["connections"] {
  const { auth, anonymous, members, service } = connections;
  const left = total - reservedConnections;
  const share = (count: number) =>
    Math.max(1, Math.floor((count / (auth + anonymous + members + service)) * left));
  const shared = { auth: share(auth), anonymous: share(anonymous), service: share(service) };
  const used = shared.auth + shared.anonymous + shared.service;
  return { ...connections, ...shared, members: left - used };
}

function databaseLimits(total: number | undefined): DatabaseLimits {
  if (total === undefined) return defaultLimits.database;
  const shared = distributeConnections(total);
  const third = Math.max(1, Math.floor(shared.members / 3));
  return {
    ...defaultLimits.database,
    connections: shared,
    perMember: third,
    forHeavyMembers: third,
  };
}

/**
 * The host's limits from the operator's settings. A rate is that of the REST service; the rates of the other services
 * and all bursts scale with it.
 */
export function readLimits(settings: LimitSettings): HostLimits {
  const { requests } = defaultLimits;
  const { rest } = requests.services;
  const member =
    (settings.MEMBER_REQUESTS_PER_SECOND ?? rest.member.perSecond) / rest.member.perSecond;
  const anonymous =
    (settings.ANONYMOUS_REQUESTS_PER_SECOND ?? rest.anonymous.perSecond) / rest.anonymous.perSecond;
  const address =
    (settings.ADDRESS_REQUESTS_PER_SECOND ?? requests.address.perSecond) /
    requests.address.perSecond;
  const service = (limits: ServiceLimits): ServiceLimits => ({
    ...limits,
    member: scaled(limits.member, member),
    anonymous: scaled(limits.anonymous, anonymous),
  });
  return {
    requests: {
      ...requests,
      services: {
        auth: service(requests.services.auth),
        rest: service(requests.services.rest),
        storage: service(requests.services.storage),
        functions: service(requests.services.functions),
      },
      address: scaled(requests.address, address),
      tokenRefreshes: scaled(requests.tokenRefreshes, address),
      sockets: scaled(requests.sockets, address),
    },
    database: {
      ...databaseLimits(settings.DATABASE_CONNECTIONS),
      replicaConnections:
        settings.DATABASE_REPLICA_CONNECTIONS ?? defaultLimits.database.replicaConnections,
    },
  };
}
