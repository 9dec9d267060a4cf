import { z } from "zod";
import type { DatabaseLimits, HostLimits, Rate, ServiceLimits } from "./limits.ts";
import { defaultLimits } from "./limits.ts";

const rate = z.coerce.number().min(1).max(1_000_000);
const { connections } = defaultLimits.database;
/** Pools that work needs as they are: realtime keeps some of their connections for good. */
const { admin, background, lookups, jobs, joins, authenticator } = connections;
const keptConnections = admin + background + lookups + jobs + joins + authenticator;
const fewestConnections = keptConnections + 11;
/** The embedded Postgres takes 100; the rest is for realtime's own, tools and the operator. */
export const mostEmbeddedConnections = 80;

/** The variables an operator may set; part of the host's environment. */
export const limitVariables = {
  MEMBER_REQUESTS_PER_SECOND: rate.optional(),
  STRANGER_REQUESTS_PER_SECOND: rate.optional(),
  ADDRESS_REQUESTS_PER_SECOND: rate.optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(fewestConnections).max(1000).optional(),
} as const;

export type LimitSettings = { [Name in keyof typeof limitVariables]?: number | undefined };

/** A rate times `factor`, its burst alike. */
function scaled<T extends Rate>(rate: T, factor: number): T {
  return { ...rate, perSecond: rate.perSecond * factor, burst: Math.ceil(rate.burst * factor) };
}

/** Shares out what `total` leaves to callers and accounts, as the defaults do; what is over goes to the members. */
function shareOut(total: number): DatabaseLimits["connections"] {
  const { auth, strangers, members, service } = connections;
  const left = total - keptConnections;
  const share = (count: number) =>
    Math.max(1, Math.floor((count / (auth + strangers + members + service)) * left));
  const shared = { auth: share(auth), strangers: share(strangers), service: share(service) };
  const used = shared.auth + shared.strangers + shared.service;
  return { ...connections, ...shared, members: left - used };
}

function databaseLimits(total: number | undefined): DatabaseLimits {
  if (total === undefined) return defaultLimits.database;
  const shared = shareOut(total);
  const third = Math.max(1, Math.floor(shared.members / 3));
  return {
    ...defaultLimits.database,
    connections: shared,
    perMember: third,
    forHeavyMembers: third,
  };
}

/**
 * The limits as an operator set them. A rate is that of REST; those of the other services and the bursts grow or
 * shrink with it.
 */
export function limitsFrom(settings: LimitSettings): HostLimits {
  const { requests } = defaultLimits;
  const { rest } = requests.services;
  const member =
    (settings.MEMBER_REQUESTS_PER_SECOND ?? rest.member.perSecond) / rest.member.perSecond;
  const stranger =
    (settings.STRANGER_REQUESTS_PER_SECOND ?? rest.stranger.perSecond) / rest.stranger.perSecond;
  const address =
    (settings.ADDRESS_REQUESTS_PER_SECOND ?? requests.address.perSecond) /
    requests.address.perSecond;
  const service = (limits: ServiceLimits): ServiceLimits => ({
    ...limits,
    member: scaled(limits.member, member),
    stranger: scaled(limits.stranger, stranger),
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
      renewals: scaled(requests.renewals, address),
      sockets: scaled(requests.sockets, address),
    },
    database: databaseLimits(settings.DATABASE_CONNECTIONS),
  };
}
