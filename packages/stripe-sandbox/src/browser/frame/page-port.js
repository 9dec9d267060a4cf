let port = null;
let publishableKey = "";

/** Tells the page. */
export const post = (message) => port?.postMessage(message);

/**
 * Waits for the page's end of the channel. `onConnect` gets the first options, `onMessage` every later message; the page
 * is told of the form's height, of focus and of the keys that are its business.
 */
export function connectToPage(form, { onConnect, onMessage }) {
  let hasFocus = false;
  const tellHeight = () => post({ type: "height", height: form.offsetHeight });
  addEventListener("message", (event) => {
    const { data, ports } = event;
    if (event.source !== parent || data?.type !== "stripe-sandbox-connect" || !ports[0]) return;
    port?.close();
    [port] = ports;
    publishableKey = data.publishableKey;
    port.addEventListener("message", (sent) => onMessage(sent.data));
    port.start();
    onConnect(data.options);
    post({ type: "ready" });
    tellHeight();
  });
  new ResizeObserver(tellHeight).observe(form);
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
}

/** Sends what was entered to the provider with the publishable key; resolves to the object or its error. */
export async function send(path, params) {
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

/** The parameters of a card that was entered. */
export function cardParams({ number, expiry, cvc }) {
  return [
    ["card[number]", number],
    ["card[exp_month]", expiry.slice(0, 2)],
    ["card[exp_year]", expiry.slice(2)],
    ["card[cvc]", cvc],
  ];
}
