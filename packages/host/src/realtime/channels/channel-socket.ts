import type { ByteBudget } from "../limits/byte-budget.ts";
import type { Frame, ProtocolVersion } from "../socket/frames.ts";
import type { AuthContext } from "../authorization/token-verifier.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";

/** What a client is told when its channel ends. */
export const tokenExpired = "Token has expired";
export const permissionLost = "You do not have permissions to read from this Channel topic anymore";

/** A join that is refused; `message` is the reason the client is given. */
export class JoinError extends Error {
  override readonly name = "JoinRefused";
}

/** What a channel needs of the socket it lives on. */
export interface ChannelSocket {
  readonly version: ProtocolVersion;
  readonly isOpen: boolean;
  /** The channels joined over it. */
  readonly channels: readonly { readonly databaseFilters: readonly string[] }[];
  /** What its channels may hold. */
  readonly joinBytes: ByteBudget;
  readonly presenceBytes: ByteBudget;
  send: (frame: Frame) => void;
  /** Sends what a reader that is far behind can do without; false when it was left out. */
  sendEphemeral: (frame: Frame) => boolean;
  verifyToken: (token: string | undefined) => Promise<AuthContext>;
  /**
   * Notes that an account uses the socket. @returns who pays for what is done on the channel
   * @throws {JoinError} when the account has too many sockets
   */
  addCaller: (identity: AuthContext) => RealtimeCaller;
  /** The channel is closed and no longer the one of its topic. */
  removeChannel: (channel: { readonly fullTopic: string }) => void;
}
