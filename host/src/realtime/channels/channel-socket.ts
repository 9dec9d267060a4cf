import type { Frame, ProtocolVersion } from "../frames.ts";
import type { Identity } from "../identity.ts";

/** A join that is refused; `message` is the reason the client is given. */
export class JoinRefused extends Error {
  override readonly name = "JoinRefused";
}

/** What a channel needs of the socket it lives on. */
export interface ChannelSocket {
  readonly version: ProtocolVersion;
  /** The channels joined over it. */
  readonly channels: readonly { readonly askedFilters: readonly string[] }[];
  send: (frame: Frame) => void;
  identify: (token: string | undefined) => Promise<Identity>;
  /** The channel is closed and no longer the one of its topic. */
  forget: (channel: { readonly fullTopic: string }) => void;
}
