import { applyStyle } from "./appearance.js";
import { createEntry } from "./entry.js";
import { cardParams, connectToPage, post, send } from "./page-port.js";

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

async function create(message) {
  const error = entry.check();
  if (error) return { error };
  const params = [...message.params, ...cardParams(entry.values)];
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

connectToPage(form, { onConnect: setOptions, onMessage });
