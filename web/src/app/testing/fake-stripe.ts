import { act } from "@testing-library/react";
import { vi } from "vitest";

type Listener = (event: unknown) => void;

/** Stands in for the provider's browser script in tests, one per test. */
export function createFakeStripe() {
  const listeners = new Map<string, Listener>();
  /** What was typed before anything listened: the field is made a moment before. */
  let typedAhead: unknown = null;
  const card = {
    mount: vi.fn(),
    destroy: vi.fn(),
    focus: vi.fn(),
    update: vi.fn(),
    off: vi.fn(),
    on: (event: string, listener: Listener) => {
      listeners.set(event, listener);
      if (event === "change" && typedAhead !== null) {
        listener(typedAhead);
        typedAhead = null;
      }
      return card;
    },
  };
  const options: unknown[] = [];
  const groups: unknown[] = [];
  const provider = {
    /** The options of each group of Elements. */
    groups,
    /** What `elements.submit` answers. */
    submit: vi.fn(() => Promise.resolve<unknown>({})),
    /** What `elements.getElement` finds; set to false for a script that lost its field. */
    keepsCard: true,
    card,
    /** The options the field was made with. */
    options,
    createPaymentMethod: vi.fn((_given: unknown) =>
      Promise.resolve<unknown>({ paymentMethod: { id: "pm_test" } }),
    ),
    confirmCardPayment: vi.fn((_secret: string) =>
      Promise.resolve<unknown>({ paymentIntent: { status: "succeeded" } }),
    ),
    confirmCardSetup: vi.fn((secret: string, _data?: unknown) =>
      Promise.resolve<unknown>({ setupIntent: { id: secret.replace("_secret", "") } }),
    ),
    /** As if the visitor typed. */
    change: (event: { complete: boolean; error?: { message: string } }) =>
      act(() => {
        const typed = { elementType: "card", ...event };
        const listener = listeners.get("change");
        if (listener) listener(typed);
        else typedAhead = typed;
      }),
    stripe: {} as object,
  };
  provider.stripe = {
    elements: (given: unknown) => {
      groups.push(given);
      return group;
    },
    createToken: vi.fn(),
    createPaymentMethod: (given: unknown) => provider.createPaymentMethod(given),
    confirmCardPayment: (secret: string) => provider.confirmCardPayment(secret),
    confirmCardSetup: (secret: string, data?: unknown) => provider.confirmCardSetup(secret, data),
  };
  const group = {
    create: (_type: string, given: unknown) => {
      options.push(given);
      return card;
    },
    getElement: () => (provider.keepsCard ? card : null),
    update: vi.fn(),
    submit: () => provider.submit(),
    on: vi.fn(),
    off: vi.fn(),
  };
  return provider;
}

/** What `window.Stripe(key)` gives from now on. The official loader remembers the function. */
let opened: (key: string) => object | null = () => null;
const script = (key: string): object | null => opened(key);

/** Puts the provider's script into the page, as if it had loaded. */
export function installScript(open: (key: string) => object | null): void {
  opened = open;
  Object.assign(window, { Stripe: script });
}

export function removeScript(): void {
  Reflect.deleteProperty(window, "Stripe");
  for (const tag of document.querySelectorAll("script[data-card-script]")) tag.remove();
}
