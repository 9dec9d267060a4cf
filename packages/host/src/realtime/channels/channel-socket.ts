import type { ByteBudget } from "../byte-budget.ts";
import type { Frame, ProtocolVersion } from "../frames.ts";
import type { Identity } from "../identity.ts";
import type { Caller } from "../senders.ts";

/** What a client is told when its channel ends. */
export const EXPIRED = "Token has expired";
export const NO_LONGER = "You do not have permissions to read from this Channel topic anymore";

/** A join that is refused; `message` is the reason the client is given. */
export class JoinRefused extends Error {
  override readonly name = "JoinRefused";
}

/** What a channel needs of the socket it lives on. */
export interface ChannelSocket {
  readonly version: ProtocolVersion;
  readonly isOpen: boolean;
  /** The channels joined over it. */
  readonly channels: readonly { readonly askedFilters: readonly string[] }[];
  /** What its channels may hold. */
  readonly joinBytes: ByteBudget;
  readonly presenceBytes: ByteBudget;
  send: (frame: Frame) => void;
  /** Sends what a reader that is far behind can do without; false when it was left out. */
  sendEphemeral: (frame: Frame) => boolean;
  identify: (token: string | undefined) => Promise<Identity>;
  /**
   * Notes that an account uses the socket. @returns who pays for what is done on the channel
   * @throws {JoinRefused} when the account has too many sockets
   */
  admit: (identity: Identity) => Caller;
  /** The channel is closed and no longer the one of its topic. */
  forget: (channel: { readonly fullTopic: string }) => void;
}
