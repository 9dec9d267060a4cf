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
globalThis.shop = { stripe, card };

async function pay() {
  const { paymentMethod, error } = await stripe.createPaymentMethod({ type: "card", card });
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
