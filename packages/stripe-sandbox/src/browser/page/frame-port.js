const unmountedError = {
  type: "validation_error",
  code: "element_unmounted",
  message: "The card entry was taken off the page.",
};

/** A private message channel to a card entry's frame. */
export class FramePort {
  #port = null;
  #waiting = new Map();
  #sent = 0;

  get isOpen() {
    return this.#port !== null;
  }

  /** Connects a loaded frame by sending it one end of the channel. */
  connect(frame, greeting, onMessage) {
    this.close();
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.addEventListener("message", ({ data }) => {
      if (data.type === "created") this.#settle(data.id, data);
      else onMessage(data);
    });
    this.#port.start();
    const message = { type: "stripe-sandbox-connect", ...greeting };
    frame.contentWindow.postMessage(message, "*", [channel.port2]);
  }

  send(message) {
    this.#port?.postMessage(message);
  }

  /** Resolves to the frame's response. */
  request(message) {
    this.#sent += 1;
    const id = this.#sent;
    this.send({ ...message, id });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  close() {
    for (const id of this.#waiting.keys()) this.#settle(id, { error: unmountedError });
    this.#port?.close();
    this.#port = null;
  }

  #settle(id, answer) {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
