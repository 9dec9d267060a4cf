// All limits of Realtime and their default values.

const kib = 1024;
const mib = 1024 * kib;

/** Limits of an account, of the anonymous clients of an address, or of an address. Bursts last four seconds. */
export interface CallerLimits {
  /** One broadcast's payload. */
  broadcastBytes: number;
  broadcastBytesPerSecond: number;
  /** Bytes of broadcasts and presence, times their receivers. */
  fanOutBytesPerSecond: number;
  /** Broadcasts by HTTP. */
  httpMessagesPerSecond: number;
  joinsPerSecond: number;
  /** New filters validated by Postgres; one with a pattern counts as ten. */
  filterValidationsPerSecond: number;
  /** Filters that Postgres evaluates, over all sockets. */
  databaseFilters: number;
  /** One presence payload with its key. */
  presenceBytes: number;
  presenceBytesPerSocket: number;
  /** Topics, filters and tokens of the channels of one socket. */
  joinBytesPerSocket: number;
  /** Queued messages of one socket. */
  waitingBytesPerSocket: number;
}

/** Limits and intervals of the service. Hosted projects have similar limits. */
export interface RealtimeLimits {
  /** Size of one frame a client sends, in bytes. */
  frameBytes: number;
  channelsPerSocket: number;
  /** Different filters that Postgres evaluates, over all channels of a socket. */
  databaseFiltersPerSocket: number;
  /** Different filters that Postgres evaluates, over all callers. Anonymous clients may have half of them. */
  databaseFilters: number;
  joinsPerSecond: number;
  messagesPerSecond: number;
  /** Bytes read from one socket; small messages are not counted. A burst lasts four seconds. */
  receivedBytesPerSecond: number;
  /** Queued messages of one socket. */
  waitingMessagesPerSocket: number;
  /** A socket that has been silent for this long is closed. */
  idleMs: number;
  /** Time from the first byte of a message to its last. */
  messageMs: number;
  /** A socket with more unsent bytes is cut. */
  unsentBytes: number;
  /** Above this, a slow client gets no broadcasts and presence. Postgres changes are never dropped. */
  unsentDroppableBytes: number;
  /** Calls of track and untrack on one channel in `presenceWindowMs`. */
  presenceCallsPerWindow: number;
  presenceWindowMs: number;
  /** Limits of clients without and with an account. */
  anon: CallerLimits;
  authenticated: CallerLimits;
  /** Limits of all clients of one address together. */
  address: CallerLimits;
  /** Sockets of one address; an IPv6 /64 counts as one. */
  socketsPerAddress: number;
  /** New sockets of one address; bursts are as large as `socketsPerAddress` twice. */
  connectsPerSecondPerAddress: number;
  messagesPerSecondPerAddress: number;
  receivedBytesPerSecondPerAddress: number;
  socketsPerAccount: number;
  /** Presences of one topic: their number, size and changes. */
  presencesPerTopic: number;
  presenceBytesPerTopic: number;
  presenceEventsPerSecondPerTopic: number;
  fanOutBytesPerSecondPerTopic: number;
  /** Limits of the process. */
  sockets: number;
  /** Sockets on which no account has joined a channel yet. */
  anonSockets: number;
  presenceBytes: number;
  joinBytes: number;
  /** Queued and incomplete messages. */
  waitingBytes: number;
  /** Unsent bytes of all sockets. Above it, the slowest are cut. */
  allUnsentBytes: number;
  fanOutBytesPerSecond: number;
  /** Joins that query the database at once, and joins queued: in all, of anonymous clients and of one caller. */
  joinConcurrency: number;
  joinsWaiting: number;
  joinsWaitingAnon: number;
  joinsWaitingPerCaller: number;
  /** Queued messages to other hosts over the same database. */
  clusterBusBytes: number;
  /** Interval of checks for silence, expired tokens and peers. */
  sweepEveryMs: number;
  /** Interval after which the permissions of a private channel are checked again. A new token is checked at once. */
  recheckMs: number;
  purgeEveryMs: number;
  /** Write-ahead log a reader may leave unconfirmed before it is ended, and how often that is checked. */
  unconfirmedLogBytes: number;
  slotGuardEveryMs: number;
  /** Interval of a host's heartbeat, and the silence after which its peers remove it. */
  heartbeatEveryMs: number;
  peerTimeoutMs: number;
}

