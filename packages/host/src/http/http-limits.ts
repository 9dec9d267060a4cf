/** Limits per connection, per address and for the whole server. docs/subsystems/limits.md explains each value. */
export interface HttpLimits {
  /** Size of the request line and headers together. */
  maxHeaderBytes: number;
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  requestTimeoutMs: number;
  /** Idle time between two requests on one connection. */
  keepAliveTimeoutMs: number;
  /** Time without a byte in either direction while the client sends a request or reads a response. */
  idleTimeoutMs: number;
  /** From the first byte of a response to its last. */
  responseTimeoutMs: number;
  /** Unanswered requests on one connection (HTTP pipelining). */
  maxPipelined: number;
  /** Connections from one address without its WebSockets; the trusted proxy is exempt, because it represents many clients. */
  maxConnectionsPerAddress: number;
  /** Including WebSockets; above the limit of realtime, so that requests find room beside them. */
  maxConnections: number;
  /** Bytes of unfinished requests and unread responses buffered for one address. */
  maxBufferedBytesPerAddress: number;
  maxBufferedBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 10_000,
  idleTimeoutMs: 20_000,
  responseTimeoutMs: 300_000,
  maxPipelined: 16,
  maxConnectionsPerAddress: 1024,
  maxConnections: 16_384,
  maxBufferedBytesPerAddress: 64 * 1024 ** 2,
  maxBufferedBytes: 192 * 1024 ** 2,
};
