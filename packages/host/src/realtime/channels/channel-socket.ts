import type { ByteBudget } from "../limits/byte-budget.ts";
import type { Frame, ProtocolVersion } from "../socket/frames.ts";
import type { VerifiedToken } from "../channel-authorization/token-verifier.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";

/** Reasons a channel closes with. */
export const tokenExpired = "Token has expired";
export const permissionLost = "You do not have permissions to read from this Channel topic anymore";

/** A rejected join. `message` is sent to the client. */
export class JoinError extends Error {
  override readonly name = "JoinRefused";
}

/** What a channel needs of its socket. */
export interface ChannelSocket {
  readonly version: ProtocolVersion;
  readonly isOpen: boolean;
  /** The channels joined over it. */
  readonly channels: readonly { readonly databaseFilters: readonly string[] }[];
  /** Memory limits of its channels. */
  readonly joinBytes: ByteBudget;
  readonly presenceBytes: ByteBudget;
  send: (frame: Frame) => void;
  /** Sends a frame that may be dropped for a slow client; false when it was dropped. */
  sendEphemeral: (frame: Frame) => boolean;
  verifyToken: (token: string | undefined) => Promise<VerifiedToken>;
  /**
   * Registers the account with the socket.
   * @throws {JoinError} when the account has too many sockets
   */
  addCaller: (identity: VerifiedToken) => RealtimeCaller;
  /** Removes a closed channel. */
  removeChannel: (channel: { readonly fullTopic: string }) => void;
}

/** The message of a join while changes cannot be read. */
export const notReading = "InitializingProjectConnection: Connecting to the project database";
