import { IntegrationError } from "./errors.js";

const eventNames = [
  "ready",
  "change",
  "focus",
  "blur",
  "escape",
  "networkschange",
  "loaderror",
  "loaderstart",
  "click",
];

/** The event listeners of an Element. */
export class Listeners {
  #byName = new Map(eventNames.map((name) => [name, new Set()]));

  add(name, listener) {
    const listeners = this.#byName.get(name);
    if (!listeners) throw new IntegrationError(`Unsupported event for an Element: ${name}.`);
    listeners.add(listener);
  }

  has(name, listener) {
    return this.#byName.get(name).has(listener);
  }

  /** One listener, or all of an event. */
  remove(name, listener) {
    if (listener === undefined) this.#byName.get(name)?.clear();
    else this.#byName.get(name)?.delete(listener);
  }

  emit(name, detail) {
    for (const listener of this.#byName.get(name)) listener(detail);
  }
}
