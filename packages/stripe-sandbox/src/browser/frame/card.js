import { applyStyle } from "./appearance.js";
import { createEntry } from "./entry.js";

/** The card entry's frame. It talks to the page through one message port and never sends a card number to it. */

const byId = (id) => document.querySelector(`#${id}`);
const form = byId("card");
const brandImage = byId("brand");
const fields = {
  number: byId("number"),
  expiry: byId("expiry"),
  cvc: byId("cvc"),
  postal: byId("postal"),
};
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

let port = null;
let publishableKey = "";
let hasFocus = false;

const post = (message) => port?.postMessage(message);
const entry = createEntry(fields, brandImage, (state) => post({ type: "change", state }));

function setOptions(options) {
  applyStyle(sheet, options.style);
  const iconColor = options.style?.base?.iconColor;
  if (iconColor) brandImage.style.setProperty("--icon-color", iconColor);
  brandImage.hidden = options.hideIcon === true;
  for (const field of Object.values(fields)) field.disabled = options.disabled === true;
  entry.setNeedsPostal(options.hidePostalCode !== true);
  const postalCode = options.value?.postalCode;
  if (typeof postalCode === "string" && fields.postal.value === "") {
    fields.postal.value = postalCode;
    entry.values.postal = postalCode;
    entry.show();
  }
}

/** Sends the card to the provider with the publishable key; resolves to the object or its error. */
async function send(path, params) {
  try {
    const response = await fetch(new URL(`../../v1/${path}`, document.baseURI), {
      method: "POST",
      headers: { authorization: `Bearer ${publishableKey}` },
      body: new URLSearchParams(params),
      credentials: "omit",
    });
    const answer = await response.json();
    return answer.error ? { error: answer.error } : { object: answer };
  } catch {
    const message =
      "We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.";
    return { error: { type: "api_connection_error", message } };
  }
}

function cardParams() {
  const { number, expiry, cvc } = entry.values;
  return [
    ["card[number]", number],
    ["card[exp_month]", expiry.slice(0, 2)],
    ["card[exp_year]", expiry.slice(2)],
    ["card[cvc]", cvc],
  ];
}

async function create(message) {
  const error = entry.check();
  if (error) return { error };
  const params = [...message.params, ...cardParams()];
  if (message.kind === "payment_method" && entry.values.postal !== "") {
    params.push(["billing_details[address][postal_code]", entry.values.postal.trim()]);
  }
  return await send(message.kind === "token" ? "tokens" : "payment_methods", params);
}

function onMessage(message) {
  switch (message.type) {
    case "options":
      setOptions(message.options);
      break;
    case "focus":
      fields.number.focus();
      break;
    case "blur":
      document.activeElement?.blur();
      break;
    case "clear":
      entry.clear();
      break;
    case "create":
      void create(message).then((result) => post({ type: "created", id: message.id, ...result }));
      break;
    default:
  }
}

addEventListener("message", (event) => {
  const { data, ports } = event;
  if (event.source !== parent || data?.type !== "stripe-sandbox-connect" || !ports[0]) return;
  port?.close();
  [port] = ports;
  publishableKey = data.publishableKey;
  port.addEventListener("message", (sent) => onMessage(sent.data));
  port.start();
  setOptions(data.options);
  post({ type: "ready" });
  post({ type: "height", height: form.offsetHeight });
});

new ResizeObserver(() => post({ type: "height", height: form.offsetHeight })).observe(form);

addEventListener("focusin", () => {
  if (!hasFocus) post({ type: "focus" });
  hasFocus = true;
});
addEventListener("focusout", (event) => {
  if (event.relatedTarget !== null) return;
  hasFocus = false;
  post({ type: "blur" });
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") post({ type: "escape" });
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter") post({ type: "submit" });
});
