/** What one connection, one address and the whole server may take. docs/subsystems/limits.md explains each value. */
export interface HttpLimits {
  /** Request line and headers together. */
  maxHeaderBytes: number;
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  requestTimeoutMs: number;
  /** Between two requests of a connection. */
  keepAliveTimeoutMs: number;
  /** Without a byte in either direction while the client sends a request or reads an answer. */
  idleTimeoutMs: number;
  /** From the first byte of an answer to its last. */
  answerTimeoutMs: number;
  /** Requests that one connection may have open at a time (pipelining). */
  maxPipelined: number;
  /** Connections of one address; the trusted proxy is exempt, because it stands for many. */
  maxConnectionsPerAddress: number;
  maxConnections: number;
  /** Bytes of unfinished requests and unread answers that are held for one address. */
  maxHeldBytesPerAddress: number;
  maxHeldBytes: number;
}

export const HTTP_LIMITS: HttpLimits = {
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 10_000,
  idleTimeoutMs: 20_000,
  answerTimeoutMs: 300_000,
  maxPipelined: 16,
  maxConnectionsPerAddress: 512,
  maxConnections: 8192,
  maxHeldBytesPerAddress: 64 * 1024 ** 2,
  maxHeldBytes: 192 * 1024 ** 2,
};
