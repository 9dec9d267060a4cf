/** What a day of one active member costs, as measured. */
export interface MeasuredDay {
  requests: number;
  /** Write-ahead log, in bytes. */
  logBytes: number;
  /** Growth of the database, in bytes. */
  storedBytes: number;
  /** Time of a processor, in milliseconds. */
  hostMs: number;
  postgresMs: number;
}

/** What is not measured here. An install has its own figures in its metrics. */
export interface Assumptions {
  /** Share of the members that comes on a day. */
  activeShare: number;
  /** How much more is asked for at the peak than on average. */
  peakFactor: number;
  emailsPerMember: number;
}

export const assumptions: Assumptions = {
  activeShare: 0.2,
  peakFactor: 5,
  emailsPerMember: 0.26,
};

/** What an install of a size has to carry. */
export interface Load {
  members: number;
  requestsPerSecondAtPeak: number;
  logBytesPerDay: number;
  storedBytesPerYear: number;
  /** Processors that are busy at the peak. */
  hostCores: number;
  postgresCores: number;
  emailsPerDay: number;
}

const daySeconds = 86_400;
const daysPerYear = 365;

/** Multiplies one member's day by the members of a day; everything is taken to grow with their number. */
export function loadOf(
  members: number,
  day: MeasuredDay,
  { activeShare, peakFactor, emailsPerMember }: Assumptions = assumptions,
): Load {
  const active = members * activeShare;
  const atPeak = (active * peakFactor) / daySeconds;
  return {
    members,
    requestsPerSecondAtPeak: atPeak * day.requests,
    logBytesPerDay: active * day.logBytes,
    storedBytesPerYear: active * day.storedBytes * daysPerYear,
    hostCores: (atPeak * day.hostMs) / 1000,
    postgresCores: (atPeak * day.postgresMs) / 1000,
    emailsPerDay: members * emailsPerMember,
  };
}
