import { loadStripe } from "./stripe-js/pure.mjs";

const show = (id, value) => {
  document.querySelector(id).textContent =
    typeof value === "string" ? value : JSON.stringify(value);
};

const { publishableKey, scriptUrl } = await (await fetch("/shop.json")).json();
await new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = scriptUrl;
  script.addEventListener("load", resolve);
  script.addEventListener("error", reject);
  document.head.append(script);
});
const stripe = await loadStripe(publishableKey);
const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
const card = stripe.elements().create("card", {
  hidePostalCode: true,
  style: {
    base: {
      color: isDark ? "#eef0f4" : "#191d2b",
      fontSize: "16px",
      "::placeholder": { color: isDark ? "#a5adbf" : "#596074" },
    },
    invalid: { color: isDark ? "#ff8f9e" : "#c0123c" },
  },
});
const events = [];
for (const name of ["ready", "focus", "blur", "escape", "change"]) {
  card.on(name, (event) => {
    events.push(name);
    show("#events", events.join(" "));
    if (name === "change") show("#error", event.error?.message ?? "");
    if (name === "change") document.body.dataset.change = JSON.stringify(event);
  });
}
card.mount("#card");

/** The Payment Element in the card's place, with a way to pay that the test chooses. */
function usePaymentElement(options, elementOptions) {
  card.destroy();
  const elements = stripe.elements({
    mode: "subscription",
    amount: 5000,
    currency: "gbp",
    allowedPaymentMethodTypes: ["card"],
    paymentMethodCreation: "manual",
    ...options,
  });
  const payment = elements.create("payment", elementOptions);
  payment.on("change", (event) => (document.body.dataset.change = JSON.stringify(event)));
  payment.on("ready", () => (document.body.dataset.ready = "payment"));
  payment.mount("#card");
  globalThis.shop.elements = elements;
}
globalThis.shop = { stripe, card, usePaymentElement };

async function newMethod() {
  const { elements } = globalThis.shop;
  if (!elements) return await stripe.createPaymentMethod({ type: "card", card });
  const { error } = await elements.submit();
  return error ? { error } : await stripe.createPaymentMethod({ elements });
}

async function pay() {
  const { paymentMethod, error } = await newMethod();
  if (error) return { error };
  const response = await fetch("/subscribe", { method: "POST", body: paymentMethod.id });
  const answer = await response.json();
  return answer.clientSecret ? await stripe.confirmCardPayment(answer.clientSecret) : answer;
}

document.querySelector("#pay").addEventListener("submit", (event) => {
  event.preventDefault();
  show("#result", "");
  void pay().then((result) => show("#result", result));
});
