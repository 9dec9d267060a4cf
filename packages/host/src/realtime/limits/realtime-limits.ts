const KB = 1024;
const MB = 1024 * KB;

/** What one sender may do: an account, the strangers of one address, or an address as a whole. Bursts last four seconds. */
export interface CallerLimits {
  /** One broadcast's payload. */
  broadcastBytes: number;
  broadcastBytesPerSecond: number;
  /** Bytes of broadcasts and presence times those who hear them. */
  fanOutBytesPerSecond: number;
  /** Broadcasts by HTTP. */
  httpMessagesPerSecond: number;
  joinsPerSecond: number;
  /** Filters that Postgres has to try; one with a pattern counts as ten. */
  filterValidationsPerSecond: number;
  /** Filters that Postgres has to be asked about, over all sockets. */
  databaseFilters: number;
  /** One presence payload with its key. */
  presenceBytes: number;
  presenceBytesPerSocket: number;
  /** Topics, filters and tokens of the channels of one socket. */
  joinBytesPerSocket: number;
  /** Messages of one socket that wait for those before them. */
  waitingBytesPerSocket: number;
}

/** What sockets may do and when the service looks after things; hosted projects have limits of the same kind. */
export interface RealtimeLimits {
  /** Size of one frame a client sends, in bytes. */
  frameBytes: number;
  channelsPerSocket: number;
  /** Different filters that Postgres has to be asked about, over all channels of a socket. */
  databaseFiltersPerSocket: number;
  /** The same over all callers, where the same filter counts once. Strangers may have half of them. */
  databaseFilters: number;
  joinsPerSecond: number;
  messagesPerSecond: number;
  /** Messages of one socket that wait for those before them. */
  waitingMessagesPerSocket: number;
  /** A socket that has been silent for so long is closed. */
  idleMs: number;
  /** A message has to be complete so long after its first byte. */
  messageMs: number;
  /** Frames that wait for a reader slower than this are given up together with the socket. */
  unsentBytes: number;
  /** Above this, broadcasts and presence are left out for a slow reader; changes of tables are not. */
  unsentDroppableBytes: number;
  /** Calls of track and untrack on one channel in `presenceWindowMs`. */
  presenceCallsPerWindow: number;
  presenceWindowMs: number;
  /** Sockets of callers without an account, and of members. */
  anon: CallerLimits;
  authenticated: CallerLimits;
  /** What all callers of one address may do together. */
  address: CallerLimits;
  /** Sockets of one address; an IPv6 /64 counts as one. */
  socketsPerAddress: number;
  /** New sockets of one address; bursts are as large as `socketsPerAddress` twice. */
  connectsPerSecondPerAddress: number;
  messagesPerSecondPerAddress: number;
  receivedBytesPerSecondPerAddress: number;
  socketsPerAccount: number;
  /** Members present on one topic, their payloads, and how often they may change. */
  presencesPerTopic: number;
  presenceBytesPerTopic: number;
  presenceEventsPerSecondPerTopic: number;
  fanOutBytesPerSecondPerTopic: number;
  /** What the whole process holds or does. */
  sockets: number;
  /** Sockets on which no account has joined anything yet. */
  anonSockets: number;
  presenceBytes: number;
  joinBytes: number;
  /** Messages that wait, and parts of messages that are still arriving. */
  waitingBytes: number;
  /** What waits for slow readers. The slowest lose their sockets first. */
  allUnsentBytes: number;
  fanOutBytesPerSecond: number;
  /** Joins that ask the database at once, those that wait for it, and those of strangers and of one caller among them. */
  joinConcurrency: number;
  joinsWaiting: number;
  joinsWaitingAnon: number;
  joinsWaitingPerCaller: number;
  /** What waits to be told to other hosts over the same database. */
  clusterBusBytes: number;
  /** How often silence, the end of tokens and peers are looked at. */
  sweepEveryMs: number;
  /** A private channel's rights are asked again after so long; a new token has them asked at once. */
  recheckMs: number;
  purgeEveryMs: number;
  /** How often a host tells its peers that it is there, and after which silence it is taken for gone. */
  heartbeatEveryMs: number;
  peerTimeoutMs: number;
}