/** Longer tokens are rejected unread; the HTTP services reject such headers as well. */
export const maxTokenBytes = 16 * kib;
export const maxTopicLength = 1_000;
export const maxPresenceKeyLength = 255;
/** While an address is over its limit, its sockets that send less than this are not limited. */
export const modestMessagesPerSecond = 20;
export const modestMessageBytes = 64 * kib;
/** Unsent bytes above which a client gets no broadcasts while memory for all is short. */
export const crowdedBufferBytes = 64 * kib;
/** A socket is not read for this long after a larger message over the limits. */
export const largeMessageDelayMs = 500;
/** A newer anonymous socket is not closed to make room: its client may be about to join with an account. */
export const anonGraceMs = 10_000;
/** Approximate memory of a channel besides what its client sent. */
export const channelOverheadBytes = 2 * kib;

const anon: CallerLimits = {
  broadcastBytes: 64 * kib,
  broadcastBytesPerSecond: 128 * kib,
  fanOutBytesPerSecond: 2 * mib,
  httpMessagesPerSecond: 50,
  joinsPerSecond: 100,
  filterValidationsPerSecond: 5,
  databaseFilters: 200,
  presenceBytes: kib,
  presenceBytesPerSocket: 16 * kib,
  joinBytesPerSocket: 512 * kib,
  waitingBytesPerSocket: 512 * kib,
};

const authenticated: CallerLimits = {
  // As in the free plan of hosted projects.
  broadcastBytes: 256 * kib,
  broadcastBytesPerSecond: 512 * kib,
  fanOutBytesPerSecond: 8 * mib,
  httpMessagesPerSecond: 100,
  joinsPerSecond: 100,
  filterValidationsPerSecond: 25,
  databaseFilters: 200,
  presenceBytes: 8 * kib,
  presenceBytesPerSocket: 128 * kib,
  joinBytesPerSocket: 2 * mib,
  waitingBytesPerSocket: 2 * mib,
};

export const realtimeDefaults: RealtimeLimits = {
  frameBytes: mib,
  channelsPerSocket: 100,
  databaseFiltersPerSocket: 100,
  databaseFilters: 1_000,
  joinsPerSecond: 100,
  messagesPerSecond: 200,
  receivedBytesPerSecond: mib,
  waitingMessagesPerSocket: 250,
  // A client sends a heartbeat every 25 seconds.
  idleMs: 60_000,
  messageMs: 30_000,
  unsentBytes: 8 * mib,
  unsentDroppableBytes: mib,
  // As on hosted projects.
  presenceCallsPerWindow: 5,
  presenceWindowMs: 30_000,
  anon,
  authenticated,
  address: {
    ...authenticated,
    broadcastBytesPerSecond: 4 * mib,
    fanOutBytesPerSecond: 32 * mib,
    httpMessagesPerSecond: 500,
    joinsPerSecond: 1_000,
    filterValidationsPerSecond: 100,
  },
  // An office behind one address.
  socketsPerAddress: 400,
  connectsPerSecondPerAddress: 50,
  messagesPerSecondPerAddress: 2_000,
  receivedBytesPerSecondPerAddress: 8 * mib,
  socketsPerAccount: 40,
  presencesPerTopic: 1_000,
  presenceBytesPerTopic: 256 * kib,
  presenceEventsPerSecondPerTopic: 100,
  fanOutBytesPerSecondPerTopic: 32 * mib,
  sockets: 10_000,
  anonSockets: 4_000,
  presenceBytes: 32 * mib,
  joinBytes: 128 * mib,
  waitingBytes: 64 * mib,
  allUnsentBytes: 128 * mib,
  fanOutBytesPerSecond: 128 * mib,
  joinConcurrency: 2,
  joinsWaiting: 4_000,
  joinsWaitingAnon: 2_000,
  joinsWaitingPerCaller: 400,
  clusterBusBytes: 16 * mib,
  sweepEveryMs: 1_000,
  recheckMs: 30_000,
  purgeEveryMs: 3_600_000,
  unconfirmedLogBytes: 1024 * mib,
  slotGuardEveryMs: 10_000,
  heartbeatEveryMs: 10_000,
  peerTimeoutMs: 25_000,
};
