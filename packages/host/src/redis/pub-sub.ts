// What hosts over one database say to each other outside of it.

/** Receives what is said on a channel. */
export interface ChannelListener {
  /** A message of any host, this one too. It may come from anyone who reaches the store. */
  onMessage: (content: Buffer) => void;
  /** What is published is heard from now on, or no longer. */
  onChange?: (isUp: boolean) => void;
}

/** Carries messages to all hosts that are there at that moment. Nothing is kept. */
export interface PubSub {
  /** True while this host publishes and hears. */
  readonly isUp: boolean;
  /** Resolves when it is up for the first time, or could not be reached. */
  readonly opened: Promise<void>;
  /** @throws when it is not known whether the message was published */
  publish: (channel: string, message: string) => Promise<void>;
  /** Only before `open`. */
  listen: (channel: string, listener: ChannelListener) => void;
  /** Connects, without waiting for it. */
  open: () => void;
  close: () => void;
}