/** A token longer than this is not looked at; the HTTP services refuse such headers as well. */
export const maxTokenBytes = 16 * KB;
export const maxTopicLength = 1_000;
export const maxPresenceKeyLength = 255;
/** While an address sends too much, sockets that send this little are not the reason. */
export const modestMessagesPerSecond = 20;
export const modestMessageBytes = 64 * KB;
/** A stranger's socket open for less may still be a member's who is about to join. */
export const anonGraceMs = 10_000;
/** What a joined channel holds besides what its client sent. */
export const channelOverheadBytes = 2 * KB;

const anon: CallerLimits = {
  broadcastBytes: 64 * KB,
  broadcastBytesPerSecond: 128 * KB,
  fanOutBytesPerSecond: 2 * MB,
  httpMessagesPerSecond: 50,
  joinsPerSecond: 100,
  filterValidationsPerSecond: 5,
  databaseFilters: 200,
  presenceBytes: KB,
  presenceBytesPerSocket: 16 * KB,
  joinBytesPerSocket: 512 * KB,
  waitingBytesPerSocket: 512 * KB,
};

const authenticated: CallerLimits = {
  // As hosted projects of the free plan have it.
  broadcastBytes: 256 * KB,
  broadcastBytesPerSecond: 512 * KB,
  fanOutBytesPerSecond: 8 * MB,
  httpMessagesPerSecond: 100,
  joinsPerSecond: 100,
  filterValidationsPerSecond: 25,
  databaseFilters: 200,
  presenceBytes: 8 * KB,
  presenceBytesPerSocket: 128 * KB,
  joinBytesPerSocket: 2 * MB,
  waitingBytesPerSocket: 2 * MB,
};

export const realtimeDefaults: RealtimeLimits = {
  frameBytes: MB,
  channelsPerSocket: 100,
  databaseFiltersPerSocket: 100,
  databaseFilters: 1_000,
  joinsPerSecond: 100,
  messagesPerSecond: 200,
  waitingMessagesPerSocket: 250,
  // A client sends a heartbeat every 25 seconds.
  idleMs: 60_000,
  messageMs: 30_000,
  unsentBytes: 8 * MB,
  unsentDroppableBytes: MB,
  // As on hosted projects.
  presenceCallsPerWindow: 5,
  presenceWindowMs: 30_000,
  anon,
  authenticated,
  address: {
    ...authenticated,
    broadcastBytesPerSecond: 4 * MB,
    fanOutBytesPerSecond: 32 * MB,
    httpMessagesPerSecond: 500,
    joinsPerSecond: 1_000,
    filterValidationsPerSecond: 100,
  },
  // An office behind one address.
  socketsPerAddress: 400,
  connectsPerSecondPerAddress: 50,
  messagesPerSecondPerAddress: 2_000,
  receivedBytesPerSecondPerAddress: 8 * MB,
  socketsPerAccount: 40,
  presencesPerTopic: 1_000,
  presenceBytesPerTopic: 256 * KB,
  presenceEventsPerSecondPerTopic: 100,
  fanOutBytesPerSecondPerTopic: 32 * MB,
  sockets: 10_000,
  anonSockets: 4_000,
  presenceBytes: 32 * MB,
  joinBytes: 128 * MB,
  waitingBytes: 64 * MB,
  allUnsentBytes: 128 * MB,
  fanOutBytesPerSecond: 128 * MB,
  joinConcurrency: 2,
  joinsWaiting: 4_000,
  joinsWaitingAnon: 2_000,
  joinsWaitingPerCaller: 400,
  clusterBusBytes: 16 * MB,
  sweepEveryMs: 1_000,
  recheckMs: 30_000,
  purgeEveryMs: 3_600_000,
  heartbeatEveryMs: 10_000,
  peerTimeoutMs: 30_000,
};
