import { createEntry } from "./entry.js";
import { cardParams, connectToPage, post, send } from "./page-port.js";

/** The frame of the Payment Element: a card, or a wallet that asks once the page submits. */

const byId = (id) => document.querySelector(`#${id}`);
const form = byId("payment");
const fields = {
  number: byId("number"),
  expiry: byId("expiry"),
  cvc: byId("cvc"),
  postal: byId("postal"),
};
const methods = [...document.querySelectorAll('input[name="method"]')];
const walletOptions = { google_pay: "googlePay", link: "link" };
const looks = [
  "colorPrimary",
  "colorBackground",
  "colorText",
  "colorTextSecondary",
  "colorDanger",
  "borderRadius",
  "fontFamily",
];

let card = { complete: false, empty: true };
const entry = createEntry(fields, byId("brand"), (state) => {
  card = state;
  tellChange();
});

const chosen = () => methods.find(({ checked }) => checked)?.value ?? "card";

function tellChange() {
  const isCard = chosen() === "card";
  const state = {
    complete: isCard ? card.complete : true,
    empty: isCard && card.empty,
    collapsed: false,
    value: { type: chosen() },
  };
  byId("problem").textContent = (isCard && card.error?.message) || "";
  post({ type: "change", state });
}

function choose() {
  const isCard = chosen() === "card";
  byId("card").hidden = !isCard;
  byId("note").hidden = isCard;
  tellChange();
}

function setOptions({ wallets = {}, disabled, appearance }) {
  for (const [name, value] of Object.entries(appearance?.variables ?? {})) {
    if (looks.includes(name)) document.documentElement.style.setProperty(`--${name}`, value);
  }
  for (const method of methods) {
    const isHidden = wallets[walletOptions[method.value]] === "never";
    method.disabled = disabled || isHidden;
    method.closest("label").hidden = isHidden;
    if (isHidden && method.checked) {
      methods[0].checked = true;
      choose();
    }
  }
  for (const field of [fields.number, fields.expiry, fields.cvc]) field.disabled = disabled;
}

/** What `elements.submit()` asks: the first problem of the card, or the wallet that was chosen. */
function check() {
  if (chosen() !== "card") return { wallet: chosen() };
  const error = entry.check();
  if (!error) return { wallet: null };
  byId("problem").textContent = error.message;
  return { error };
}

async function create(message) {
  const isCard = chosen() === "card";
  const params = isCard ? cardParams(entry.values) : [["card[token]", `tok_${chosen()}`]];
  return await send("payment_methods", [...message.params, ...params]);
}

function onMessage(message) {
  switch (message.type) {
    case "options":
      setOptions(message.options);
      break;
    case "focus":
      methods.find(({ checked }) => checked)?.focus();
      break;
    case "blur":
      document.activeElement?.blur();
      break;
    case "clear":
      entry.clear();
      break;
    case "check":
      post({ type: "created", id: message.id, ...check() });
      break;
    case "create":
      void create(message).then((result) => post({ type: "created", id: message.id, ...result }));
      break;
    default:
  }
}

for (const method of methods) method.addEventListener("change", choose);
connectToPage(form, { onConnect: setOptions, onMessage });
