import { focusByLabel, showClasses, wrapFrame } from "./card-frame.js";
import { FramePort } from "./frame-port.js";
import { IntegrationError } from "./errors.js";
import { Listeners } from "./listeners.js";
import { formPairs } from "./requests.js";

const readyTimeoutMs = 15_000;

/** The page's side of one Element: an iframe in the page's container and the port to it. */
export class FrameElement {
  #provider;
  #options;
  #onDestroy;
  #listeners = new Listeners();
  #container = null;
  #frame = null;
  #port = new FramePort();
  #state = { empty: true, complete: false, error: undefined };
  #hasFocus = false;
  #isReady = false;
  #wantsFocus = false;
  /** The frame was asked to take the focus and has not reported focus or blur since. */
  #isFocusRequested = false;
  #timer = 0;
  #unlisten = new AbortController();
  isDestroyed = false;

  /** Where the sandbox is served. */
  get base() {
    return this.#provider.base;
  }

  constructor(provider, options, onDestroy) {
    this.#provider = provider;
    this.#options = { ...options };
    this.#onDestroy = onDestroy;
  }

  mount(target) {
    if (this.isDestroyed) {
      throw new IntegrationError(
        "This Element has already been destroyed. Please create a new one.",
      );
    }
    const container = typeof target === "string" ? document.querySelector(target) : target;
    if (!(container instanceof HTMLElement)) {
      throw new IntegrationError(
        `The selector you specified (${String(target)}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`,
      );
    }
    if (this.#container === container) return;
    this.unmount();
    this.#container = container;
    this.#frame = this.newFrame(this.#provider.base, container.clientWidth);
    this.#frame.addEventListener("load", (event) => this.#connect(event.target));
    container.replaceChildren(wrapFrame(this.#frame));
    focusByLabel(container, () => this.focus(), this.#unlisten.signal);
    this.#showClasses();
    this.#timer = setTimeout(() => {
      const message = "The card entry could not be loaded.";
      this.#emit("loaderror", { error: { type: "api_connection_error", message } });
    }, readyTimeoutMs);
  }

  #connect(frame) {
    if (frame !== this.#frame) return;
    const { publishableKey } = this.#provider;
    const greeting = { publishableKey, options: this.plainOptions(this.#options) };
    this.#port.connect(frame, greeting, (message) => this.#onMessage(message));
  }

  #onMessage(message) {
    switch (message.type) {
      case "ready":
        clearTimeout(this.#timer);
        if (!this.#isReady) this.#emit("ready", {});
        this.#isReady = true;
        if (this.#wantsFocus) this.focus();
        break;
      case "height":
        if (this.#frame && message.height > 0) this.#frame.style.height = `${message.height}px`;
        break;
      case "change":
        this.#state = message.state;
        this.#showClasses();
        this.#emit("change", message.state);
        break;
      case "focus":
      case "blur":
        this.#hasFocus = message.type === "focus";
        this.#showClasses();
        this.#emit(message.type, {});
        this.#keepFocus();
        break;
      case "escape":
        this.#emit("escape", {});
        break;
      case "submit":
        this.#container?.closest("form")?.requestSubmit();
        break;
      default:
    }
  }

  #showClasses() {
    if (!this.#container) return;
    showClasses(this.#container, this.#options.classes ?? {}, {
      base: this.#frame !== null,
      empty: this.#frame !== null && this.#state.empty,
      complete: this.#state.complete,
      invalid: this.#state.error !== undefined,
      focus: this.#hasFocus,
    });
  }

  #emit(name, detail) {
    this.#listeners.emit(name, { elementType: this.type, ...detail });
  }

  on(name, listener) {
    this.#listeners.add(name, listener);
    if (name === "ready" && this.#isReady) {
      queueMicrotask(
        () => this.#listeners.has(name, listener) && listener({ elementType: this.type }),
      );
    }
    return this;
  }

  once(name, listener) {
    const single = (event) => {
      this.off(name, single);
      listener(event);
    };
    return this.on(name, single);
  }

  off(name, listener) {
    this.#listeners.remove(name, listener);
    return this;
  }

  addEventListener(name, listener) {
    return this.on(name, listener);
  }

  removeEventListener(name, listener) {
    return this.off(name, listener);
  }

  update(options) {
    const style = options.style && { ...this.#options.style, ...options.style };
    Object.assign(this.#options, options, style && { style });
    this.#showClasses();
    this.#port.send({ type: "options", options: this.plainOptions(this.#options) });
  }

  /**
   * A click on the label moves the focus to the page and back. The frame may receive the request for focus before its
   * own blur, so the focus is requested again while the frame is the active element.
   */
  #keepFocus() {
    const isLost =
      this.#isFocusRequested && !this.#hasFocus && document.activeElement === this.#frame;
    this.#isFocusRequested = false;
    if (isLost) this.focus();
  }

  /** Focuses the card number, once the frame is ready. */
  focus() {
    this.#isFocusRequested = true;
    this.#wantsFocus = !this.#isReady;
    this.#frame?.focus();
    this.#port.send({ type: "focus" });
  }

  blur() {
    this.#port.send({ type: "blur" });
    this.#frame?.blur();
  }

  clear() {
    this.#port.send({ type: "clear" });
  }

  unmount() {
    clearTimeout(this.#timer);
    this.#unlisten.abort();
    this.#unlisten = new AbortController();
    this.#port.close();
    this.#frame = null;
    this.#isReady = false;
    this.#hasFocus = false;
    this.#state = { empty: true, complete: false, error: undefined };
    this.#showClasses();
    this.#container?.replaceChildren();
    this.#container = null;
  }

  destroy() {
    if (this.isDestroyed) {
      throw new IntegrationError(
        "This Element has already been destroyed. Please create a new one.",
      );
    }
    this.unmount();
    this.isDestroyed = true;
    this.#onDestroy();
  }

  /** Sends the frame a request with the given members; resolves to its answer. */
  ask(message) {
    if (!this.#port.isOpen) {
      throw new IntegrationError(
        "We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.",
      );
    }
    return this.#port.request(message);
  }

  /** Asks the frame to create a `payment_method` or `token` from its values. */
  create(kind, params) {
    return this.ask({ type: "create", kind, params: formPairs(params) });
  }
}
