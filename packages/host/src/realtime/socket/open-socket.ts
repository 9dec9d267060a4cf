/** What the server's limits know of a socket: how much it holds, and how to end it. */
export interface OpenSocket {
  /** Milliseconds of the host's clock. */
  readonly openedAt: number;
  /** Bytes of frames that the client has not read yet. */
  readonly unsentBytes: number;
  /** Bytes of messages that are incomplete or queued. */
  readonly waitingBytes: number;
  /** Closes the connection at once, without a closing frame. */
  terminate: () => void;
}
